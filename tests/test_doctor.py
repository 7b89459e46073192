"""The doctor as a user meets it, against a server on loopback."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from memlab.commands.doctor import main
from memlab.conf_files import conf_folder
from memlab.config import ConfigError, check
from memlab.llm.probe import STRATEGIES
from tests.llm.able_server import DIMENSION, able, unable
from tests.llm.lying_server import KEY, Answer, Server, failing, good, models, serving


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("memlab.llm.retry.FIRST_PAUSE", 0.001)
    with serving() as server:
        server.behave, server.listing = able, models("small", "large")
        yield server


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> "Doctor":
    monkeypatch.setenv("COLUMNS", "400")  # wide enough for every message on one line
    monkeypatch.setattr("memlab.report.table.WIDTH_IN_FILES", 400)
    return Doctor(capsys)


class Doctor:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str]:
        """Return the exit code and what is printed, in which no key ever is."""
        code = main(list(arguments))
        printed = "".join(self.capsys.readouterr())
        assert KEY not in printed
        return code, printed


def at(server: Server, model: str = "small") -> list[str]:
    return ["llm=openai", f"llm.base_url={server.url}", f"llm.model={model}"]


def test_facts_come_first_then_the_strategies_then_the_cost(server: Server, doctor: Doctor) -> None:
    code, printed = doctor(*at(server))
    assert code == 0
    words = ("python 3", "OPENAI_API_KEY is accepted", "updater=tool_call", "asked: ")
    places = [printed.index(word) for word in words]
    assert places == sorted(places)
    assert "works with" not in printed
    assert f"asked: {len(server.requests)} chat requests of " in printed
    assert "of 9," in printed, "tokens"


def test_the_strategies_and_their_settings_exist() -> None:
    for strategy, ways in STRATEGIES.items():
        # Triples, and the updater of triples, fit no dense store.
        system = "mem0g_graph_only" if strategy in ("extractor=triples", "updater=resolve_conflict") else "mem0"
        settings = [strategy, *" ".join(ways.values()).split()]
        with initialize_config_dir(str(conf_folder()), version_base="1.3"):
            check(compose("config", ["profile=server", f"system={system}", *settings]))


def test_where_the_settings_of_the_graph_variant_stand_is_told(server: Server, doctor: Doctor) -> None:
    _, printed = doctor(*at(server))
    for setting in ("extractor.facts.reply", "extractor.triples.reply", "updater.facts.ask", "updater.triples.ask"):
        assert setting in printed
        with initialize_config_dir(str(conf_folder()), version_base="1.3"):
            check(compose("config", ["profile=server", "system=mem0g", f"{setting}=schema"]))


def test_the_profile_brings_the_endpoint_and_its_embeddings_are_tried(server: Server, doctor: Doctor) -> None:
    embedder = (f"embedder.base_url={server.url}", f"embedder.dimension={DIMENSION}")
    code, printed = doctor("profile=openai", *at(server)[1:], *embedder)
    assert code == 0
    assert f"@{server.url}: {DIMENSION} dimensions, as set" in printed
    assert "1 request for embeddings" in printed
    code, printed = doctor("profile=openai", *at(server)[1:], embedder[0])
    assert code == 0
    assert f"set embedder.dimension={DIMENSION}" in printed


def test_a_server_of_embeddings_that_refuses_and_repeats_the_key_does_not_show_it(
    server: Server, doctor: Doctor
) -> None:
    refusal = failing(401, f"wrong key {KEY}")
    server.behave = lambda body: refusal if "input" in body else able(body)
    code, printed = doctor("profile=openai", *at(server)[1:], f"embedder.base_url={server.url}")
    assert code == 0
    assert "wrong key ***" in printed


@pytest.mark.parametrize("body", [b"<html>", b'{"error": "x"}'])
def test_a_server_that_gives_something_else_than_embeddings_is_told(
    server: Server, doctor: Doctor, body: bytes
) -> None:
    page = Answer(body, headers={"Content-Type": "text/html" if body[:1] == b"<" else "application/json"})
    server.behave = lambda asked: page if "input" in asked else able(asked)
    code, printed = doctor("profile=openai", *at(server)[1:], f"embedder.base_url={server.url}")
    assert code == 0
    assert "gave no embeddings" in printed


def test_nothing_is_read_from_a_cache_or_kept_in_one(
    server: Server, doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path))
    doctor("profile=openai", *at(server)[1:], f"embedder.base_url={server.url}", f"embedder.dimension={DIMENSION}")
    first = len(server.paths)
    doctor("profile=openai", *at(server)[1:], f"embedder.base_url={server.url}", f"embedder.dimension={DIMENSION}")
    assert len(server.paths) == 2 * first
    assert list(tmp_path.rglob("*.*")) == []


def test_a_server_without_tools_and_schemas_is_told_with_the_settings(server: Server, doctor: Doctor) -> None:
    server.behave = unable(tools=failing(400, "no [tools] here"), schema=good("No."))
    code, printed = doctor(*at(server))
    assert code == 0
    assert "no [tools] here" in printed
    assert "works with extractor.reply=text" in printed
    assert "will not work: no tool calls, no JSON by schema" in printed


def test_a_wrong_model_is_told_with_those_that_there_are(server: Server, doctor: Doctor) -> None:
    server.behave = lambda body: able(body) if body["model"] == "small" else failing(404, "no such model")
    code, printed = doctor(*at(server, "smal"))
    assert code == 2
    assert "it lists small, large; did you mean 'small'?" in printed


def test_a_wrong_key_is_told_and_not_shown(server: Server, doctor: Doctor) -> None:
    server.behave = lambda body: failing(401, f"Incorrect API key provided: {KEY}")
    code, printed = doctor(*at(server))
    assert code == 2
    assert "Incorrect API key provided: ***" in printed
    assert "set another in OPENAI_API_KEY" in printed


def test_an_endpoint_that_needs_another_setting_is_not_yet_ready(server: Server, doctor: Doctor) -> None:
    server.behave = lambda body: failing(400, "no seed please") if "seed" in body else able(body)
    code, printed = doctor(*at(server))
    assert code == 2
    assert "works with llm.seed=null" in printed


def test_an_unreachable_port_is_told_with_the_remedy(doctor: Doctor) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        code, printed = doctor("llm=server", f"llm.base_url={url}")
    assert code == 2
    assert f"no connection to {url}" in printed
    assert "start the server, or check llm.base_url" in printed
    assert "will not work: no plain chat" in printed


def test_a_server_that_cuts_connections_is_told(server: Server, doctor: Doctor) -> None:
    server.behave = lambda body: good(cut=20)
    code, printed = doctor(*at(server))
    assert code == 2
    assert "no connection to" in printed
    assert "gave up after 3 requests" in printed


def test_what_else_the_config_lacks_is_told_and_the_endpoint_is_probed_all_the_same(
    server: Server, doctor: Doctor, tmp_path: Path
) -> None:
    code, printed = doctor(*at(server), "dataset=locomo", f"dataset.path={tmp_path / 'none.json'}")
    assert code == 0
    assert "none.json" in printed
    assert "OPENAI_API_KEY is accepted" in printed


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["m=5"], "add llm=server llm.base_url="),
        (["llm=server", "llm.base_url=localhost:8080"], "it must start with http"),
        (["llm=server", "llm.max_retries=some"], "setting 'max_retries' is 'some'"),
        (["llm=server", "+llm.top_k=5"], "has no setting 'top_k'"),
        (["llm=server", "llm.api_key_env=NO_SUCH_KEY"], "needs NO_SUCH_KEY"),
        (
            ["llm=server", "llm._target_=memlab.llm.scripted.Scripted"],
            "Scripted has no setting",
        ),
    ],
)
def test_an_llm_that_cannot_be_asked_is_told_before_anything_is_sent(settings: list[str], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        main(settings)
    assert words in str(caught.value)
