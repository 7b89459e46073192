"""What went wrong, in words that name the value and the remedy."""

import re
from collections.abc import Iterator

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException, MissingConfigException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from memlab.conf_files import conf_folder, groups, options
from memlab.datasets.dataset import DatasetError
from memlab.llm.budget import BudgetSpent
from memlab.llm.chat import ChatMisconfigured
from memlab.llm.reply_file import ChatCacheError
from memlab.part import PartFailed
from memlab.records import RecordError
from memlab.report.rows import flat
from memlab.score.prediction_files import PredictionFileError
from memlab.settings import ConfigError
from memlab.spelling import did_you_mean

KEY = re.compile(r"(?:Could not override|Key|Error merging override) '?([\w.@/]+)'?")

MOST_TOLD = 3
"""Errors told of those that came at once, which mostly have one reason, in slightly different words."""
NO_OPTION = "Config group override must be"
"""How Hydra begins to say, as a ValueError, that a group was given null or a number."""


def explained(error: BaseException, arguments: list[str]) -> str | None:
    """Return an error as words for the user, or None when it is a defect that wants its traceback."""
    if isinstance(error, BaseExceptionGroup):
        found = list(leaves(error))
        firsts = {type(one): one for one in reversed(found)}
        words = list(dict.fromkeys(explained(one, arguments) for one in (*firsts.values(), *found)))
        return None if None in words else together([one for one in words if one])
    if isinstance(error, ConfigError):
        return f"this cannot run:\n{error}"
    if isinstance(error, MissingConfigException) and error.missing_cfg_file:
        group, _, option = str(error.missing_cfg_file).rpartition("/")
        known = [name for name in error.options or [] if "/" not in name]
        return f"no option '{option}' in {group}{did_you_mean(option, known)} (options: {', '.join(known)})"
    if isinstance(error, HydraException | OmegaConfBaseException):
        return f"{str(error).strip()}{key_hint(str(error), arguments)}"
    if isinstance(error, ValueError) and str(error).startswith(NO_OPTION):
        return no_option(arguments)
    if isinstance(error, PartFailed | BudgetSpent):
        return f"stopped: {error}\n{what_next(arguments)}"
    if isinstance(error, DatasetError | RecordError | PredictionFileError | ChatMisconfigured | ChatCacheError):
        return str(error)
    return None


def what_next(arguments: list[str]) -> str:
    """Return what a command that was stopped leaves, and what the same one does."""
    if arguments[:1] == ["train"]:
        return "no model was kept, and the same command starts again"
    return "what was done is kept, and the same command goes on from here"


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors of a group, and of the groups in it."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def together(words: list[str]) -> str:
    """Return what is said of the first of several errors, each line once and where it comes last."""
    left = len(words) - MOST_TOLD
    lines = [line for one in words[:MOST_TOLD] for line in one.splitlines()]
    if left > 0:
        lines += [f"... and {left} more", *words[0].splitlines()[1:]]
    # What several errors end with is said after all of them.
    return "\n".join(reversed(dict.fromkeys(reversed(lines))))


def no_option(arguments: list[str]) -> str:
    """Return which arguments give a group something that is no name, and the names there are."""
    given = [word.partition("=") for word in arguments]
    return "\n".join(
        f"{group}={value} names no option of {group} (options: {', '.join(options(group))})"
        for group, _, value in given
        if group in groups() and value not in options(group)
    )


def key_hint(message: str, arguments: list[str]) -> str:
    """Return the known key that is closest to the one a message complains of."""
    if not (found := KEY.search(message)):
        return ""
    wrong = found[1]
    return did_you_mean(wrong, [*known_keys(wrong, arguments), *groups()])


def known_keys(wrong: str, arguments: list[str]) -> list[str]:
    """Return all keys of the config that the arguments without the wrong one make."""
    GlobalHydra.instance().clear()
    chosen = [
        word
        for word in arguments
        if "=" in word and word.split("=")[0].lstrip("+~") in groups() and not word.startswith(wrong)
    ]
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        try:
            config = compose("config", chosen)
        except (HydraException, OmegaConfBaseException):
            config = compose("config")
    return [key for key in flat(OmegaConf.to_container(config)) if not key.endswith("_target_")]
