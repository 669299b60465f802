"""neardup tokenize --pos and neardup keywords --allow-pos: end to end, with a dictionary of the tests' own, and against jieba.posseg."""
import json
import random
import sys
import unittest

from harness import CliTest

DEBIAN_PACKAGES = "/usr/lib/python3/dist-packages"
WORDS = "中国 50 ns\n人民 40 n\n的 900 uj\n北京 30 ns\nC++ 5 nz\n"
IDF = "中国 2.5\n人民 3.25\n北京 4.5\n"
FINALSEG = {"start": "P={'B': -0.26, 'E': -3.14e+100, 'M': -3.14e+100, 'S': -1.46}",
            "trans": "P={'B': {'E': -0.5, 'M': -0.9}, 'E': {'B': -0.6, 'S': -0.8}, 'M': {'E': -0.3}, 'S': {'B': -0.7, 'S': -0.6}}",
            "emit": "P={'B': {}, 'E': {}, 'M': {}, 'S': {}}"}
POSSEG = {"prob_start": "P={('B', 'nr'): -0.5, ('E', 'nr'): -3.14e+100, ('S', 'v'): -1.5}",
          "prob_trans": "P={('B', 'nr'): {('E', 'nr'): -0.1}, ('E', 'nr'): {('S', 'v'): -0.2}, ('S', 'v'): {('B', 'nr'): -1.0}}",
          "prob_emit": "P={('B', 'nr'): {'\\u6768': -1.5}, ('E', 'nr'): {'过': -2.0}, ('S', 'v'): {'来': -1.0}}",
          "char_state_tab": "P={'\\u6768': (('B', 'nr'),), '过': (('E', 'nr'), ('S', 'v')), '来': (('S', 'v'),)}"}


def load_jieba():
    """The package with its dictionary made from dict.txt: its own cache is never checked for age. None: it is not installed."""
    sys.path.append(DEBIAN_PACKAGES)  # another Python than Debian's can import it too
    try:
        import jieba
        import jieba.analyse
        import jieba.posseg
    except ImportError:
        return None
    finally:
        sys.path.remove(DEBIAN_PACKAGES)
    if jieba.__version__ != "0.42.1":
        return None
    jieba.setLogLevel(60)
    jieba.dt.FREQ, jieba.dt.total = jieba.dt.gen_pfdict(jieba.dt.get_dict_file())
    jieba.dt.initialized = True
    return jieba


class OwnDictionary(CliTest):
    def setUp(self):
        super().setUp()
        self.write("dict.txt", WORDS)
        self.write("idf.txt", IDF)
        for name, text in FINALSEG.items():
            self.write(f"finalseg/prob_{name}.py", text)
        for name, text in POSSEG.items():
            self.write(f"posseg/{name}.py", text)
        sources = ("--words", "dict.txt", "--idf", "idf.txt", "--hmm", "finalseg")
        self.neardup("dict", "build", *sources, "-o", "plain.dict", "-q")
        self.neardup("dict", "build", *sources, "--pos", "posseg", "-o", "own.dict", "-q")
        self.env = {"NEARDUP_DICT": "own.dict"}

    def tagged(self, text, *arguments):
        record = json.loads(self.neardup("tokenize", "--pos", "--text", text, *arguments, env=self.env).stdout)
        self.assertEqual(list(record), ["id", "tokens", "tags"])
        self.assertEqual(len(record["tokens"]), len(record["tags"]))
        return " ".join(f"{token}/{tag}" for token, tag in zip(record["tokens"], record["tags"]))

    def test_tokens_and_tags(self):
        self.assertEqual(self.tagged("中国人民的，杨过来C++"), "中国/ns 人民/n 的/uj ，/x 杨过/nr 来/v C++/nz")
        self.assertEqual(self.tagged("杨过a1 5%", "--no-hmm"), "杨/x 过/x a1/eng  /x 5/eng %/x")
        self.assertEqual(self.tagged("杨过a1.5"), "杨过/nr a1/eng .5/m")
        self.assertEqual(self.tagged(""), "")

    def test_user_words(self):
        self.write("user.txt", "杨过来 9 own\n中国 60\n的 900 vn\n")
        self.assertEqual(self.tagged("中国的杨过来", "--user-dict", "user.txt"), "中国/ns 的/vn 杨过来/own")

    def test_without_pos_nothing_changes(self):
        plain = {"NEARDUP_DICT": "plain.dict"}
        for command in ("tokenize", "keywords"):
            outputs = {self.neardup(command, "--text", "中国人民的杨过", env=env).stdout for env in (self.env, plain)}
            self.assertEqual(len(outputs), 1, outputs)

    def test_id_and_sections(self):
        facts = []
        for name in ("own.dict", "plain.dict"):
            lines = self.neardup("dict", "info", name).stdout.decode().splitlines()
            facts.append(dict(line.split(None, 1) for line in lines if not line.startswith("section")))
        self.assertEqual((facts[0]["tags"], facts[1]["tags"]), ("yes", "no"))
        self.assertEqual(facts[0]["id"], facts[1]["id"])

    def test_keywords(self):
        text = "中国人民的北京，中国杨过"
        one = self.neardup("keywords", "--allow-pos", "ns", "--text", text, env=self.env)
        self.assertEqual(json.loads(one.stdout)["keywords"], [["中国", 2 * (2.5 / 3)], ["北京", 4.5 / 3]])
        two = self.neardup("keywords", "--allow-pos", "nr,n", "--text", text, env=self.env)
        self.assertEqual(json.loads(two.stdout)["keywords"], [["人民", 3.25 / 2], ["杨过", 3.25 / 2]])

    def test_wrong_usage(self):
        plain = {"NEARDUP_DICT": "plain.dict"}
        for command, says in ((("tokenize", "--pos"), "the dictionary has no parts of speech: build it with --pos"),
                              (("keywords", "--allow-pos", "n"), "the dictionary has no parts of speech: build it with --pos")):
            self.assertIn(says, self.neardup(*command, "--text", "x", code=2, env=plain).stderr)
        for command, says in ((("tokenize", "--pos", "--mode", "full"), "pos: parts of speech require mode accurate, not full"),
                              (("tokenize", "--pos", "--tokenizer", "words_v1"), "require jieba_v1, not words_v1"),
                              (("keywords", "--allow-pos", "n,noun"), "the dictionary has no part of speech 'noun', it has: x m eng n nr ns"),
                              (("keywords", "--allow-pos", ""), "the dictionary has no part of speech ''")):
            self.assertIn(says, self.neardup(*command, "--text", "x", code=2, env=self.env).stderr)

    def test_bad_tables(self):
        for name, text, says in (("prob_start", "P={('X', 'n'): 1}", "prob_start.py:1: expected one of the states B, E, M, S"),
                                 ("prob_trans", "P={('B', 'nr'): {('E', 'zz'): 1}}", "prob_trans.py:1: a state that prob_start.py does not have"),
                                 ("prob_emit", "P={('B', 'nr'): {'中国': 1}}", "prob_emit.py:1: expected a key of one character"),
                                 ("char_state_tab", "P={'中': ('B')}", "char_state_tab.py:1: expected '('"),
                                 ("char_state_tab", "P={'中': (('B', 'N'),)}", "char_state_tab.py:1: expected a tag of the letters a to z")):
            self.write(f"posseg/{name}.py", text)
            result = self.neardup("dict", "build", "--words", "dict.txt", "--pos", "posseg", "-o", "bad.dict", code=1)
            self.assertIn(says, result.stderr)
            self.write(f"posseg/{name}.py", POSSEG[name])


