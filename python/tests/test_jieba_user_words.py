"""User words of neardup.jieba: changes one after another as in jieba 0.42.1, dictionaries, copies, subclasses, threads."""

import copy
import io
import pickle
import sys
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jieba_oracle import data_texts, golden_records, jieba

import neardup
import neardup.jieba as ours
import neardup.jieba.posseg as our_posseg

TEXTS = [
    "「石墨烯」和凱特琳是新词，他来到了网易杭研大厦",
    "如果放到post中将出错。",
    "「台中」正确应该不会被切开",
    "北京大学生前来应聘，云计算方面的专家",
    "李小福是创新办主任也是云计算方面的专家",
    "C++和easy_install很好用",
    "abc123石墨烯xyz",
    "的的的我们中出了一个叛徒",
]


def results(tokenizer):
    return [
        (
            tokenizer.lcut(text),
            tokenizer.lcut(text, HMM=False),
            tokenizer.lcut(text, cut_all=True),
            tokenizer.lcut_for_search(text),
            list(tokenizer.tokenize(text, mode="search")),
        )
        for text in TEXTS
    ]


@pytest.fixture(name="judge")
def fixture_judge():
    """A new Tokenizer of jieba; its list of deleted words is global there, so it is put back."""
    kept = set(jieba.finalseg.Force_Split_Words)
    yield jieba.Tokenizer()
    jieba.finalseg.Force_Split_Words.clear()
    jieba.finalseg.Force_Split_Words.update(kept)


def apply(tokenizer, change):
    call, *arguments = change
    return getattr(tokenizer, call)(*arguments)


CHANGES = [
    ("add_word", "石墨烯"),
    ("add_word", "凱特琳", 3, "nz"),
    ("add_word", "云计算", "12"),
    ("add_word", "post中", 5.9),
    ("del_word", "自定义词"),
    ("add_word", "easy_install"),
    ("suggest_freq", "台中", True),
    ("suggest_freq", ("中", "将"), True),
    ("suggest_freq", ["今天", "天气"]),
    ("suggest_freq", "杭研大厦"),
    ("del_word", "北京大学"),
    ("add_word", "北京大学"),
    ("add_word", "", 2),
    ("add_word", "abc"),
    ("add_word", "带 空格"),
    ("add_word", "石墨烯".encode()),
    ("add_word", "重".encode("gbk"), 9),
    ("add_word", "😀很"),
    ("del_word", "没有的词"),
    ("add_word", "叛徒", 0),
    ("suggest_freq", ("的", "的"), True),
    ("add_word", "的", 10**9),
]


def test_changes_one_after_another(judge):
    tokenizer = ours.Tokenizer()
    for change in CHANGES:
        assert apply(tokenizer, change) == apply(judge, change), change
        assert tokenizer.total == judge.total, change
        assert results(tokenizer) == results(judge), change
    for word in ("石墨烯", "石墨", "石", "凱特", "北京大学", "没有的词", "带 空格", "带 ", "", "中将", "台中"):
        assert tokenizer.FREQ.get(word) == judge.FREQ.get(word), word


words = st.one_of(
    st.sampled_from(["台中", "中将", "北京大学", "石墨烯", "云计算", "的", "的的", "C++", "b", "来到"]),
    st.text("的一是中国人民abc1.+ ，", min_size=1, max_size=5),
)
changes = st.one_of(
    st.tuples(st.just("add_word"), words, st.one_of(st.none(), st.integers(0, 10**6)), st.sampled_from([None, "n", "nz"])),
    st.tuples(st.just("del_word"), words),
    st.tuples(st.just("suggest_freq"), words, st.booleans()),
    st.tuples(st.just("suggest_freq"), st.lists(words, min_size=1, max_size=3), st.booleans()),
)


