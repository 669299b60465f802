"""neardup.jieba cuts as the package jieba 0.42.1 does: every mode, on real and odd texts; its types, errors and module functions."""

import inspect
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jieba_oracle import ODD_TEXTS, golden_records, jieba, real_texts

import neardup
import neardup.jieba as ours


@pytest.fixture(scope="module", name="texts")
def fixture_texts():
    return ODD_TEXTS + real_texts()


def cut_in_every_mode(module, text):
    return {
        "cut": list(module.cut(text)),
        "no hmm": list(module.cut(text, HMM=False)),
        "all": list(module.cut(text, cut_all=True)),
        "all, positional": module.lcut(text, True, False),
        "lcut": module.lcut(text),
        "search": list(module.cut_for_search(text)),
        "search, no hmm": module.lcut_for_search(text, HMM=False),
        "tokenize": list(module.tokenize(text)),
        "tokenize, search": list(module.tokenize(text, mode="search", HMM=False)),
        "tokenize, any mode": list(module.tokenize(text, "x")),
    }


def test_every_mode_on_real_texts(texts):
    for text in texts:
        assert cut_in_every_mode(ours, text) == cut_in_every_mode(jieba, text), text


def test_golden_texts():
    records = golden_records("jieba-golden.jsonl")
    assert len(records) == 423
    for record in records:
        text = record["text"]
        assert ours.lcut(text) == record["cut"]
        assert ours.lcut(text, HMM=False) == record["cut_nohmm"]
        assert ours.lcut(text, cut_all=True) == record["cut_all"]
        assert ours.lcut_for_search(text) == record["search"]
        assert ours.lcut_for_search(text, HMM=False) == record["search_nohmm"]


alphabet = st.sampled_from("的一是中国人民北京大学生活在研究所abcXYZ0189.+#&_%- \r\n\t。，！？〇々é😀\ud800\udfff\x00\u3000")


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(alphabet, max_size=60), st.text(max_size=60)))
def test_every_mode_on_any_text(text):
    assert cut_in_every_mode(ours, text) == cut_in_every_mode(jieba, text)


def test_bytes_are_utf8_or_gbk(texts):
    for text in texts[len(ODD_TEXTS) :][::20] + ["中国人民", "", "abc"]:
        for data in (text.encode(), text.encode("gbk", "ignore"), bytearray(text.encode()), b"\xff" + text.encode()):
            assert ours.lcut(data) == jieba.lcut(data)
            assert list(ours.cut_for_search(data)) == list(jieba.cut_for_search(data))
        assert ours.cut_many([text.encode("gbk", "ignore")]) == [jieba.lcut(text.encode("gbk", "ignore"))]


def test_subclass_of_str():
    class Text(str):
        pass

    assert ours.lcut(Text("我来到北京清华大学")) == jieba.lcut(Text("我来到北京清华大学"))
    assert all(type(word) is str for word in ours.lcut(Text("我来到北京清华大学")))


def test_generators_where_jieba_has_generators():
    for name in ("cut", "cut_for_search", "tokenize"):
        for module in (ours, jieba):
            assert inspect.isgenerator(getattr(module, name)("北京")), name
    for name in ("lcut", "lcut_for_search"):
        assert type(getattr(ours, name)("北京")) is list
    lazy = ours.cut(None)  # an error comes with the first word
    with pytest.raises(AttributeError):
        next(lazy)


@pytest.mark.parametrize("value", [None, 1, 1.5, float("nan"), ["中国"], ("a",), {}, object(), memoryview(b"abc"), str, True])
@pytest.mark.parametrize("call", ["lcut", "lcut_for_search", "posseg", "extract_tags", "add_word", "suggest_freq"])
def test_other_types_are_the_errors_of_jieba(call, value):
    def run(module, package):
        if call == "posseg":
            return sys.modules[f"{package}.posseg"].lcut(value)
        if call == "extract_tags":
            return sys.modules[f"{package}.analyse"].extract_tags(value)
        return getattr(module, call)(value)

    import neardup.jieba.analyse
    import neardup.jieba.posseg  # noqa: F401

    try:
        expected = run(jieba, "jieba")
    except Exception as error:  # pylint: disable=broad-exception-caught
        kind = type(error)
    else:
        assert call == "suggest_freq", "only an iterable of words is good for one of these"
        assert run(ours, "neardup.jieba") == expected
        return
    with pytest.raises(kind) as raised:
        run(ours, "neardup.jieba")
    if call != "suggest_freq":
        assert isinstance(raised.value, TypeError) and isinstance(raised.value, neardup.UsageError)
        assert type(value).__name__ in str(raised.value)


def test_tokenize_refuses_bytes_as_jieba_does():
    for module in (ours, jieba):
        with pytest.raises(ValueError):
            list(module.tokenize(b"abc"))
    with pytest.raises(TypeError, match="must be str, not bytes"):
        next(ours.tokenize(b"abc"))


