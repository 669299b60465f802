"""The package jieba 0.42.1 as the judge of neardup.jieba, and real texts for both."""

import json
import logging
import subprocess

import jieba
import jieba.analyse
import jieba.posseg  # noqa: F401
from needs import shared

jieba.setLogLevel(logging.ERROR)
# What the data sets have little of: blanks, line ends, characters of several code points, other scripts, NUL, lone surrogates.
ODD_TEXTS = [
    "",
    " ",
    "\r\n",
    "\r\n\r\n a\tb\u3000c\n",
    "\x00",
    "a\x00b",
    "\ud800",
    "中\udc00国",
    "\ud83d\ude00",
    "😀很好😀👨‍👩‍👧",
    "ｆｕｌｌ　ｗｉｄｔｈ１２３",
    "Größe naïve ΣΑΣ",
    "한국어 문장",
    "日本語のテキスト",
    "1.5%+C++-B超 AT&T T恤 3.14.15 a_b#c",
    "%%%...---",
    "〇々〆ヶ",
    "𠀀𠮷野家",
    "e\u0301\u0301",
    "的" * 300,
    "abc" * 200,
    "中华人民共和国" * 50,
    "\ufeff中国",
    "\u2028行\u2029段\x85\x1c",
    "Python和C++哪个好？",
    "工信处女干事每月经过下属科室都要亲口交代24口交换机",
]


def data_texts(name, step):
    """Every `step`-th text of a set of the data folder."""
    path = shared(f"data/{name}.jsonl.zst")
    lines = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
    return [json.loads(line)["text"] for line in lines[::step] if line]


def golden_records(name):
    path = shared(f"golden/{name}")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def real_texts():
    """Some 70 beginnings of encyclopedia, law, classics, documentation and English."""
    texts = []
    for name, step in (
        ("zh-wiki", 500),
        ("zh-laws", 150),
        ("zh-classical", 400),
        ("zh-passages", 100),
        ("zh-docs-versions", 60),
        ("en-docs-versions", 100),
    ):
        texts += [text[:600] for text in data_texts(name, step)][:12]
    return texts
