"""`python -m memlab [verb] ...`: no verb runs (Hydra); the other verbs read what is there."""

import os
import sys
from collections.abc import Callable
from importlib import import_module

from memlab.conf_files import first_comment, groups, options

VERBS = {
    "report": "finished runs: tables (terminal, Markdown, CSV, LaTeX), figures, and a page to look through",
    "rejudge": "the saved answers of a run, judged again by another judge, rubric or model",
    "score": "F1, BLEU-1 and J per category of a published predictions file",
    "audit": "published numbers: which category is which, what is impossible, missing, broken or above the ceiling",
    "data": "download a dataset, with its hash checked; show the synthetic one",
    "operations": "the decisions of updaters on labelled pairs: SICK, HaluMem, your own",
    "doctor": "what can run here and the remedy for what cannot; with llm=..., what that server can do",
    "train": "the model of updater=classifier, frozen_head or judge=local, from labelled data, with its card",
    "graph": "the graph that a run holds: an HTML page to look at, and GraphML",
    "compare": "runs and published predictions, paired: differences, intervals, tests, questions furthest apart",
}

USAGE = """\
python -m memlab [key=value ...]            run the pipeline on the embedded default, or as the keys say
python -m memlab experiment=NAME            run a study: several jobs, compared at the end
python -m memlab -m key=a,b,c ...           sweep any key
python -m memlab VERB --help                one of the verbs below
"""

INTERRUPTED = 130


def main() -> None:
    """Run the command line; exit with 2 on what the user can mend, told without a traceback."""
    arguments = sys.argv[1:]
    first = arguments[0] if arguments else ""
    if first not in VERBS and {"-h", "--help"} & set(arguments):
        print(help_text())
    elif first in VERBS:
        sys.exit(guarded(lambda: import_module(f"memlab.commands.{first}").main(arguments[1:])))
    elif first.isidentifier():
        sys.exit(f"no verb '{first}' (verbs: {', '.join(VERBS)}); settings are given as key=value")
    else:
        sys.exit(run(arguments))


def help_text() -> str:
    """Return the usage, the verbs, and every option of every config group."""
    lines = [USAGE, "Verbs", *(f"  {verb:<12} {what}" for verb, what in VERBS.items())]
    for group in groups():
        lines += ["", f"{group}="]
        lines += [f"  {option:<18} {first_comment(group, option)}" for option in options(group)]
    keys = (
        "m, s, max_tokens, perspective, timestamps, cache, seed, repeats, concurrency, look_ahead, on_failed_window, "
        "stop_after_empty, preview, budget.usd, budget.tokens, budget.calls, runs; and those of a part, as in "
        "extractor.size=512"
    )
    return "\n".join(
        [
            *lines,
            "",
            f"Other keys: {keys}.",
            "`python -m memlab --cfg job` prints the whole config; `--hydra-help` Hydra's own flags.",
        ]
    )


def run(arguments: list[str]) -> int:
    """Run one job or a sweep by Hydra; return the exit code."""
    from memlab.commands.run import hydra_main

    # argparse takes overrides in one run only, so a flag among them would cut it.
    sys.argv[1:] = sorted(arguments, key=lambda word: word not in ("-m", "--multirun"))
    # Hydra then hands errors on to us instead of printing them its own way.
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")
    return guarded(hydra_main)


def guarded(command: Callable[[], object]) -> int:
    """Call a command; print errors that the user can mend, and return the exit code, its own if it has one."""
    from memlab.explain import explained, what_next

    try:
        result = command()
    except KeyboardInterrupt:
        print(f"\nstopped; {what_next(sys.argv[1:])}", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        if (words := explained(error, sys.argv[1:])) is None:
            raise
        print(words, file=sys.stderr)
        return 2
    return result if isinstance(result, int) else 0


if __name__ == "__main__":
    main()