def test_arguments_are_taken_by_their_truth():
    assert ours.lcut("我来到北京", cut_all=1) == jieba.lcut("我来到北京", cut_all=1)
    assert ours.lcut("杭研大厦", HMM=None) == jieba.lcut("杭研大厦", HMM=None)
    assert ours.lcut("杭研大厦", use_paddle=True) == jieba.lcut("杭研大厦", use_paddle=True)
    for wrong in ({"hmm": True}, {"mode": "x"}):
        for module in (ours, jieba):
            with pytest.raises(TypeError):
                module.lcut("北京", **wrong)


def test_cut_many_is_lcut_of_each(texts):
    for threads in (1, 2, 3, None):
        assert ours.cut_many(texts, threads=threads) == [jieba.lcut(text) for text in texts]
    assert ours.cut_many(iter(texts), cut_all=True) == [jieba.lcut(text, cut_all=True) for text in texts]
    assert ours.cut_many(tuple(texts), HMM=False) == [jieba.lcut(text, HMM=False) for text in texts]
    assert ours.cut_many((text for text in texts), for_search=True) == [jieba.lcut_for_search(text) for text in texts]
    assert ours.cut_many([]) == []


def test_cut_many_of_long_texts_in_many_chunks(texts):
    long = ["".join(texts[len(ODD_TEXTS) :]), "", "中" * 300_000, " " * 100_000] * 3
    assert ours.cut_many(long) == [ours.lcut(text) for text in long]
    assert ours.lcut(long[0][:40_000]) == jieba.lcut(long[0][:40_000])


@pytest.mark.parametrize("wrong", ["中国", b"abc", None, 5, [None], ["a", 5], [["a"]]])
def test_cut_many_refuses_what_is_no_list_of_texts(wrong):
    with pytest.raises(TypeError):
        ours.cut_many(wrong)


def test_cut_many_names_the_item_and_passes_on_errors():
    with pytest.raises(TypeError, match=r"texts\[30000\] must be str or bytes, not NoneType"):
        ours.cut_many(["中国人民"] * 30_000 + [None])

    def broken():
        yield from ["中国人民"] * 30_000
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ours.cut_many(broken())
    with pytest.raises(neardup.UsageError, match="threads must be"):
        ours.cut_many(["a"], threads=0)
    assert ours.cut_many(["中国人民"]) == [["中国", "人民"]]


def test_frequencies():
    jieba.initialize()  # before that, the original knows no frequency
    for word in ("北京", "北京大", "没有这个词", "", "\ud800", "的", "C++"):
        assert ours.get_FREQ(word) == jieba.get_FREQ(word)
        assert ours.get_FREQ(word, -1) == jieba.get_FREQ(word, -1)
        assert (word in ours.dt.FREQ) == (word in jieba.dt.FREQ)
        assert ours.dt.FREQ.get(word, 7) == jieba.dt.FREQ.get(word, 7)
    assert ours.dt.FREQ["北京"] == jieba.dt.FREQ["北京"]
    with pytest.raises(KeyError):
        ours.dt.FREQ["没有这个词"]
    assert ours.dt.FREQ.get(5) is None
    assert ours.dt.total == jieba.dt.total


def test_parallel_mode_cuts_lines():
    text = "我来到北京\r\n清华大学\n\n 他来到了\x0b网易\u2028杭研大厦"
    try:
        ours.enable_parallel(2)
        found = [
            list(ours.cut(text)),
            list(ours.cut(text, cut_all=True)),
            list(ours.cut(text.encode(), HMM=False)),
            list(ours.cut_for_search(text)),
        ]
    finally:
        ours.disable_parallel()
    try:
        jieba.enable_parallel(2)
        expected = [
            list(jieba.cut(text)),
            list(jieba.cut(text, cut_all=True)),
            list(jieba.cut(text.encode(), HMM=False)),
            list(jieba.cut_for_search(text)),
        ]
    finally:
        jieba.disable_parallel()
    assert found == expected
    assert ours.cut == ours.dt.cut


def test_names_that_programs_use():
    for name in (
        "Tokenizer",
        "dt",
        "cut",
        "lcut",
        "cut_for_search",
        "lcut_for_search",
        "tokenize",
        "add_word",
        "del_word",
        "suggest_freq",
        "load_userdict",
        "initialize",
        "set_dictionary",
        "get_FREQ",
        "setLogLevel",
        "enable_parallel",
        "disable_parallel",
        "user_word_tag_tab",
        "enable_paddle",
    ):
        assert hasattr(jieba, name) or name == "enable_paddle"
        assert hasattr(ours, name), name
    ours.setLogLevel(20)
    with pytest.raises(NotImplementedError):
        ours.enable_paddle()
