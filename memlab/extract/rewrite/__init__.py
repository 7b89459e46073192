"""The local extractor: English messages as statements in the third person, by rule."""

from memlab.extract.rewrite.rewrite import Rewrite

__all__ = ["Rewrite"]
