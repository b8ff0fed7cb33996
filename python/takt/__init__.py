"""takt computes the exact throughput of replicated pipelines on unequal processors."""

from takt._core import __version__

__all__ = ["__version__"]
