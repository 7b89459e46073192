"""LOCOMO (Maharana et al. 2024, arXiv 2402.17753): long two-person chats with questions in five categories."""

import hashlib
import re
from collections.abc import Container, Sequence
from pathlib import Path

from memlab.datasets.dataset import Corpus, Dataset, DatasetError
from memlab.datasets.locomo_file import Faults, Sample, read_samples, read_turns
from memlab.datasets.subset import check_known, check_subset, first_sessions, limited
from memlab.dialogue import Conversation, Question

PUBLISHED_SHA256 = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
KNOWN_FILES = {
    PUBLISHED_SHA256: "locomo10.json as published",
    "741404942cca024e4b385d4ddad3b3fc55229134f761535c908e8757fe6df657": "locomo7.json: seven of the ten conversations "
    "of locomo10.json, values as published",
}

EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


class Locomo(Dataset):
    """LOCOMO from a JSON file, whole or in part.

    `conversations` selects by sample_id (None: all; always in the order of the file), `sessions` keeps the first ones
    of each, with the questions that they answer. `limit_questions` is the total number of questions, spread as evenly
    as the selected conversations allow and evenly spaced in each; a conversation left without a question is dropped.
    """

    def __init__(
        self, path: str, conversations: Sequence[str] | None, sessions: int | None, limit_questions: int | None
    ) -> None:
        check_subset(conversations, sessions, limit_questions)
        self.path = path
        self.conversations = conversations
        self.sessions = sessions
        self.limit_questions = limit_questions

    def missing(self) -> list[str]:
        """Return the missing file with its remedy, if it is missing."""
        if Path(self.path).expanduser().is_file():
            return []
        return [f"no LOCOMO file at {self.path}; run `python -m memlab data locomo` or set dataset.path=..."]

    def read(self) -> Corpus:
        """Return the selected conversations; question ids are "{sample_id}/q{position in the file, from 0}"."""
        if lacks := self.missing():
            raise DatasetError(lacks[0])
        try:
            content = Path(self.path).expanduser().read_bytes()
        except OSError as error:
            raise DatasetError(f"{self.path}: cannot be read: {error}") from error
        faults = Faults(self.path)
        samples = read_samples(content, faults)
        turns = {sample.sample_id: read_turns(sample, f"$[{i}].conversation", faults) for i, sample in samples.items()}
        faults.raise_if_any()

        sha256 = hashlib.sha256(content).hexdigest()
        unknown = f"not the published file (sha256 {sha256}): results are not comparable by default"
        notes = [KNOWN_FILES.get(sha256, unknown)]
        chosen = list(samples.values())
        if self.conversations is not None:
            check_known(self.conversations, [sample.sample_id for sample in chosen], self.path)
            chosen = [sample for sample in chosen if sample.sample_id in self.conversations]
        repairs: dict[str, list[str]] = {}
        whole = []
        for sample in chosen:
            said = turns[sample.sample_id]
            speakers = (sample.conversation.speaker_a, sample.conversation.speaker_b)
            questions = read_questions(sample, {turn.id for turn in said}, repairs)
            whole.append(Conversation(sample.sample_id, speakers, said, questions))
        conversations = limited([first_sessions(one, self.sessions) for one in whole], self.limit_questions)
        asked = [question.id for one in conversations for question in one.questions]
        if len(asked) < (available := sum(len(one.questions) for one in whole)):
            limits = {"sessions": self.sessions, "limit_questions": self.limit_questions}
            given = ", ".join(f"{name}={limit}" for name, limit in limits.items() if limit is not None)
            notes.append(f"{given}: {len(asked)} of {available} questions")
        notes += [note for id_ in asked for note in repairs.get(id_, ())]
        if not conversations:
            raise DatasetError(f"{self.path}: no conversations; {len(samples)} in the file, {len(chosen)} selected")
        return Corpus("locomo", sha256, conversations, tuple(notes))


def read_questions(sample: Sample, turn_ids: Container[str], repairs: dict[str, list[str]]) -> tuple[Question, ...]:
    """Return the questions of a sample; what had to be repaired is added to `repairs` under the question's id."""
    questions = []
    for position, asked in enumerate(sample.qa):
        name = f"{sample.sample_id}/q{position}"
        evidence, repaired = read_evidence(asked.evidence, turn_ids)
        gold = None if asked.category == 5 else asked.answer
        if asked.category == 5 and asked.answer:
            # LOCOMO's evaluation offers this answer as the wrong choice: only a refusal is right in category 5.
            repaired.append(f"category 5 has the answer {asked.answer!r}, gold stays none")
        repairs[name] = [f"{sample.sample_id} question {position}: {repair}" for repair in repaired]
        questions.append(Question(name, asked.question, gold, asked.category, evidence))
    return tuple(questions)


def read_evidence(listed: Sequence[str], turn_ids: Container[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the turn ids that the evidence names, each once, and a note for everything repaired or dropped."""
    evidence: dict[str, None] = {}
    repairs = []
    for text in listed:
        found = []
        for part in re.split(r"[;,\s]+", text.strip()):
            match = EVIDENCE.fullmatch(part)
            name = f"D{int(match[1])}:{int(match[2])}" if match and part not in turn_ids else part
            if name in turn_ids:
                found.append(name)
            else:
                repairs.append(f"evidence {part!r} names no turn, dropped")
        if found and found != [text]:
            repairs.append(f"evidence {text!r} read as {', '.join(found)}")
        evidence.update(dict.fromkeys(found))
    return tuple(evidence), repairs