@settings(max_examples=15, deadline=None)
@given(st.lists(changes, min_size=1, max_size=6), st.text("的一是中国人民北京大学台将石墨烯来到abc1.+ ，", max_size=30))
def test_any_changes(list_of_changes, text):
    kept, judge = set(jieba.finalseg.Force_Split_Words), jieba.Tokenizer()
    try:
        tokenizer = ours.Tokenizer()
        for change in list_of_changes:
            assert apply(tokenizer, change) == apply(judge, change)
        assert tokenizer.total == judge.total
        for all_words, hmm in ((False, True), (False, False), (True, False)):
            assert tokenizer.lcut(text, all_words, hmm) == judge.lcut(text, all_words, hmm)
        again = pickle.loads(pickle.dumps(tokenizer))
        assert (again.total, again.lcut(text)) == (tokenizer.total, tokenizer.lcut(text))
    finally:
        jieba.finalseg.Force_Split_Words.clear()
        jieba.finalseg.Force_Split_Words.update(kept)


def test_golden_scenarios():
    for scenario in golden_records("jieba-golden-userdict.jsonl"):
        tokenizer = ours.Tokenizer()
        for step in scenario["ops"]:
            call, *arguments = step["op"]
            if call == "load_userdict":
                arguments = [io.BytesIO("".join(arguments[0]).encode())]
            assert getattr(tokenizer, call)(*arguments) == step["returns"], scenario["name"]
            assert tokenizer.total == step["total"], scenario["name"]
        for result in scenario["results"]:
            text = result["text"]
            assert tokenizer.lcut(text) == result["cut"], scenario["name"]
            assert tokenizer.lcut(text, HMM=False) == result["cut_nohmm"], scenario["name"]
            assert tokenizer.lcut(text, cut_all=True) == result["cut_all"], scenario["name"]
            assert tokenizer.lcut_for_search(text) == result["search"], scenario["name"]


USER_LINES = (
    "\ufeff云计算 5\n李小福 2 nr\n创新办 3 i\neasy_install 3 eng\n\n  好用 300\nEdu Trust认证 2000\r\n"
    "八一双鹿 3 nz\n台中\n凱特琳 nz\nnothing 12 X\n"
)


def lines_of(kind, tmp_path):
    path = tmp_path / "user.txt"
    path.write_text(USER_LINES, encoding="utf-8")
    return {
        "path": str(path),
        "bytes": open(path, "rb"),
        "text": open(path, encoding="utf-8-sig"),
        "list": USER_LINES[1:].splitlines(),
        "stream": io.BytesIO(USER_LINES.encode()),
    }[kind]


@pytest.mark.parametrize("kind", ["path", "bytes", "text", "list", "stream"])
def test_load_userdict(kind, tmp_path, judge):
    tokenizer = ours.Tokenizer()
    tokenizer.load_userdict(lines_of(kind, tmp_path))
    judge.load_userdict(lines_of(kind, tmp_path))
    assert results(tokenizer) == results(judge)
    assert tokenizer.total == judge.total
    assert tokenizer.user_word_tag_tab == judge.user_word_tag_tab
    assert tokenizer.lcut("Edu Trust认证好用 nothing 12 X") == judge.lcut("Edu Trust认证好用 nothing 12 X")


def test_load_userdict_of_a_path_object(tmp_path):
    path = tmp_path / "user.txt"
    path.write_text("石墨烯 5 n\n", encoding="utf-8")
    tokenizer = ours.Tokenizer()
    tokenizer.load_userdict(path)
    assert tokenizer.FREQ["石墨烯"] == 5


def test_errors_of_user_dictionaries(tmp_path, judge):
    tokenizer = ours.Tokenizer()
    for each in (tokenizer, judge):
        with pytest.raises(ValueError):
            each.load_userdict(io.BytesIO(b"ok 3\n\xff\xfe\n"))
        assert each.FREQ["ok"] == 3
        with pytest.raises(FileNotFoundError):
            each.load_userdict(str(tmp_path / "none"))
    with pytest.raises(neardup.InputError, match=":2: the line is not UTF-8"):
        tokenizer.load_userdict(io.BytesIO(b"ok 3\n\xff\xfe\n"))
    with pytest.raises(neardup.UsageError, match=":1: .*at most 255 characters"):
        tokenizer.load_userdict(["a" * 300])
    for broken in (None, 5, [5], [None]):
        with pytest.raises((TypeError, AttributeError)):
            tokenizer.load_userdict(broken)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("词", -1), "between 0 and 9007199254740991, not -1"),
        (("词", 2**53), "between 0 and"),
        (("词", 2**70), "between 0 and"),
        (("\ud800",), "surrogates"),
        (("a" * 300,), "at most 255 characters"),
        (("词", "x"), "invalid literal"),
        (("词", 2**53 - 1), "sum to more than"),
        (("词", 1, "\ud800"), "surrogates"),
        (("词", 1, "a\nb"), "line feed"),
    ],
)
def test_bounds_of_words_are_value_errors_and_change_nothing(arguments, message):
    tokenizer = ours.Tokenizer()
    total = tokenizer.total
    with pytest.raises(ValueError, match=message):
        tokenizer.add_word(*arguments)
    assert tokenizer.total == total
    assert pickle.loads(pickle.dumps(tokenizer)).total == total
    assert tokenizer.lcut("北京大学") == ["北京大学"]


