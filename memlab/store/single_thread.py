"""Calls of faiss on one thread."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def single_threaded() -> Iterator[None]:
    """Run faiss on this thread alone, and leave its setting, which belongs to the calling thread, as it was.

    On a busy machine several OpenMP threads wait for each other far longer than one thread takes.
    """
    import faiss

    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(threads)
