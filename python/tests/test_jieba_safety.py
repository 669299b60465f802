"""No object passed to neardup.jieba, neardup.compat.simhash or the native parts below them ends the process; Ctrl-C ends long calls."""

import datetime
import decimal
import gc
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import neardup._core as core
import neardup.jieba as jieba
import neardup.jieba.analyse
import neardup.jieba.posseg
from neardup.compat.simhash import Simhash, SimhashIndex, simhash_many

SEGMENTER = jieba.Tokenizer()._started()


class Hostile:
    """Fails, or gives nonsense, wherever it is asked."""

    def __len__(self):
        return 2**62

    def __getitem__(self, item):
        raise ZeroDivisionError

    def __iter__(self):
        yield self
        raise ZeroDivisionError

    def __bool__(self):
        raise ZeroDivisionError

    def __index__(self):
        return -1

    def __str__(self):
        raise ZeroDivisionError

    def decode(self, *arguments):
        """Not a str."""
        return self


class NoText:
    """Decodes to bytes."""

    def decode(self, *arguments):
        """Not a str."""
        return b"bytes"


atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.binary(max_size=20),
    st.sampled_from(
        [
            Hostile(),
            NoText(),
            object(),
            str,
            len,
            Ellipsis,
            np.array(["a"]),
            np.float32(1),
            np.str_("中国"),
            np.bytes_(b"abc"),
            decimal.Decimal(1),
            datetime.date(2024, 1, 1),
            memoryview(b"abc"),
            bytearray(b"\xff\x00"),
            range(3),
            "\ud800",
            "a" * 300,
            2**64,
            -1,
            2**53,
            core.CutMode.ALL,
        ]
    ),
)
objects = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(st.text(max_size=3), inner, max_size=3),
        st.lists(inner, max_size=3).map(iter),
    ),
    max_leaves=8,
)

CALLS = [
    SEGMENTER.cut,
    SEGMENTER.cut_many,
    SEGMENTER.tokenize,
    SEGMENTER.posseg,
    SEGMENTER.suggest_word,
    SEGMENTER.suggest_pieces,
    SEGMENTER.frequency,
    core.Segmenter,
    core.Segmenter.with_words,
    core.Keywords().extract_tags,
    core.Keywords().set_stop_words,
    core.Keywords().set_idf_path,
    core.Keywords().idf,
    core.simhash_text,
    core.simhash_texts,
    core.simhash_features,
    jieba.lcut,
    jieba.cut_many,
    lambda *a: list(jieba.cut(*a)),
    lambda *a: list(jieba.tokenize(*a)),
    lambda *a: list(jieba.cut_for_search(*a)),
    jieba.Tokenizer().suggest_freq,  # it may add words
    jieba.get_FREQ,
    neardup.jieba.posseg.lcut,
    neardup.jieba.posseg.POSTokenizer,
    neardup.jieba.analyse.extract_tags,
    neardup.jieba.analyse.textrank,
    Simhash,
    simhash_many,
    SimhashIndex,
]


@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(CALLS), st.lists(objects, max_size=4))
def test_any_arguments(call, arguments):
    try:
        call(*arguments)
    except (Exception, RecursionError):  # pylint: disable=broad-exception-caught
        pass


@settings(max_examples=200, deadline=None)
@given(st.lists(objects, max_size=3))
def test_any_change_of_words(arguments):
    tokenizer = jieba.Tokenizer()
    for call in (tokenizer.add_word, tokenizer.del_word, tokenizer.load_userdict, tokenizer._started().add_word):
        try:
            call(*arguments)
        except Exception:  # pylint: disable=broad-exception-caught
            pass
    assert "".join(tokenizer.lcut("北京大学生活")) == "北京大学生活"


def test_native_objects_that_were_not_initialized():
    for kind in (core.Segmenter, core.Keywords):
        empty = kind.__new__(kind)
        for call in (
            lambda: empty.cut("北京", core.CutMode.DEFAULT, True),
            lambda: empty.idf(SEGMENTER, ["北京"]),
            lambda: core.Keywords().idf(empty, ["北京"]),
        ):
            with pytest.raises((TypeError, AttributeError)):
                call()


def test_garbage_collector_sees_the_lists_of_cut_many():
    lists = jieba.cut_many(["中国人民"] * 3)
    assert gc.is_tracked(lists) and all(gc.is_tracked(words) for words in lists)
    lists[0].append(lists)
    marks = [object()]
    lists[1].append(marks)
    assert gc.get_referrers(marks)


def test_a_failing_iterator_leaves_no_lists_behind():
    def texts():
        for _ in range(3000):
            yield "中国人民" * 10
        raise ZeroDivisionError

    def lists():
        gc.collect()
        return sum(isinstance(each, list) for each in gc.get_objects())

    jieba.cut_many(["中国人民"])
    before = lists()
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            jieba.cut_many(texts())
    assert lists() < before + 100


@pytest.mark.parametrize("call", ["jieba.cut_many(texts())", "simhash_many(texts())"])
def test_ctrl_c_ends_a_long_call_within_a_second(call):
    code = textwrap.dedent(f"""
        import itertools
        import neardup.jieba as jieba
        from neardup.compat.simhash import simhash_many
        def texts():
            text = "中国人民在北京大学生活" * 300
            yield from itertools.repeat(text, 1000)
            print("running", flush=True)
            yield from itertools.repeat(text, 10**6)
        {call}
    """)
    # A shell may have told its children to ignore the signal.
    with subprocess.Popen(
        [sys.executable, "-c", "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n" + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    ) as process:
        assert process.stdout.readline() == "running\n"
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        took = time.monotonic() - began
    assert "KeyboardInterrupt" in errors
    assert process.returncode != 0
    assert took < 3, "a second, and the end of an interpreter on a busy machine"
