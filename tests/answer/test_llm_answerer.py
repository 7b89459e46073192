"""What an LLM is shown and asked, and what is made of its replies, good and bad."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.answer.llm_answerer import LLMAnswerer, answer_in, schema
from memlab.datasets.mini import Mini
from memlab.extract.extractor import Window
from memlab.extract.verbatim import Verbatim
from memlab.llm.chat import ChatFailed, Reply, Usage
from memlab.llm.meter import metered
from memlab.llm.scripted import Line, Scripted
from memlab.llm.understood import Misunderstood
from memlab.memory import Hit, Memory
from memlab.part import PartFailed
from tests.answer.shown_memories import SAID_AT, ask, hit

GOLDEN = Path(__file__).parent / "golden"


def answerer(llm: Scripted, **settings: Any) -> LLMAnswerer:
    usual = {"prompt": "answer", "reasoned": False, "reply": "text", "grouping": "time", "timestamps": "metadata"}
    return LLMAnswerer(llm, **{**usual, **settings})


def reasoned(llm: Scripted, **settings: Any) -> LLMAnswerer:
    return answerer(llm, prompt="answer_reasoned", reasoned=True, **settings)


async def answered(*replies: Line, **settings: Any) -> str:
    return (await answerer(Scripted(replies), **settings).answer(ask("Who?"), [hit("Ana met Ben.")])).text


async def shown(hits: Sequence[Hit], **settings: Any) -> str:
    """What the last message of a request holds."""
    llm = Scripted(["x"])
    await answerer(llm, **settings).answer(ask("Where does Ana live?"), hits)
    return llm.requests[0].messages[-1].content


@pytest.mark.parametrize("prompt", ["answer", "answer_reasoned"])
async def test_prompt_on_a_mini_question_is_golden(prompt: str) -> None:
    conversation = (
        Mini(seed=11, size=4, conversations=["mini-1"], sessions=None, limit_questions=None).read().conversations[0]
    )
    question = next(one for one in conversation.questions if one.category == 2)
    turns = tuple(turn for turn in conversation.turns if turn.id in question.evidence or turn.session == 1)
    candidates = await Verbatim().extract(Window(turns))
    hits = [
        Hit(Memory(f"{c.speaker}:m{n}", c.content, c.speaker, c.sources, c.said_at, c.said_at, c.said_at), 1.0)
        for n, c in enumerate(candidates)
    ]
    llm = Scripted(["Answer: x"])
    await answerer(llm, prompt=prompt, grouping="speaker").answer(question.asked(), hits)
    sent = "".join(f"[{message.role}]\n{message.content}\n" for message in llm.requests[0].messages)
    assert sent == (GOLDEN / f"{prompt}.txt").read_text(encoding="utf-8")


async def test_memories_stand_under_the_days_they_were_said_on() -> None:
    hits = [hit("Ana moved to Oslo.", said_at=SAID_AT.replace(month=6)), hit("Ana lives in Rome.", number=1)]
    assert await shown(hits) == (
        "Memories:\n8 May 2023\nAna lives in Rome.\n8 June 2023\nAna moved to Oslo.\n\nQuestion: Where does Ana live?"
    )


async def test_memories_by_speaker_have_a_heading_each() -> None:
    hits = [hit("Ben likes tea.", number=1, speaker="Ben"), hit("Ana lives in Rome.")]
    text = await shown(hits, grouping="speaker")
    assert text.startswith(
        "Memories:\nMemories of Ana:\n8 May 2023\nAna lives in Rome.\n\nMemories of Ben:\n8 May 2023\nBen likes tea.\n"
    )


@pytest.mark.parametrize(("timestamps", "headings"), [("metadata", 1), ("both", 1), ("text", 0)])
async def test_days_have_headings_unless_dates_are_in_the_texts_alone(timestamps: str, headings: int) -> None:
    assert (await shown([hit("Ana moved on 7 May.")], timestamps=timestamps)).count("8 May 2023") == headings


async def test_a_question_without_memories_is_asked_all_the_same() -> None:
    assert "Memories:\n(none)\n" in await shown([])


async def test_no_memory_id_and_no_clock_is_in_the_request() -> None:
    llm = Scripted(["x", "x"])
    hits = [hit("Ana lives in Rome.", number=77)]
    for _ in range(2):
        await answerer(llm).answer(ask("Where?"), hits)
    assert llm.requests[0] == llm.requests[1]
    assert "m77" not in str(llm.requests[0])


async def test_gold_evidence_and_category_change_no_request() -> None:
    llm = Scripted(["x", "x"])
    question = ask("Where?")
    await answerer(llm).answer(question, [])
    await answerer(llm).answer(replace(question, gold="poison", evidence=("D1:1",), category=2), [])
    assert llm.requests[0] == llm.requests[1]


async def test_the_schema_is_sent_when_asked_for_and_reasoning_stands_before_the_answer() -> None:
    llm = Scripted(['{"reasoning": "r", "answer": "Rome"}'] * 2)
    await reasoned(llm, reply="schema").answer(ask("Where?"), [])
    await reasoned(llm, reply="text").answer(ask("Where?"), [])
    sent, none = (request.schema for request in llm.requests)
    assert none is None
    assert sent is not None
    assert list(sent["properties"]) == sent["required"] == ["reasoning", "answer"]
    assert sent["additionalProperties"] is False
    assert sent["title"]


@pytest.mark.parametrize("timed", ["text", "schema"])
@pytest.mark.parametrize("thinks", [False, True])
@pytest.mark.parametrize("hits", [[], [hit("Ana met Ben in the old harbour of Oslo.")], [hit('{"a": ```"answer:"```')]])
async def test_the_typical_reply_is_read_as_a_short_answer(timed: str, thinks: bool, hits: list[Hit]) -> None:
    llm = Scripted(lambda request: request.typical)
    given_ = await (reasoned if thinks else answerer)(llm, reply=timed).answer(ask("Where?"), hits)
    assert 1 <= len(given_.text.split()) <= 5
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("2 March 2022", "2 March 2022"),
        ("  \n\n2 March 2022\n", "2 March 2022"),
        ("Answer: 2 March 2022", "2 March 2022"),
        ("**Answer:** 2 March 2022", "2 March 2022"),
        ("Answer:\n2 March 2022", "2 March 2022"),
        ("Here is the answer:\n\n**Rome**", "Rome"),
        ("```\nRome\n```", "Rome"),
        ("```Rome```", "Rome"),
        ('"Rome"', "Rome"),
        ("“Rome”", "Rome"),
        ('"Rome" and "Oslo"', '"Rome" and "Oslo"'),
        ("Charlotte's Web", "Charlotte's Web"),
        ("- Rome", "Rome"),
        ("Paris - Rome", "Paris - Rome"),
        ("- pottery\n- hiking\n- chess", "pottery, hiking, chess"),
        ("1. pottery\n2. hiking", "pottery, hiking"),
        ("8. May", "8. May"),
        ("Rome\n\nQuestion: Who is Ben?\nAnswer: nobody", "Rome"),
        ('{"answer": "Rome"}', "Rome"),
        ('Sure:\n```json\n{"answer": "Rome"}\n```', "Rome"),
        ('{"answer": 2022}', "2022"),
        ('{"answer": true}', "Yes"),
        ('{"answer": ["pottery", "hiking"]}', "pottery, hiking"),
        ('{"answer": "Answer: \\"Rome\\""}', "Rome"),
        ("<think>Rome? No.</think>\n\nOslo", "Oslo"),
        ("I cannot help with that.", "I cannot help with that."),
        ("No information available", "No information available"),
        ("word " * 60, ("word " * 60).strip()),
    ],
)
def test_an_answer_is_read_from_what_models_write(reply: str, answer: str) -> None:
    assert answer_in(reply, reasoned=False) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("She went the day before.\nAnswer: 2 March 2022", "2 March 2022"),
        ("Answer: first I thought so.\nBut then:\n**Final answer:** Rome", "Rome"),
        ("So it is.\n\nAnswer:\n\n```\nRome\n```", "Rome"),
        ("Hm.\nThe answer is: Rome", "Rome"),
        ('{"reasoning": "She said\\nAnswer: no", "answer": "Rome"}', "Rome"),
        ("Two things.\nAnswer:\n- pottery\n- chess", "pottery, chess"),
    ],
)
def test_a_reasoned_answer_is_what_follows_the_last_mark(reply: str, answer: str) -> None:
    assert answer_in(reply, reasoned=True) == answer


@pytest.mark.parametrize(
    "reply",
    [
        *("", " \n ", "```\n```", '""', "...", "Answer:"),
        *('{"answer": ""}', '{"answer": "..."}', '{"answer": null}', '{"answer": {"a": 1}}', '{"reply": "Rome"}'),
        *('{"answer": "Ro', '```json\n{"answer": "Ro', "<think>It may be Rome"),
    ],
)
def test_what_holds_no_answer_is_misunderstood(reply: str) -> None:
    for thinks in (False, True):
        with pytest.raises(Misunderstood):
            answer_in(reply, reasoned=thinks)


def test_reasoning_without_a_mark_is_no_answer() -> None:
    with pytest.raises(Misunderstood, match="Answer:"):
        answer_in("She went to Rome in May.", reasoned=True)


@given(st.text() | st.text(alphabet='`"{}[]:,\\ \nansweAr-*<think>1.'), st.booleans())
def test_any_reply_is_an_answer_of_one_line_or_misunderstood(reply: str, thinks: bool) -> None:
    try:
        answer = answer_in(reply, reasoned=thinks)
    except Misunderstood:
        return
    assert answer.strip()
    assert len(answer.splitlines()) == 1


@given(st.text(alphabet="Rome 2022,\n", min_size=1).filter(lambda text: any(map(str.isalnum, text))))
def test_a_json_answer_is_kept_whole(answer: str) -> None:
    written = json.dumps({"reasoning": "Answer: no", "answer": answer})
    assert answer_in(written, reasoned=True) == " ".join(answer.split())


async def test_an_empty_reply_is_asked_again_once_and_the_repair_is_noted() -> None:
    llm = Scripted(["", "Rome"])
    with metered() as meter:
        given_ = await answerer(llm).answer(ask("Where?"), [])
    assert given_.text == "Rome"
    assert [flaw.partition(":")[0] for flaw in meter.flaws] == ["repaired"]
    assert len(llm.requests) == 2


async def test_two_empty_replies_are_a_failed_answer_and_never_an_empty_one() -> None:
    with metered() as meter, pytest.raises(PartFailed, match=r"scripted gave no answer.*no answer in it"):
        await answered("", "  ")
    assert [flaw.partition(":")[0] for flaw in meter.flaws] == ["unreadable"]


async def test_a_reply_that_was_cut_off_is_asked_again() -> None:
    cut = Reply("Ro", (), "length", Usage(1, 1), 0.0)
    assert await answered(cut, "Rome") == "Rome"


async def test_a_refusal_by_the_server_is_raised() -> None:
    with pytest.raises(ChatFailed) as failed:
        await answered(Reply("", (), "content_filter", Usage(1, 1), 0.0))
    assert failed.value.reason == "refused"


async def test_the_whole_reply_is_kept_when_the_answer_is_a_part_of_it() -> None:
    reply = "She went.\nAnswer: Rome"
    assert (await reasoned(Scripted([reply])).answer(ask("Where?"), [])).reply == reply
    plain = await answerer(Scripted(["Rome\n"])).answer(ask("Where?"), [])
    assert (plain.reply, plain.used) == (None, None)


def test_a_prompt_that_is_not_there_or_has_strange_fields_is_missing(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("[user]\n$memory $question\n", encoding="utf-8")
    assert answerer(Scripted([])).missing() == []
    assert "answer" in answerer(Scripted([]), prompt="anwser").missing()[0]
    assert "memories" in answerer(Scripted([]), prompt=str(own)).missing()[0]


def test_without_reasoning_only_the_answer_is_asked_for() -> None:
    assert schema(False)["required"] == ["answer"]
