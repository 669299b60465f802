"""neardup.jieba.posseg and neardup.jieba.analyse give what those of jieba 0.42.1 give."""

import copy
import inspect
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jieba_oracle import ODD_TEXTS, golden_records, jieba, real_texts

import neardup
import neardup.jieba as ours
import neardup.jieba.analyse as our_analyse
import neardup.jieba.posseg as our_posseg


@pytest.fixture(scope="module", name="texts")
def fixture_texts():
    return ODD_TEXTS + real_texts()[::3]


def plain(pairs):
    return [(pair.word, pair.flag) for pair in pairs]


def test_parts_of_speech_on_real_texts(texts):
    for text in texts:
        assert plain(our_posseg.lcut(text)) == plain(jieba.posseg.lcut(text)), text
        assert plain(our_posseg.cut(text, HMM=False)) == plain(jieba.posseg.cut(text, HMM=False)), text


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text("的一是中国人民北京大学生活在研究所abcXYZ0189.+#&_%- \r\n，。々é\ud800", max_size=40), st.text(max_size=40)))
def test_parts_of_speech_of_any_text(text):
    assert plain(our_posseg.lcut(text)) == plain(jieba.posseg.lcut(text))


def test_golden_parts_of_speech():
    for record in golden_records("posseg-golden.jsonl"):
        assert [list(pair) for pair in our_posseg.cut(record["text"])] == record["posseg"]
        assert [list(pair) for pair in our_posseg.cut(record["text"], HMM=False)] == record["posseg_nohmm"]


def test_pairs_are_those_of_jieba():
    for module in (our_posseg, jieba.posseg):
        one, other = module.pair("中", "n"), module.pair("国", "v")
        assert (one.word, one.flag) == tuple(one) == ("中", "n")
        assert repr(one) == "pair('中', 'n')" and str(one) == f"{one}" == "中/n" and one.encode("utf-8") == "中/n".encode()
        assert one == module.pair("中", "n") and one != other and one != module.pair("中", "v") and one != ("中", "n")
        assert hash(one) == hash("中") and (one < other) == ("中" < "国") and sorted([other, one])[0] in (one, other)
        word, flag = one
        assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == module.pair(word, flag)
        one.flag = "x"
        assert one.flag == "x"
    assert inspect.isgenerator(our_posseg.cut("北京")) and inspect.isgenerator(our_posseg.dt.cut("北京"))


def test_pos_tokenizers():
    tokenizer, judge = ours.Tokenizer(), jieba.Tokenizer()
    for each in (tokenizer, judge):
        each.add_word("石墨烯", 100, "nz")
        each.add_word("云计算", tag="abc")
        each.add_word("无标")
    mine, theirs = our_posseg.POSTokenizer(tokenizer), jieba.posseg.POSTokenizer(judge)
    text = "石墨烯和云计算是无标的好东西"
    assert plain(mine.lcut(text)) == plain(theirs.lcut(text))
    assert repr(mine) == repr(theirs)
    assert mine.total == tokenizer.total
    mine.add_word("好东西", tag="xyz")
    theirs.add_word("好东西", tag="xyz")
    assert plain(mine.lcut(text)) == plain(theirs.lcut(text))
    for each in (mine, theirs):
        for name in ("cut_for_search", "lcut_for_search", "tokenize"):
            with pytest.raises(NotImplementedError):
                getattr(each, name)
        with pytest.raises(AttributeError):
            each.nothing
    assert plain(our_posseg.POSTokenizer().lcut("北京大学")) == plain(our_posseg.lcut("北京大学".encode("gbk")))
    with pytest.raises(TypeError):
        our_posseg.POSTokenizer(5)


# Keywords.


def both(call, *arguments, **named):
    return call(our_analyse)(*arguments, **named), call(jieba.analyse)(*arguments, **named)


def extract(module):
    return module.extract_tags


OPTIONS = [
    {},
    {"withWeight": True},
    {"topK": 5, "withWeight": True},
    {"topK": None, "withWeight": True},
    {"topK": 0},
    {"topK": -3},
    {"topK": True},
    {"topK": 10**9},
    {"allowPOS": ("n", "v", "ns"), "withWeight": True},
    {"allowPOS": "nv"},
    {"allowPOS": ["nothing"]},
    {"allowPOS": []},
    {"allowPOS": {"n": 1}.keys()},
    {"withFlag": True},
]


def test_keywords_on_real_texts(texts):
    for text in texts:
        for options in OPTIONS:
            mine, theirs = both(extract, text, **options)
            assert mine == theirs, (text, options)


def test_keywords_with_flags(texts):
    for text in texts:
        for options in ({}, {"topK": 7}, {"topK": None}):
            mine, theirs = both(extract, text, allowPOS=("n", "v", "ns", "vn"), withFlag=True, withWeight=True, **options)
            assert [(tuple(pair), weight) for pair, weight in mine] == [(tuple(pair), weight) for pair, weight in theirs]
            mine, theirs = both(extract, text, allowPOS=("n", "x", "eng"), withFlag=True, **options)
            assert plain(mine) == plain(theirs)