class AgainstJieba(CliTest):
    def setUp(self):
        super().setUp()
        self.jieba = load_jieba()
        if self.jieba is None:
            raise unittest.SkipTest("[machine] python3-jieba 0.42.1 cannot be imported")

    def texts(self):
        rng = random.Random(42)
        words = sorted(word for word, count in self.jieba.dt.FREQ.items() if count)
        listed = sorted(self.jieba.posseg.char_state_tab_P)
        pool = "abzABZ0123459+#&._%- \r\n\t,，。"
        for _ in range(100):
            yield "".join(rng.choice(words) for _ in range(60))
            yield "".join(rng.choice(rng.choice(words)) for _ in range(60))
            yield "".join(rng.choice(listed) for _ in range(60))
            yield "".join(rng.choice(pool) if rng.random() < .6 else rng.choice(listed) for _ in range(60))
        for _ in range(20):  # mostly characters without listed states, of which the package tries all
            yield "".join(chr(rng.randrange(0x4E00, 0x9FD6)) for _ in range(20))

    def test_the_same_tags_and_keywords(self):
        texts = list(self.texts())
        self.write("in.jsonl", [{"text": text} for text in texts])
        allowed = ("n", "v", "ns", "nr", "x", "eng")
        cut, analyse = self.jieba.posseg.cut, self.jieba.analyse
        for arguments, theirs in ((("tokenize", "--pos"), cut), (("tokenize", "--pos", "--no-hmm"), lambda text: cut(text, HMM=False))):
            self.neardup(*arguments, "in.jsonl", "-o", "out.jsonl", "-q")
            for text, record in zip(texts, self.records("out.jsonl"), strict=True):
                expected = [(pair.word, pair.flag) for pair in theirs(text)]
                self.assertEqual(list(zip(record["tokens"], record["tags"], strict=True)), expected, text)
        self.neardup("keywords", "--allow-pos", ",".join(allowed), "in.jsonl", "-o", "out.jsonl", "-q")
        for text, record in zip(texts, self.records("out.jsonl"), strict=True):
            expected = analyse.extract_tags(text, topK=20, withWeight=True, allowPOS=allowed)
            self.assertEqual([tuple(pair) for pair in record["keywords"]], expected, text)

    def test_user_words(self):
        self.write("user.txt", "龘云 9 own\n北京 40000\n清华 900000 vq\n")
        tokenizer = self.jieba.posseg.POSTokenizer(self.jieba.Tokenizer())
        tokenizer.tokenizer.FREQ, tokenizer.tokenizer.total = dict(self.jieba.dt.FREQ), self.jieba.dt.total
        tokenizer.tokenizer.initialized = True
        tokenizer.tokenizer.load_userdict(str(self.path("user.txt")))
        for text in ("我来到北京清华大学，龘云", "清华园里的龘云"):
            record = json.loads(self.neardup("tokenize", "--pos", "--user-dict", "user.txt", "--text", text).stdout)
            self.assertEqual(list(zip(record["tokens"], record["tags"])), [(pair.word, pair.flag) for pair in tokenizer.cut(text)])


if __name__ == "__main__":
    unittest.main()
