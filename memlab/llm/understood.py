"""A reply that has to be of a certain form: read it, ask once more with the reason when it is not, then give up."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from memlab.llm.chat import ChatFailed, ChatModel, ChatRequest, Message, Reply

Value = TypeVar("Value")

REPAIRED = "repaired"
UNREADABLE = "unreadable"
CUT_OFF = "it was too long and was cut off; be much shorter."


class Misunderstood(ValueError):
    """A reply is not what was asked for; the message is what the model is told, so that it can do better."""


@dataclass(frozen=True, slots=True)
class Understood(Generic[Value]):
    """What a reply says, None when neither it nor the second one could be read, and what was wrong.

    A flaw is `repaired: REASON` or, when the second reply was no better, `unreadable: REASON`.
    """

    value: Value | None
    flaws: tuple[str, ...] = ()


async def understood(llm: ChatModel, request: ChatRequest, read: Callable[[Reply], Value]) -> Understood[Value]:
    """Return what `read` makes of the reply to a request.

    `read` raises Misunderstood for a reply that is not as asked; then the model is asked once more, shown its reply and
    the reason. A reply that was cut off counts as misunderstood, too. Any other ChatFailed is raised.
    """
    attempt, first = request, ""
    unknown: ChatFailed | None = None
    for _ in range(2):
        shown: tuple[Message, ...] = ()
        try:
            reply = await llm.chat(attempt)
            value = read(reply)
        except Misunderstood as error:
            fault = str(error)
            shown = (Message("assistant", words_of(reply)),)
        except ChatFailed as failure:
            if failure.reason == "not_cached" and not first:
                # Replies that were cut off are in no cache; if this one was, the one to the repair is.
                unknown = failure
            elif failure.reason != "truncated":
                raise unknown or failure from None
            fault = CUT_OFF
        else:
            return Understood(value, (f"{REPAIRED}: {first}",) if first else ())
        first = first or fault
        again = Message("user", f"That reply cannot be used: {fault} Answer again, in the form that was asked for.")
        attempt = replace(request, messages=(*request.messages, *shown, again))
    return Understood(None, (f"{UNREADABLE}: {fault}",))


def words_of(reply: Reply) -> str:
    """Return a reply as text, its tool calls written out."""
    calls = "\n".join(f"{call.name}({call.raw})" for call in reply.tool_calls)
    return "\n".join(part for part in (reply.text, calls) if part) or "(nothing)"
