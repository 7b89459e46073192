"""The embedded dataset: a timeline of events, put into words, with questions about it."""

from memlab.datasets.mini.dataset import Mini

__all__ = ["Mini"]
