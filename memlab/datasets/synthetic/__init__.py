"""Generated conversations of any size, with what each message states and what that should do to a memory."""

from memlab.datasets.synthetic.dataset import Synthetic

__all__ = ["Synthetic"]
