"""What a probe asks, and whether a reply is what was asked for."""

from itertools import count

from memlab.llm.chat import ChatRequest, Message, Reply, Tool
from memlab.llm.json_text import found_json
from memlab.tokens import count_tokens


def note_tool(name: str, description: str, argument: str, kind: str) -> Tool:
    """Return a tool of one argument."""
    properties = {argument: {"type": kind, "description": f"the {argument} of the note"}}
    schema = {"type": "object", "properties": properties, "required": [argument], "additionalProperties": False}
    return Tool(name, description, schema)


KEEP = note_tool("keep_note", "Keep a new note.", "text", "string")
DROP = note_tool("drop_note", "Drop a note that is no longer true.", "number", "integer")
JOURNEY = {
    "title": "journey",
    "type": "object",
    "properties": {"left_from": {"type": "string"}, "by_plane": {"type": "boolean"}},
    "required": ["left_from", "by_plane"],
    "additionalProperties": False,
}

HELLO = ChatRequest((Message("user", "What is the capital of France? Answer in one word."),))
STORY = ChatRequest((Message("user", "Tell a story about a lighthouse keeper and her boat."),))
ONE_CALL = ChatRequest(
    (
        Message("system", "You look after notes. Act only by calling the tools."),
        Message("user", "Keep this note: Maria has a cat."),
    ),
    tools=(KEEP, DROP),
)
TWO_CALLS = ChatRequest(
    (
        Message("system", "You look after notes. Act only by calling the tools, once for each note, all at once."),
        Message("user", "Keep these two notes, each by a call of its own: Maria has a cat. Tom plays chess."),
    ),
    tools=(KEEP, DROP),
)
BY_SCHEMA = ChatRequest(
    # The properties are not named: a model finds them only where the server holds it to the schema.
    (Message("user", "Maria flew from Oslo to Rome. Describe her journey in JSON."),),
    schema=JOURNEY,
)
BY_WORDS = ChatRequest(
    (
        Message(
            "user",
            "Maria flew from Oslo to Rome. Describe her journey as a JSON object with two properties: left_from, "
            "the city that she left; by_plane, true or false. Write the JSON object and nothing else.",
        ),
    )
)

NEEDLE = "Marigold"
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PLACES = ("harbour", "market", "old bridge", "lighthouse", "bakery", "school yard", "north beach", "post office")
STATES = ("quiet", "crowded", "wet with rain", "closed for repairs", "full of gulls")


def long_request(about_tokens: int, salt: str) -> ChatRequest:
    """Return a prompt of about so many tokens, whose beginning, after the salt, holds what its last line asks for."""
    lines = [f"Log {salt}.", f"The boat of the lighthouse keeper is called {NEEDLE}."]
    question = "What is the boat of the lighthouse keeper called? Answer with its name only."
    left = about_tokens - sum(map(count_tokens, (*lines, question)))
    for day in count():
        line = f"On {DAYS[day % 7]} the {PLACES[day % 8]} was {STATES[day % 5]}."
        left -= count_tokens(line)
        if left < 0:
            break
        lines.append(line)
    return ChatRequest((Message("user", "\n".join([*lines, question])),))


def call_fault(reply: Reply) -> str | None:
    """Return why a reply is no proper call of a tool, or None when it is one."""
    names = (KEEP.name, DROP.name)
    if not reply.tool_calls:
        return f"{'the call is in the text' if has_call(reply.text) else 'ignored'}: {quoted(reply)}"
    call = reply.tool_calls[0]
    if call.name not in names:
        return f"a tool that was not offered is called: {call.name}({call.raw})"
    argument, kind = ("text", str) if call.name == KEEP.name else ("number", int)
    if call.arguments is None or type(call.arguments.get(argument)) is not kind:
        return f"called with other arguments than asked for: {call.name}({call.raw})"
    return None


def has_call(text: str) -> bool:
    """Return whether a text has a call of one of the tools in it, written as JSON."""
    try:
        found_json(text)
    except ValueError:
        return False
    return KEEP.name in text or DROP.name in text


def is_journey(reply: Reply) -> bool:
    """Return whether a reply is a JSON object of the shape of JOURNEY, be it amid other words."""
    try:
        value = found_json(reply.text)
    except ValueError:
        return False
    if not isinstance(value, dict) or value.keys() != {"left_from", "by_plane"}:
        return False
    return isinstance(value["left_from"], str) and isinstance(value["by_plane"], bool)


def quoted(reply: Reply) -> str:
    """Return the beginning of a reply's text, and whether it was cut off."""
    text = " ".join(reply.text.split())
    cut = f", cut off after {reply.usage.completion_tokens} tokens" if reply.finish == "length" else ""
    return f"'{text[:80]}{'...' if text[80:] else ''}'{cut}"