# Dictionaries.


def small_dictionary(tmp_path, name="words.txt", text="北京 30 ns\n大学 60 n\n北京大学 2 nt\n学生 70 n\n大 5 a\n北京 31 ns\n新词儿 8 zz\n"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_other_dictionaries(tmp_path):
    path = small_dictionary(tmp_path)
    tokenizer, judge = ours.Tokenizer(path), jieba.Tokenizer(path)
    for text in TEXTS + ["北京大学生活，新词儿"]:
        for hmm in (True, False):
            assert tokenizer.lcut(text, HMM=hmm) == judge.lcut(text, HMM=hmm)
        assert tokenizer.lcut(text, cut_all=True) == judge.lcut(text, cut_all=True)
        assert list(tokenizer.tokenize(text, "search")) == list(judge.tokenize(text, "search"))
        found = our_posseg.POSTokenizer(tokenizer).lcut(text)
        assert [tuple(pair) for pair in found] == [tuple(pair) for pair in jieba.posseg.POSTokenizer(judge).lcut(text)]
    assert tokenizer.total == judge.total
    assert repr(tokenizer) == repr(judge)
    tokenizer.add_word("学生活")
    judge.add_word("学生活")
    assert tokenizer.lcut("北京大学生活") == judge.lcut("北京大学生活")
    assert pickle.loads(pickle.dumps(tokenizer)).lcut("北京大学生活") == judge.lcut("北京大学生活")


def test_set_dictionary_and_initialize(tmp_path):
    path = small_dictionary(tmp_path)
    for module in (ours, jieba):
        tokenizer = module.Tokenizer()
        tokenizer.add_word("石墨烯")
        assert tokenizer.initialized
        tokenizer.set_dictionary(path)
        assert not tokenizer.initialized
        tokenizer.initialize()
        assert tokenizer.initialized and tokenizer.FREQ.get("石墨烯") is None and tokenizer.FREQ["北京"] == 31
        tokenizer.initialize(path)
        assert tokenizer.FREQ["北京"] == 31
        with pytest.raises(Exception, match="none"):
            tokenizer.set_dictionary(str(tmp_path / "none"))
        with pytest.raises(OSError):
            module.Tokenizer(str(tmp_path / "none")).lcut("北京")
        bad = small_dictionary(tmp_path, "bad.txt", "北京\n")
        with pytest.raises(ValueError):
            module.Tokenizer(bad).lcut("北京")


def test_dictionary_of_jieba_itself_gives_the_words_of_the_built_in_one():
    path = jieba.__path__[0] + "/dict.txt"
    read, built_in = ours.Tokenizer(path), ours.Tokenizer()
    assert read.total == built_in.total
    texts = [text[:3000] for text in data_texts("zh-wiki", 1000)]
    assert read.cut_many(texts) == built_in.cut_many(texts)


# Objects.


def test_tokenizers_do_not_share_words():
    one, other = ours.Tokenizer(), ours.Tokenizer()
    one.del_word("北京大学")
    assert one.lcut("北京大学") == ["北京", "大学"]
    assert other.lcut("北京大学") == ours.lcut("北京大学") == ["北京大学"]


@pytest.mark.parametrize(
    "clone", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each)), lambda each: pickle.loads(pickle.dumps(each, 2))]
)
def test_copies_have_the_words_and_go_their_own_way(clone):
    tokenizer = ours.Tokenizer()
    for change in CHANGES:
        apply(tokenizer, change)
    copied = clone(tokenizer)
    assert results(copied) == results(tokenizer)
    assert copied.total == tokenizer.total
    copied.add_word("叛徒们中")
    assert tokenizer.FREQ.get("叛徒们中") is None
    assert clone(copied).FREQ["叛徒们中"] == copied.FREQ["叛徒们中"]
    posseg = clone(our_posseg.POSTokenizer(tokenizer))
    assert posseg.lcut(TEXTS[0]) == our_posseg.POSTokenizer(tokenizer).lcut(TEXTS[0])


