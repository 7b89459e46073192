"""What check() says of a config that cannot run, and what build() makes of one that can."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig, OmegaConf, open_dict

from memlab.conf_files import conf_folder
from memlab.config import build, check
from memlab.embed.hashed import Hashed
from memlab.llm.cached import CachedChat
from memlab.llm.chat import ChatModel
from memlab.llm.meter import MeteredChat
from memlab.memory import Add, Decision
from memlab.node_check import misfit
from memlab.settings import ConfigError
from memlab.store.dense import DenseStore
from memlab.store.store import GraphStore
from memlab.update.updater import Updater


@contextmanager
def conf() -> Iterator[None]:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        yield


def composed(*overrides: str) -> DictConfig:
    with conf():
        return compose("config", ["embedder=hash", *overrides])


def faults(config: DictConfig) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        check(config)
    return caught.value.faults


class MyGraph(GraphStore):
    """A graph store, as far as its kind goes."""


class MyHybrid(GraphStore):
    """Another."""


class AddsAll(Updater):
    def __init__(self, *, near: float = 0.5) -> None:
        if near > 1:
            raise ValueError(f"near={near} is no cosine; choose at most 1")

    async def decide(self, proposals: object) -> list[Decision]:
        return [Decision((Add(proposal.candidate),)) for proposal in proposals]  # type: ignore[attr-defined]


HERE = __name__


def test_a_config_without_fault_passes_and_builds() -> None:
    config = composed()
    check(config)
    parts = build(config)
    assert parts.embedder.name == Hashed(dimension=256).name
    assert parts.new_store() is not parts.new_store()


def test_all_faults_are_told_at_once() -> None:
    config = composed("system=verbatim_dense", "m=-1", "retriever.top_k=ten")
    with open_dict(config):
        config.extractor.sise = 3
    found = faults(config)
    assert any("m=-1 is too small" in fault for fault in found)
    assert any("setting 'top_k' is 'ten'" in fault for fault in found)
    assert any("has no setting 'sise'" in fault for fault in found)


def test_an_unknown_setting_gets_a_suggestion() -> None:
    config = composed("system=rag")
    with open_dict(config):
        config.extractor.siz = 3
    [fault] = faults(config)
    assert fault.startswith("extractor=chunk has no setting 'siz'; did you mean 'size'?")


def test_a_missing_setting_is_named() -> None:
    config = composed("system=rag")
    with open_dict(config):
        del config.extractor.size
    [fault] = faults(config)
    assert fault == "extractor=chunk needs the setting 'size'"


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("retriever.top_k", "ten", "setting 'top_k' is 'ten'"),
        ("retriever.top_k", 1.5, "setting 'top_k' is 1.5"),
        ("m", "many", "m is 'many'"),
        ("repeats", 0, "repeats=0 is too small"),
    ],
)
def test_a_value_of_the_wrong_type_or_range_is_named(key: str, value: object, words: str) -> None:
    config = composed()
    OmegaConf.update(config, key, value)
    assert any(words in fault for fault in faults(config))


def test_a_retriever_that_needs_another_kind_of_store_is_refused_before_anything_is_built() -> None:
    [fault] = faults(composed("retriever=semantic_triplet"))
    assert fault.startswith("retriever=semantic_triplet needs a GraphStore, but store=dense is a DenseStore; use ")
    assert "store=graph or store=hybrid" in fault


def test_a_misfit_names_the_options_that_fit() -> None:
    offered = {
        "dense": "memlab.store.dense.DenseStore",
        "graph": f"{HERE}.MyGraph",
        "hybrid": f"{HERE}.MyHybrid",
    }
    assert misfit("store", GraphStore, DenseStore, offered) == (
        "needs a GraphStore, but store=dense is a DenseStore; use store=graph or store=hybrid"
    )


def test_a_class_that_cannot_be_imported_is_named() -> None:
    config = composed()
    config.extractor._target_ = "nowhere.at.All"
    [fault] = faults(config)
    assert "cannot import 'nowhere.at.All'" in fault


def test_a_class_of_the_wrong_kind_is_refused() -> None:
    config = composed()
    config.updater = {"_target_": "memlab.store.dense.DenseStore"}
    [fault] = faults(config)
    assert "memlab.store.dense.DenseStore is no Updater" in fault


def test_what_a_constructor_refuses_is_a_fault() -> None:
    config = composed()
    config.updater = {"_target_": f"{HERE}.AddsAll", "near": 1.5}
    [fault] = faults(config)
    assert "near=1.5 is no cosine" in fault


def test_faults_inside_a_nested_part_are_told() -> None:
    config = composed("retriever=fused")
    config.retriever.first.top_k = "ten"
    [fault] = faults(config)
    assert "'first' setting 'top_k' is 'ten'" in fault


def test_a_name_where_a_part_belongs_is_told_how_to_choose_one() -> None:
    config = composed("retriever=fused")
    config.retriever.first = "bm25"
    [fault] = faults(config)
    assert "'first' is 'bm25'" in fault
    assert "use retriever@retriever.first=bm25" in fault
    config = composed("system=mem0g")
    config.extractor.triples, config.question_entities = "triples_local", "llm"
    told = "\n".join(faults(config))
    assert "use extractor@extractor.triples=triples_local" in told
    assert "use entities@question_entities=llm" in told
    check(composed("system=mem0g", "extractor@extractor.triples=triples_local"))


def test_a_missing_file_is_told_before_anything_runs(tmp_path: Path) -> None:
    config = composed("dataset=locomo", f"dataset.path={tmp_path / 'none.json'}")
    [fault] = faults(config)
    assert "python -m memlab data locomo" in fault


def test_a_missing_key_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    config = composed("embedder=openai", "updater=threshold")
    [fault] = faults(config)
    assert "OPENAI_API_KEY" in fault
    assert "embedder=minilm" in fault


def test_a_class_of_ones_own_works_by_its_import_path() -> None:
    config = composed()
    config.updater = {"_target_": f"{HERE}.AddsAll"}
    check(config)
    assert isinstance(build(config).updater, AddsAll)


class Unfinished(Updater):
    """Lacks what an updater must have."""


class Positional(Updater):
    def __init__(self, near: float, /) -> None: ...

    async def decide(self, proposals: object) -> list[Decision]:
        return []


class Breaks(Updater):
    def __init__(self) -> None:
        raise RuntimeError("broken on purpose")

    async def decide(self, proposals: object) -> list[Decision]:
        return []


class Unresolved(Updater):
    def __init__(self, *, embedder: "NotImportedAtRuntime") -> None: ...  # type: ignore[name-defined]  # noqa: F821

    async def decide(self, proposals: object) -> list[Decision]:
        return []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Unfinished", "is abstract; it still needs decide"),
        ("Positional", "'near' is positional only"),
        ("Breaks", "broken on purpose"),
        ("Unresolved", "NotImportedAtRuntime"),
    ],
)
def test_a_class_of_ones_own_that_cannot_be_built_is_a_fault(name: str, words: str) -> None:
    config = composed()
    config.updater = {"_target_": f"{HERE}.{name}"}
    [fault] = faults(config)
    assert words in fault


def test_a_part_that_cannot_be_built_is_one_fault_not_one_for_each_that_needs_it() -> None:
    [fault] = faults(composed("retriever=fused", "embedder.dimension=1"))
    assert fault.startswith("embedder=hash: ")


@pytest.mark.parametrize("setting", ["top_k", "max_tokens"])
def test_a_bound_below_one_is_refused(setting: str) -> None:
    config = composed()
    config.retriever[setting] = -3
    assert f"setting '{setting}' is -3; it must be at least 1" in faults(config)[0]


def test_a_store_of_a_retrievers_own_is_refused() -> None:
    config = composed()
    with open_dict(config):
        config.retriever.store = {"_target_": "memlab.store.dense.DenseStore"}
    assert "passed by itself" in faults(config)[0]


def test_a_cache_that_cannot_be_written_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "file" / "cache"))
    assert "MEMLAB_CACHE" in faults(composed())[0]


class Asks(Updater):
    def __init__(self, *, llm: ChatModel) -> None:
        self.llm = llm

    async def decide(self, proposals: object) -> list[Decision]:
        return []


def test_a_part_that_needs_an_llm_says_how_to_choose_one() -> None:
    config = composed()
    config.updater = {"_target_": f"{HERE}.Asks"}
    assert faults(config) == [f"updater={HERE}.Asks needs a ChatModel; choose one: llm=openai or llm=server"]


def test_a_part_that_needs_an_llm_gets_one_that_counts_and_keeps_replies() -> None:
    config = composed("llm=server")
    config.updater = {"_target_": f"{HERE}.Asks"}
    check(config)
    parts = build(config)
    assert isinstance(parts.updater, Asks)
    assert isinstance(parts.updater.llm, MeteredChat)
    [cache] = parts.caches
    assert isinstance(cache, CachedChat)


def test_an_unknown_cache_mode_is_refused() -> None:
    assert faults(composed("cache=sometimes"))[0].startswith("cache is 'sometimes'")


def test_a_store_that_cannot_hold_what_is_extracted_is_named_with_those_that_can() -> None:
    facts = "extractor=facts_and_triples proposes Facts, but store=graph holds Triples only; use store="
    assert faults(composed("system=mem0g", "store=graph")) == [f"{facts}hybrid"]
    both = composed("extractor=facts_and_triples", "store=graph", "updater=append")
    assert faults(both) == [f"{facts}dense or store=hybrid"]


def test_an_updater_of_edges_needs_a_store_that_tells_their_source() -> None:
    found = faults(composed("extractor=facts_and_triples", "updater=by_content", "store=dense"))
    assert found == [
        "updater=by_content looks at edges of the same source, which store=dense cannot tell; "
        "use store=graph or store=hybrid"
    ]
