"""Prints jieba_changes.jsonl: what the Python package jieba 0.42.1 gives when words are added, deleted and tuned one after another.

15 random scenarios (seed 14) over words of our own. Each step has a call, what it returned, the total and the frequency of the word after it,
and the words of two texts. usage: /usr/bin/python3 -B make_changes.py > jieba_changes.jsonl        (the Debian package python3-jieba)
"""
import json
import random

import jieba
import jieba.finalseg
import jieba.posseg

assert jieba.__version__ == "0.42.1"
jieba.setLogLevel(60)
FREQ, TOTAL = jieba.dt.gen_pfdict(jieba.dt.get_dict_file())
jieba.dt.FREQ, jieba.dt.total, jieba.dt.initialized = FREQ, TOTAL, True
jieba.posseg.dt.makesure_userdict_loaded()
TAGS = dict(jieba.posseg.dt.word_tag_tab)
# Ordinary words of our own choice, some of them not in the dictionary, and pieces that the HMM likes to join.
WORDS = ("我 他们 今天 天气 很 好 不错 中 将 中将 出 错 出错 台 台中 北京 大学 北京大学 学生 大学生 生活 石墨烯 云计算 平台 数据库 去重 指纹 分词 词典 "
         "新词 老 杭 研 张 三丰 李 小明 来到 到 了 的 是 在 公园 散步 放风筝 风筝 湖边 孩子 图书馆 图书 馆 借 书 三本 一万 一万 万元 元 Python C++ T恤 abc 100% 3.14 "
         "x-ray 鿖 々 〇").split()
rng = random.Random(14)


def word():
    kind = rng.randrange(6)
    if kind < 3:
        return rng.choice(WORDS)
    if kind < 5:
        return rng.choice(WORDS) + rng.choice(WORDS)
    return rng.choice(WORDS)[0] + rng.choice("·γ々ＡT-") + rng.choice(WORDS)


def pieces(text):
    cuts = sorted(rng.sample(range(1, len(text)), rng.randrange(0, min(3, len(text)))))
    return [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)])]


def scenario():
    jieba.finalseg.Force_Split_Words.clear()
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total, tokenizer.initialized = dict(FREQ), TOTAL, True
    tagger = jieba.posseg.POSTokenizer(tokenizer)
    tagger.word_tag_tab, tagger.initialize = dict(TAGS), lambda dictionary=None: None
    used, steps = [], []
    for _ in range(rng.randint(3, 6)):
        used.append(rng.choice(used) if used and rng.random() < .3 else word())
        kind = rng.choice(("add_word", "add_word", "del_word", "suggest_freq", "suggest_freq"))
        returned = None
        if kind == "add_word":
            arguments = [used[-1], rng.choice((None, None, 0, 1, 3, 50, 20000, 10 ** 7)), rng.choice((None, "n", "own"))]
            tokenizer.add_word(*arguments)
        elif kind == "del_word":
            arguments = [used[-1]]
            tokenizer.del_word(*arguments)
        else:
            segment = pieces(used[-1])
            arguments = [segment, rng.random() < .7]
            returned = tokenizer.suggest_freq(segment[0] if len(segment) == 1 else tuple(segment), tune=arguments[1])
        results = []
        for _ in range(2):
            text = "".join(rng.choice(used) if rng.random() < .6 else word() for _ in range(rng.randint(1, 8)))
            results.append({"text": text, "cut": tokenizer.lcut(text), "cut_nohmm": tokenizer.lcut(text, HMM=False),
                            "cut_all": tokenizer.lcut(text, cut_all=True),
                            "tokenize_search": [list(token) for token in tokenizer.tokenize(text, mode="search")],
                            "posseg": [[pair.word, pair.flag] for pair in tagger.cut(text)]})
        steps.append({"call": kind, "arguments": arguments, "returns": returned, "total": tokenizer.total,
                      "frequency": tokenizer.FREQ.get(used[-1]), "results": results})
    jieba.finalseg.Force_Split_Words.clear()
    return {"steps": steps}


for _ in range(15):
    print(json.dumps(scenario(), ensure_ascii=True))