class UpperTokenizer(ours.Tokenizer):
    """Overrides what the other functions go through."""

    def __init__(self, extra):
        super().__init__()
        self.extra = extra

    def cut(self, sentence, cut_all=False, HMM=True, use_paddle=False):
        for word in super().cut(sentence, cut_all, HMM):
            yield word + self.extra


class UpperJudge(jieba.Tokenizer):
    """The same over jieba."""

    def __init__(self, extra):
        super().__init__()
        self.extra = extra

    def cut(self, sentence, cut_all=False, HMM=True, use_paddle=False):
        for word in super().cut(sentence, cut_all, HMM):
            yield word + self.extra


def test_subclasses_that_override_cut():
    tokenizer, judge = UpperTokenizer("北京"), UpperJudge("北京")
    for text in TEXTS:
        assert tokenizer.lcut(text) == judge.lcut(text)
        assert tokenizer.lcut_for_search(text) == judge.lcut_for_search(text)
        assert list(tokenizer.cut_for_search(text, HMM=False)) == list(judge.cut_for_search(text, HMM=False))
        assert list(tokenizer.tokenize(text, "search")) == list(judge.tokenize(text, "search"))
        assert list(tokenizer.tokenize(text)) == list(judge.tokenize(text))
    assert pickle.loads(pickle.dumps(tokenizer)).extra == "北京"


def test_a_change_while_other_threads_cut():
    tokenizer = ours.Tokenizer()
    text = "孩子在湖边放风筝" * 500
    before, after = tokenizer.lcut(text), None
    done, wrong = threading.Event(), []

    def cut():
        while not done.is_set():
            for found in (tokenizer.lcut(text), tokenizer.lcut("孩子在湖边放风筝") * 500, tokenizer.cut_many([text])[0]):
                if "".join(found) != text:
                    wrong.append(found)

    threads = [threading.Thread(target=cut) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in range(20):
        tokenizer.add_word(f"第{i}个")
        tokenizer.add_word("在湖边放风筝")
        tokenizer.del_word("在湖边放风筝")
        tokenizer.suggest_freq("风筝", True)
        tokenizer.FREQ.get("风筝")
    tokenizer.add_word("在湖边放风筝", 10**6)
    after = tokenizer.lcut(text)
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert before != after == ["孩子", "在湖边放风筝"] * 500


def test_an_iterator_may_change_words_while_cut_many_reads_it():
    tokenizer = ours.Tokenizer()

    def texts():
        for i in range(50):
            tokenizer.add_word(f"石墨烯{i % 5}")
            yield "石墨烯很薄" * 1000
            assert tokenizer.lcut("北京大学") == ["北京大学"]

    for words_of_text in tokenizer.cut_many(texts()):
        assert "".join(words_of_text) == "石墨烯很薄" * 1000


def test_threads_run_at_the_same_time():
    """The lock of the interpreter is given up while a long text is cut."""
    text = "".join(data_texts("zh-laws", 40))[:3_000_000] * 4
    ours.lcut("北京")
    turns, done = [0], threading.Event()

    def count():
        while not done.is_set():
            turns[0] += 1
            time.sleep(0.0005)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        before = turns[0]
        tokens = ours.dt._started()  # only the native part: making strings needs the lock
        began = time.monotonic()
        tokens.posseg(text[:2_000_000], True)
        assert turns[0] - before > 3, time.monotonic() - began
    finally:
        done.set()
        counter.join()


def test_reference_counts_stay_as_they_are():
    text = "我来到北京清华大学" * 3
    for _ in range(3):
        ours.lcut(text)
        ours.cut_many([text])
        list(ours.tokenize(text))
        our_posseg.lcut(text)
    assert sys.getrefcount(text) <= 4
