"""What was said in the conversations of some runs, and what is asked of them: read from the dataset again."""

from collections.abc import Sequence

from memlab.config import build_node
from memlab.datasets.dataset import Dataset
from memlab.dialogue import Conversation
from memlab.report.rows import Run


def conversations_of(runs: Sequence[Run]) -> tuple[dict[str, Conversation], str]:
    """Return the conversations of the runs' dataset by id; where it cannot be read as it was, none and the reason."""
    manifests = {manifest["dataset"]["sha256"]: manifest for manifest, _ in runs}
    if len(manifests) != 1:
        return {}, "These runs are on different data: turns are shown by their ids."
    [(sha256, manifest)] = manifests.items()
    try:
        dataset = build_node(manifest["config"]["dataset"], {}, wrap=lambda part: part)
        assert isinstance(dataset, Dataset)
        corpus = dataset.read()
    except Exception as error:
        # Anyone's dataset may raise anything, and no old file must keep a report from being made.
        return {}, f"The dataset cannot be read here, so turns are shown by their ids: {error or type(error).__name__}"
    if corpus.sha256 != sha256:
        return {}, "The dataset has changed since these runs: turns are shown by their ids."
    return {one.id: one for one in corpus.conversations}, ""
