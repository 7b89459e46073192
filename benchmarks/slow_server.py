"""A chat server on loopback that takes a fixed time for any reply, for so many requests at once; run by concurrency.py.

python benchmarks/slow_server.py SECONDS AT_ONCE     prints its port, then serves until its input ends
"""

import asyncio
import hashlib
import json
import sys
from typing import Any

WORDS = ("Oslo", "chess", "a red bike", "her sister", "two dogs", "the school", "in May", "piano", "tea", "a marathon")


def reply(body: dict[str, Any]) -> dict[str, Any]:
    """Return a message that depends on the request alone: facts, a tool call, a label, or words."""
    messages = body["messages"]
    number = int.from_bytes(hashlib.sha256(json.dumps(messages).encode()).digest()[:6])
    thing, other = WORDS[number % len(WORDS)], WORDS[number // 100 % len(WORDS)]
    if "tools" in body:
        return {"content": "", "tool_calls": [called("add_memory", {})]}
    properties = body.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("properties", {})
    if "facts" in properties:
        last = messages[-1]["content"].rpartition("New messages")[2]
        shown = [n for n in (1, 2) if f"\n{n}. " in last]
        facts = [{"message": n, "text": f"Fact {number % 9973} of message {n}: {thing} and {other}."} for n in shown]
        return {"content": json.dumps({"facts": facts[: 1 + number % 2]})}
    if "label" in properties:
        return {"content": json.dumps({"label": "CORRECT" if number % 3 else "WRONG"})}
    return {"content": f"They talked about {thing} and {other}."}


def called(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"id": "call", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def completion(body: dict[str, Any]) -> bytes:
    usage = {"prompt_tokens": len(json.dumps(body["messages"])) // 4, "completion_tokens": 20, "total_tokens": 0}
    choice = {"index": 0, "message": {"role": "assistant", **reply(body)}, "finish_reason": "stop"}
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": body["model"]}
    return json.dumps({**whole, "choices": [choice], "usage": usage}).encode()


async def serve(seconds: float, at_once: int) -> None:
    places = asyncio.Semaphore(at_once)

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                length = next(
                    int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length")
                )
                body = await reader.readexactly(length)
                async with places:
                    await asyncio.sleep(seconds)
                content = completion(json.loads(body))
                kind = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
                writer.write(kind.encode() + content)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), int(sys.argv[2])))
