import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.llm.lying_server import Answer, Behaviour, Server, completion, good

ASKER = textwrap.dedent("""
    import asyncio, signal, sys
    from memlab.llm import cached
    from tests.llm.lying_server import ask, chat

    url, folder, lease, *questions = sys.argv[1:]
    cached.LEASE_SECONDS = float(lease)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell has its children ignore it

    model = cached.CachedChat(chat(url), folder, "use")

    async def main():
        replies = await asyncio.gather(*(model.chat(ask(question)) for question in questions))
        assert [reply.text for reply in replies] == [f"about {question}" for question in questions]
        print(sum(reply.requests for reply in replies if not reply.replayed))

    asyncio.run(main())
""")


def start(server: Server, folder: Path, *questions: str, lease: float = 30.0) -> "subprocess.Popen[str]":
    arguments = [sys.executable, "-W", "error", "-c", ASKER, server.url, str(folder), str(lease), *questions]
    return subprocess.Popen(
        arguments, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def about(delay: float) -> Behaviour:
    """Answer each question so that its reply can be told from the others, after a while."""

    def behave(body: dict[str, Any]) -> Answer:
        return good(f"about {body['messages'][-1]['content']}", delay=delay)

    return behave


def paid(process: "subprocess.Popen[str]") -> int:
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    return int(output)


def asked(server: Server) -> list[str]:
    return [request["messages"][-1]["content"] for request in server.requests]


def test_processes_on_one_file_never_pay_twice_for_one_request(server: Server, tmp_path: Path) -> None:
    server.behave = about(0.2)
    questions = [f"question {number}" for number in range(40)]
    processes = [start(server, tmp_path, *order) for order in (questions, questions[::-1], questions[10:])]
    payments = [paid(process) for process in processes]
    assert sorted(asked(server)) == sorted(questions)
    assert sum(payments) == len(questions)


def test_a_killed_process_holds_the_others_up_no_longer_than_its_lease(server: Server, tmp_path: Path) -> None:
    server.behave = about(60)
    killed = start(server, tmp_path, "one", lease=2.0)
    while not server.requests:
        sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    server.behave = about(0)
    began = monotonic()
    assert paid(start(server, tmp_path, "one", "two", lease=2.0)) == 2
    assert monotonic() - began < 30
    assert asked(server) == ["one", "two", "one"] or asked(server) == ["one", "one", "two"]


def test_a_killed_process_leaves_what_it_had_paid_for(server: Server, tmp_path: Path) -> None:
    first = about(0)

    def behave(body: dict[str, Any]) -> Answer:
        hangs = body["messages"][-1]["content"] == "hangs"
        return Answer(completion({"content": "never"}), delay=60) if hangs else first(body)

    server.behave = behave
    killed = start(server, tmp_path, "one", "two", "hangs")
    while len(server.requests) < 3:
        sleep(0.01)
    sleep(0.5)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    server.behave = first
    assert paid(start(server, tmp_path, "one", "two")) == 0
    assert sorted(asked(server)) == ["hangs", "one", "two"]


def test_an_interrupted_process_ends_its_leases(server: Server, tmp_path: Path) -> None:
    server.behave = about(60)
    stopped = start(server, tmp_path, "one")
    while not server.requests:
        sleep(0.01)
    stopped.send_signal(signal.SIGINT)
    stopped.communicate(timeout=20)
    server.behave = about(0)
    began = monotonic()
    assert paid(start(server, tmp_path, "one")) == 1
    assert monotonic() - began < 20
