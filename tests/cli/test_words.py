"""neardup dict, tokenize, keywords: end to end, with a dictionary of the tests' own."""
import json
import struct

from harness import CliTest

WORDS = "中国 50 n\n人民 40 n\n中国人 3 n\n的 900 u\n北京 30 ns\nC++ 5 nz\n"
IDF = "中国 2.5\n人民 3.25\n北京 4.5\n"
START = "P={'B': -0.26,\n 'E': -3.14e+100,\n 'M': -3.14e+100,\n 'S': -1.46}\n"
TRANS = "P={'B': {'E': -0.5, 'M': -0.9},\n 'E': {'B': -0.6, 'S': -0.8},\n 'M': {'E': -0.3, 'M': -1.2},\n 'S': {'B': -0.7, 'S': -0.6}}\n"
EMIT = "from __future__ import unicode_literals\nP={'B': {'\\u6768': -3.5}, 'E': {'过': -2.5}, 'M': {}, 'S': {'\\u6768': -9.5, '过': -9.5}}\n"


class Words(CliTest):
    def setUp(self):
        super().setUp()
        self.write("dict.txt", WORDS)
        self.write("idf.txt", IDF)
        for name, text in (("start", START), ("trans", TRANS), ("emit", EMIT)):
            self.write(f"hmm/prob_{name}.py", text)
        self.neardup("dict", "build", "--words", "dict.txt", "--idf", "idf.txt", "--hmm", "hmm", "-o", "own.dict")
        self.env = {"NEARDUP_DICT": "own.dict"}

    def tokens(self, text, *arguments):
        result = self.neardup("tokenize", "-q", *arguments, "-", stdin=json.dumps({"id": "x", "text": text}).encode(), env=self.env)
        record = json.loads(result.stdout)
        self.assertEqual(list(record), ["id", "tokens"])
        self.assertEqual(record["id"], "x")
        return record["tokens"]

    def test_info(self):
        lines = self.neardup("dict", "info", env=self.env).stdout.decode().splitlines()
        facts = dict(line.split(None, 1) for line in lines if not line.startswith("section"))
        self.assertEqual((facts["file"], facts["words"], facts["total"], facts["idf"], facts["hmm"]), ("own.dict", "6", "1028", "yes", "yes"))
        self.assertEqual(lines, self.neardup("dict", "info", "own.dict").stdout.decode().splitlines())
        self.neardup("dict", "build", "--words", "dict.txt", "--idf", "idf.txt", "--hmm", "hmm", "-o", "again.dict", "-q")
        self.assertEqual(self.read("own.dict"), self.read("again.dict"))

    def test_modes(self):
        text = "中国人民的 北京，杨过C++"
        self.assertEqual(self.tokens(text), ["中国", "人民", "的", " ", "北京", "，", "杨过", "C++"])
        self.assertEqual(self.tokens(text, "--no-hmm"), ["中国", "人民", "的", " ", "北京", "，", "杨", "过", "C++"])
        self.assertEqual(self.tokens(text, "--mode", "full"),
                         ["中国", "中国人", "人民", "的", "", " ", "", "北京", "，", "杨", "过", "C++"])
        self.assertEqual(self.tokens("中国人北京", "--mode", "search"), ["中国", "中国人", "北京"])

    def test_other_tokenizers(self):
        self.assertEqual(self.tokens("北京 c++ ok", "--tokenizer", "words_v1"), ["北", "京", "c", "ok"])
        self.assertEqual(self.tokens("北a", "--tokenizer", "chars_v1"), ["北", "a"])
        result = self.neardup("tokenize", "--tokenizer", "words_v1", "--no-hmm", "-", code=2, env=self.env)
        self.assertIn("require jieba_v1, not words_v1", result.stderr)
        self.assertIn("expected one of jieba_v1, words_v1, chars_v1, code_v1, not 'jieba'", self.neardup("tokenize", "--tokenizer", "jieba", "-", code=2).stderr)
        self.assertIn("expected one of accurate, full, search, not 'fast'", self.neardup("tokenize", "--mode", "fast", "-", code=2).stderr)

    def test_user_words(self):
        self.write("user.txt", "\ufeff人民的 500 n\n杨过C\n")
        self.assertEqual(self.tokens("中国人民的，杨过C"), ["中国", "人民", "的", "，", "杨过", "C"])
        self.assertEqual(self.tokens("中国人民的，杨过C", "--user-dict", "user.txt"), ["中国", "人民的", "，", "杨过C"])
        self.write("user.txt", "京杨 x5\n北 99999999999999999999\n")
        result = self.neardup("tokenize", "--user-dict", "user.txt", "-", code=1, env=self.env)
        self.assertIn("user.txt:2: expected a frequency from 0 to 9007199254740991, not '99999999999999999999'", result.stderr)

    def test_keywords(self):
        text = "中国人民的北京，中国C++ The"
        self.write("in.jsonl", [{"id": 7, "text": text}, {"text": ""}])
        self.neardup("keywords", "in.jsonl", "-o", "out.jsonl", env=self.env)
        first, second = self.records("out.jsonl")
        # Six words are counted; the idf table lacks C++ and The, and 3.25 is its median.
        expected = [["中国", 2 * (2.5 / 6)], ["北京", 4.5 / 6], ["人民", 3.25 / 6], ["C++", 3.25 / 6], ["The", 3.25 / 6]]
        self.assertEqual(first, {"id": "7", "keywords": expected})
        self.assertEqual(second, {"id": None, "keywords": []})
        for _, weight in first["keywords"]:
            self.assertEqual(struct.pack("d", weight), struct.pack("d", float(repr(weight))))
        self.write("stop.txt", "the\n北京\n")
        self.write("idf2.txt", "C++ 9.5\n人民 1\n")
        self.neardup("keywords", "in.jsonl", "-o", "out.jsonl", "--topk", "2", "--stop-words", "stop.txt", "--idf", "idf2.txt", env=self.env)
        self.assertEqual(self.records("out.jsonl")[0]["keywords"], [["中国", 2 * (9.5 / 4)], ["C++", 9.5 / 4]])

    def test_a_corpus_in_order_with_rejects(self):
        lines = [json.dumps({"id": str(i), "text": f"中国人民{i}"}) for i in range(5000)]
        lines[3000] = '{"id": "broken"'
        self.write("in.jsonl", "\n".join(lines) + "\n")
        outputs = []
        for threads in ("1", "4"):
            result = self.neardup("tokenize", "in.jsonl", "-o", "out.jsonl", "--rejects", "rejects.jsonl", "--strict", "--threads", threads,
                                  env=self.env, code=3)
            self.assertIn("read 5,000 records, 1 rejected\n", result.stderr)
            self.assertEqual(self.read("rejects.jsonl"), b'{"id": "broken"\n')
            outputs.append(self.read("out.jsonl"))
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual([record["id"] for record in self.records("out.jsonl")], [str(i) for i in range(5000) if i != 3000])

    def test_one_text(self):
        for arguments, stdin in ((("--text", "中国人民的"), b""), (("--format", "text", "-"), "中国人民的".encode()),
                                 (("--format", "text", "--charset", "gb18030", "-"), "中国人民的".encode("gb18030"))):
            for command, expected in (("tokenize", '{"id":null,"tokens":["中国","人民","的"]}\n'),
                                      ("keywords", '{"id":null,"keywords":[["人民",1.625],["中国",1.25]]}\n')):
                result = self.neardup(command, *arguments, stdin=stdin, env=self.env)
                self.assertEqual((result.stdout.decode(), result.stderr), (expected, ""), arguments)
        self.neardup("tokenize", "--text", "的", "-o", "out.jsonl", env=self.env)
        self.assertEqual(self.records("out.jsonl"), [{"id": None, "tokens": ["的"]}])
        self.assertIn("no input is named: neardup tokenize INPUT... or neardup tokenize --text TEXT",
                      self.neardup("tokenize", code=2, env=self.env).stderr)
        self.assertIn("give --text or INPUT ('a.txt'), not both", self.neardup("keywords", "--text", "x", "a.txt", code=2, env=self.env).stderr)
        self.assertIn("--summary is for inputs of many documents",
                      self.neardup("tokenize", "--text", "x", "--summary", "s.json", code=2, env=self.env).stderr)

    def test_of_one_document_on_standard_output_nothing_is_reported(self):
        one = json.dumps({"text": "中国"}).encode()
        self.assertEqual(self.neardup("tokenize", "-", stdin=one, env=self.env).stderr, "")
        self.assertIn("read 1 ", self.neardup("tokenize", "-", "-o", "out.jsonl", stdin=one, env=self.env).stderr)
        self.assertIn("read 2 ", self.neardup("tokenize", "-", stdin=one + b"\n" + one, env=self.env).stderr)
        self.assertIn("rejected", self.neardup("tokenize", "-", stdin=one + b"\n{", env=self.env).stderr)

    def test_user_words_beyond_the_bound(self):
        self.write("user.txt", "甲 1\n乙 9007199254740991\n")
        result = self.neardup("tokenize", "--text", "甲", "--user-dict", "user.txt", code=1, env=self.env)
        self.assertIn("user.txt:2: user word '乙' with frequency 9007199254740991: the frequencies sum to more than 9007199254740991",
                      result.stderr)

    def test_stop_words_are_a_set(self):
        ids = set()
        for number, words in enumerate((["the", "of", "的", "and"], ["and", "的", "of", "of", "the"])):
            self.write("stop.txt", "".join(word + "\n" for word in words))
            self.neardup("dict", "build", "--words", "dict.txt", "--idf", "idf.txt", "--stop-words", "stop.txt", "-o", f"{number}.dict", "-q")
            ids.add(self.read(f"{number}.dict"))
        self.assertEqual(len(ids), 1)

    def test_bad_dictionaries(self):
        whole = self.read("own.dict")
        self.write("cut.dict", whole[:-1])
        self.assertIn("dictionary 'cut.dict': header:", self.neardup("dict", "info", "cut.dict", code=1).stderr)
        self.write("flip.dict", whole[:-1] + bytes([whole[-1] ^ 1]))
        self.assertIn("dictionary 'flip.dict': section numbers: damaged", self.neardup("dict", "info", "flip.dict", code=1).stderr)
        missing = self.neardup("tokenize", "-", code=1, env={"NEARDUP_DICT": "no.dict"})
        self.assertIn("NEARDUP_DICT: there is no file 'no.dict'", missing.stderr)
        self.write("bad.txt", "中国 50 n\n中 国 50\n")
        result = self.neardup("dict", "build", "--words", "bad.txt", "-o", "bad.dict", code=1)
        self.assertIn("bad.txt:2: expected a frequency", result.stderr)
        self.assertFalse(self.path("bad.dict").exists())
        self.write("hmm/prob_emit.py", "P={'B': {'中': x}}")
        result = self.neardup("dict", "build", "--words", "dict.txt", "--hmm", "hmm", "-o", "bad.dict", code=1)
        self.assertIn("hmm/prob_emit.py:1: expected a finite number", result.stderr)
        self.assertIn("dict build needs --words", self.neardup("dict", "build", "-o", "x", code=2).stderr)

    def test_without_idf_or_hmm(self):
        self.neardup("dict", "build", "--words", "dict.txt", "-o", "plain.dict", "-q")
        plain = {"NEARDUP_DICT": "plain.dict"}
        self.write("in.jsonl", [{"text": "杨过"}])
        self.assertIn("has no HMM tables", self.neardup("tokenize", "in.jsonl", code=2, env=plain).stderr)
        self.assertIn("has no HMM tables", self.neardup("keywords", "in.jsonl", code=2, env=plain).stderr)
        self.assertEqual(self.neardup("tokenize", "-q", "--no-hmm", "in.jsonl", env=plain).stdout, '{"id":null,"tokens":["杨","过"]}\n'.encode())
