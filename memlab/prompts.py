"""Prompts: text files with named fields and no logic, reviewed and hashed like code."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import get_args

from memlab.llm.chat import Message, Role
from memlab.spelling import did_you_mean

FOLDER = Path(__file__).parent / "prompts"


class PromptError(ValueError):
    """A prompt that is not there, or a file that is no prompt."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: messages with `$fields`; `sha256` is of its text."""

    name: str
    text: str
    sections: tuple[tuple[Role, Template], ...]

    @property
    def sha256(self) -> str:
        """The hash of the file's text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def fields(self) -> set[str]:
        """The names of all fields."""
        return {name for _, template in self.sections for name in template.get_identifiers()}

    def messages(self, **values: str) -> tuple[Message, ...]:
        """Return the messages with their fields filled in; raises KeyError when one has no value."""
        return tuple(Message(role, template.substitute(values)) for role, template in self.sections)


@cache
def load(name: str) -> Prompt:
    """Return a prompt by its name in memlab/prompts, or by the path of a file of one's own; raises PromptError.

    A file has sections, each opened by a line `[system]`, `[user]` or `[assistant]`; lines before the first, with `#`,
    say what the prompt is for. `$name` is a field, `$$` a dollar sign.
    """
    own = FOLDER / f"{name}.txt"
    try:
        path = own if own.is_file() else Path(name)
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        known = sorted(path.stem for path in FOLDER.glob("*.txt"))
        raise PromptError(
            f"no prompt '{name}'{did_you_mean(name, known)} (prompts: {', '.join(known)}; or the path of a file)"
        ) from error
    return Prompt(name, text, sections(text, name))


def sections(text: str, name: str) -> tuple[tuple[Role, Template], ...]:
    """Return the sections of a prompt file in order, blank lines around them left out; raises PromptError."""
    roles: dict[str, Role] = {f"[{role}]": role for role in get_args(Role)}
    found: list[tuple[Role, list[str]]] = []
    for line in text.splitlines():
        if line.strip() in roles:
            found.append((roles[line.strip()], []))
        elif found:
            found[-1][1].append(line)
        elif line.strip() and not line.startswith("#"):
            raise PromptError(f"prompt {name}: {line[:60]!r} stands before the first of {', '.join(roles)}")
    if not found:
        raise PromptError(f"prompt {name} has no section; open one with a line {' or '.join(roles)}")
    templates = tuple((role, Template("\n".join(lines).strip())) for role, lines in found)
    if broken := next((role for role, template in templates if not template.is_valid()), None):
        raise PromptError(f"prompt {name}: a '$' in [{broken}] opens no field; write $$ for a dollar sign")
    return templates


def prompt_faults(name: str, fields: Collection[str], *, needed: Collection[str] = ()) -> list[str]:
    """Return why a prompt cannot be used with these fields, for a part's `missing()`; empty when it can.

    Fields that are not `needed` may be left out; without those that are, the model would not be shown what it is about.
    """
    try:
        prompt = load(name)
    except PromptError as error:
        return [str(error)]
    known = f"fields: {', '.join(fields)}"
    unknown = [field for field in sorted(prompt.fields) if field not in fields]
    lacking = [field for field in needed if field not in prompt.fields]
    return [f"prompt {name} uses ${field}{did_you_mean(field, fields)}; {known}" for field in unknown] + [
        f"prompt {name} lacks ${field}, which it cannot do without; add it ({known})" for field in lacking
    ]
