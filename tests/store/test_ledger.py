from datetime import timedelta

from memlab.store.ledger import Ledger
from memlab.testing.samples import START, candidate


def test_a_ledger_is_read_as_it_was_written() -> None:
    ledger = Ledger()
    for text in ("One.", "Two.", "Three."):
        ledger.add(candidate(text))
    ledger.update("m0", candidate("One and a half.", source="D2:1"))
    ledger.retire("m1", START + timedelta(days=1))
    read = Ledger.from_json(ledger.to_json())
    assert read.memories(retired=True) == ledger.memories(retired=True)
    assert (read.version, read.next_number) == (ledger.version, ledger.next_number) == (5, 3)


def test_an_update_keeps_every_earlier_version_oldest_first() -> None:
    ledger = Ledger()
    ledger.add(candidate("One.", source="D1:1"))
    ledger.update("m0", candidate("Two.", source="D1:2"))
    ledger.update("m0", candidate("Three.", source="D1:3"))
    (memory,) = ledger.memories()
    assert [(revision.content.text, revision.sources) for revision in memory.history] == [
        ("One.", ("D1:1",)),
        ("Two.", ("D1:1", "D1:2")),
    ]
    assert memory.sources == ("D1:1", "D1:2", "D1:3")


def test_what_was_said_before_can_be_said_again_from_another_turn() -> None:
    ledger = Ledger()
    ledger.add(candidate("Ada lives in Oslo.", source="D1:1"))
    ledger.update("m0", candidate("Ada lives in Rome.", source="D2:1"))
    back = ledger.update("m0", candidate("Ada lives in Oslo.", source="D3:1"))
    assert back is not None
    assert (back.text, len(back.history)) == ("Ada lives in Oslo.", 2)


def test_a_source_named_twice_is_kept_once() -> None:
    memory = Ledger().add(candidate("One."))
    assert memory.sources == ("D1:1",)