def test_keywords_by_textrank(texts):
    for text in texts[::3]:
        for options in ({"withWeight": True}, {"topK": None, "withWeight": True, "allowPOS": ("n", "x", "eng")}, {"topK": 3}):
            mine, theirs = both(lambda module: module.textrank, text, **options)
            assert mine == theirs, (text, options)
    mine, theirs = both(lambda module: module.textrank, texts[-1], withFlag=True)
    assert plain(mine) == plain(theirs)


def test_stop_words_and_idf_files(tmp_path, texts):
    stop_words, more, idf = tmp_path / "stop.txt", tmp_path / "more.txt", tmp_path / "idf.txt"
    stop_words.write_text("中国\n北京\r\npython\u2028大学\n\n", encoding="utf-8")
    more.write_text("活动", encoding="utf-8")
    idf.write_text("中国 3.5\n人民 2.25\n活动 9\n没有的词 1e-3\n活动 8\n", encoding="utf-8")
    mine, theirs = our_analyse.TFIDF(), jieba.analyse.TFIDF()
    for step in range(6):
        for each in (mine, theirs):
            if step == 1:
                each.set_stop_words(str(stop_words))
            elif step == 2:
                each.set_idf_path(str(idf))
            elif step == 3:
                each.stop_words.add("研究")
                each.set_stop_words(str(more))
            elif step == 4:
                each.stop_words.discard("中国")
                each.stop_words |= {"学生"}
            elif step == 5:
                each.stop_words = {"人民"}
        for text in ["中国人民在北京大学活动Python和学生研究", *texts[::10]]:
            for options in ({"topK": None, "withWeight": True}, {"allowPOS": ("n", "ns"), "withWeight": True}):
                assert mine.extract_tags(text, **options) == theirs.extract_tags(text, **options), (step, text)
            tagged = [
                [(tuple(pair), weight) for pair, weight in each.extract_tags(text, allowPOS=("n",), withFlag=True, withWeight=True)]
                for each in (mine, theirs)
            ]
            assert tagged[0] == tagged[1]
    for clone in (copy.copy(mine), copy.deepcopy(mine), pickle.loads(pickle.dumps(mine))):
        assert clone.extract_tags("中国人民在北京大学活动", withWeight=True) == mine.extract_tags("中国人民在北京大学活动", withWeight=True)
    assert our_analyse.TFIDF(str(idf)).extract_tags("中国人民活动", withWeight=True) == jieba.analyse.TFIDF(str(idf)).extract_tags(
        "中国人民活动", withWeight=True
    )


def test_functions_of_the_module_are_those_of_the_usual_objects(tmp_path):
    stop_words = tmp_path / "stop.txt"
    stop_words.write_text("人民\n", encoding="utf-8")
    kept = set(our_analyse.default_tfidf.stop_words), set(our_analyse.default_textrank.stop_words)
    try:
        our_analyse.set_stop_words(str(stop_words))
        assert "人民" not in our_analyse.extract_tags("中国人民在北京") and "人民" not in our_analyse.textrank(
            "中国人民在北京生活，人民学习"
        )
    finally:
        our_analyse.default_tfidf.stop_words, our_analyse.default_textrank.stop_words = kept
    assert "人民" in our_analyse.tfidf("中国人民在北京")
    assert our_analyse.default_tfidf.stop_words == jieba.analyse.default_tfidf.stop_words


def test_keywords_with_user_words():
    tokenizer, judge = ours.Tokenizer(), jieba.Tokenizer()
    mine, theirs = our_analyse.TFIDF(), jieba.analyse.TFIDF()
    text = "石墨烯很薄，石墨烯电池和北京大学的石墨烯"
    for each, own, module in ((mine, tokenizer, our_posseg), (theirs, judge, jieba.posseg)):
        each.tokenizer, each.postokenizer = own, module.POSTokenizer(own)
    for step in range(3):
        for own in (tokenizer, judge):
            if step:
                own.add_word("石墨烯" if step == 1 else "石墨烯电池", tag="nz")
        for options in ({"withWeight": True}, {"withWeight": True, "allowPOS": ("nz", "n")}):
            assert mine.extract_tags(text, **options) == theirs.extract_tags(text, **options)


def test_errors_of_settings(tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\xfe")
    lone = tmp_path / "lone.txt"
    lone.write_text("词\n", encoding="utf-8")
    for module in (our_analyse, jieba.analyse):
        tfidf = module.TFIDF()
        for call in (tfidf.set_idf_path, tfidf.set_stop_words):
            with pytest.raises(Exception, match="none"):
                call(str(tmp_path / "none"))
            with pytest.raises(ValueError):
                call(str(bad))
        with pytest.raises(ValueError):
            tfidf.set_idf_path(str(lone))
        assert tfidf.extract_tags("中国人民")
        with pytest.raises(AttributeError):
            tfidf.extract_tags(None)
        with pytest.raises(TypeError):
            tfidf.extract_tags("中国", allowPOS=5)
    with pytest.raises(NotImplementedError):
        our_analyse.KeywordExtractor().extract_tags("中国")
    with pytest.raises(neardup.InputError, match="bad.txt"):
        our_analyse.TFIDF().set_idf_path(str(bad))
