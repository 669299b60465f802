"""Ctrl-C ends a long call within a second, with KeyboardInterrupt, and the process lives on."""

import functools
import os
import signal
import threading
import time

import neardup
import numpy as np
import pytest

TEXT = " ".join(f"word{number}" for number in range(2000))


def sketch(_):
    neardup.Sketcher("words-5").sketch([TEXT] * 400_000)


def add_texts(folder):
    neardup.ClueIndex.build(folder / "index", [TEXT] * 200_000)


def query(_):
    codes = np.random.default_rng(1).integers(0, 2**64, 3_000_000, dtype=np.uint64)
    neardup.HammingIndex(codes, max_distance=20).query_all(codes)


def join(_):
    codes = np.random.default_rng(1).integers(0, 2**64, 1_000_000, dtype=np.uint64)
    neardup.HammingIndex(codes, max_distance=14).self_join()


@functools.cache
def long_texts():
    """Two texts of 27 MB that differ in one word of a hundred."""
    words = np.random.default_rng(1).integers(0, 1_000_000, 4_000_000).astype(str)
    edited = words.copy()
    edited[::100] = "edited"
    return " ".join(words), " ".join(edited)


def compare(_):
    neardup.compare(*long_texts())


def align(_):
    neardup.align(*long_texts())


@pytest.fixture(autouse=True)
def python_handles_ctrl_c():
    """Shells let what they start in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("work", [sketch, add_texts, query, join, compare, align], ids=lambda work: work.__name__)
def test_ctrl_c(work, tmp_path):
    if work in (compare, align):
        long_texts()
    sent = []

    def interrupt():
        time.sleep(1.0)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    worker = threading.Thread(target=interrupt)
    worker.start()
    with pytest.raises(KeyboardInterrupt):
        work(tmp_path)
    ended = time.monotonic()
    worker.join()
    assert ended - sent[0] < 1
    assert len(neardup.Sketcher().sketch(["still alive"])) == 1
