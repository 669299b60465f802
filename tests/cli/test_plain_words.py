"""neardup tokenize and keywords: lines for people, plain text on standard input, offsets of tokens, words added on the command line; dict suggest."""
import gzip
import json

from harness import CliTest

WORDS = "中国 50 n\n人民 40 n\n中国人 3 n\n的 900 u\n北京 30 ns\n北京大学 9 nt\n大学 70 n\nC++ 5 nz\n"
TWO_LINES = "中国人民的 C++\r\n\u3000北京大学\n"


class PlainWords(CliTest):
    def setUp(self):
        super().setUp()
        self.write("dict.txt", WORDS)
        self.write("idf.txt", "中国 2.5\n人民 3.25\n北京大学 4.5\n")
        for name, start, trans, emit in (("finalseg", "P={'B': -0.3, 'E': -3.14e+100, 'M': -3.14e+100, 'S': -1.5}",
                                          "P={'B': {'E': -0.5, 'M': -0.9}, 'E': {'B': -0.6, 'S': -0.8}, 'M': {'E': -0.3}, 'S': {'B': -0.7, 'S': -0.6}}",
                                          "P={'B': {'京': -5.0}, 'E': {'上': -5.0}, 'M': {}, 'S': {'京': -9.5, '上': -9.5}}"),
                                         ("posseg", "P={('S', 'v'): -1.5}", "P={('S', 'v'): {('S', 'v'): -1.0}}", "P={('S', 'v'): {'上': -1.0}}")):
            for part, text in (("start", start), ("trans", trans), ("emit", emit)):
                self.write(f"{name}/prob_{part}.py", text)
        self.write("posseg/char_state_tab.py", "P={'上': (('S', 'v'),), '京': (('S', 'v'),)}")
        self.neardup("dict", "build", "--words", "dict.txt", "--idf", "idf.txt", "--hmm", "finalseg", "--pos", "posseg", "-o", "own.dict", "-q")
        self.env = {"NEARDUP_DICT": "own.dict"}

    def lines(self, *arguments, stdin=b"", says=""):
        """What the program prints; nothing but `says` on standard error."""
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
        result = self.neardup(*arguments, stdin=stdin, env=self.env)
        self.assertEqual(result.stderr, says)
        return result.stdout.decode().splitlines()

    def fails(self, says, *arguments, code=2):
        self.assertIn(says, self.neardup(*arguments, env=self.env, code=code).stderr)

    def test_a_line_of_words_for_each_line_of_text(self):
        for arguments, stdin in (((), TWO_LINES), (("-",), TWO_LINES), (("--text", TWO_LINES), ""), (("--format", "text", "-"), TWO_LINES)):
            self.assertEqual(self.lines("tokenize", "--plain", *arguments, stdin=stdin), ["中国 人民 的 C++", "北京大学"], arguments)
        self.assertEqual(self.lines("tokenize", "--plain", "--separator", "/", stdin=TWO_LINES), ["中国/人民/的/C++", "北京大学"])
        self.assertEqual(self.lines("tokenize", "--plain", "--pos", stdin=TWO_LINES), ["中国/n 人民/n 的/u C++/nz", "北京大学/nt"])
        self.assertEqual(self.lines("tokenize", "--plain", "--mode", "search", stdin=TWO_LINES), ["中国 人民 的 C++", "北京 大学 北京大学"])
        self.assertEqual(self.lines("tokenize", "--plain", "--mode", "full", stdin=TWO_LINES)[0], "中国 中国人 人民 的 C++")
        self.assertEqual(self.lines("tokenize", "--plain", "--tokenizer", "words_v1", stdin=TWO_LINES), ["中 国 人 民 的 C", "北 京 大 学"])
        self.assertEqual(self.lines("tokenize", "--plain", "--text", "的\n\n的"), ["的", "", "的"])
        self.assertEqual(self.lines("tokenize", "--plain", "--text", ""), [""])

    def test_plain_lines_of_a_corpus(self):
        self.write("in.jsonl", [{"id": 1, "text": "中国人民\n的"}, {"text": "北京大学"}])
        self.neardup("tokenize", "in.jsonl", "--plain", "-o", "words.txt", env=self.env)
        self.assertEqual(self.read("words.txt").decode(), "中国 人民\n的\n北京大学\n")
        self.neardup("keywords", "in.jsonl", "--plain", "--separator", "、", "-o", "keywords.txt", env=self.env)
        self.assertEqual(self.read("keywords.txt").decode(), "人民、中国\n北京大学\n")

    def test_plain_text_on_standard_input(self):
        records = [json.loads(line) for line in self.lines("tokenize", stdin=TWO_LINES)]
        self.assertEqual([record["tokens"] for record in records], [["中国", "人民", "的", " ", "C++", "\r"], ["\u3000", "北京大学"]])
        self.assertEqual({record["id"] for record in records}, {None})
        # Keywords are those of the whole text.
        self.assertEqual(self.lines("keywords", "--plain", stdin="中国人民的\n中国人民中国\n"), ["中国 人民"])
        self.assertEqual(self.lines("tokenize", "--plain", "--charset", "gb18030", stdin="中国人民的\n".encode("gb18030")), ["中国 人民 的"])
        wrong = self.neardup("tokenize", "--plain", stdin="中国人民的\n".encode("gb18030"), env=self.env)
        self.assertIn("warning: standard input: bytes that are not of the expected charset, read as U+FFFD; try --charset auto", wrong.stderr)
        self.assertEqual(self.neardup("tokenize", "--plain", stdin=TWO_LINES.encode(), env=self.env).stderr, "")
        self.assertEqual(self.lines("tokenize", "--plain", stdin=b"\xef\xbb\xbf" + "的".encode())[0][-1], "的")
        for text in ("[1] 北京大学", "[的]北京大学"):
            self.assertIn("北京大学", self.lines("tokenize", "--plain", stdin=text + "\n")[0])
        many = "中国人民\n" * 30000  # more than a pipe holds
        self.assertEqual(self.lines("tokenize", "--plain", stdin=many), ["中国 人民"] * 30000)
        with open(self.path(self.write("text", TWO_LINES)), "rb") as file:
            result = self.neardup("tokenize", "--plain", stdin=file.read(), env=self.env)
            self.assertEqual(result.stdout.decode().splitlines(), ["中国 人民 的 C++", "北京大学"])

    def test_json_on_standard_input_stays_json(self):
        one = json.dumps({"text": "中国人民"}) + "\n"
        for stdin in (one, "\n  " + one, json.dumps([{"text": "中国人民"}]), json.dumps([{"text": "中国人民"}], indent=1)):
            self.assertEqual(self.lines("tokenize", "--plain", stdin=stdin), ["中国 人民"], stdin)
        result = self.neardup("tokenize", "--plain", stdin=("broken\n" + one * 3).encode(), env=self.env)
        self.assertEqual(result.stdout.decode(), "中国 人民\n" * 3)
        self.assertIn("1 broken JSON", result.stderr)
        self.assertEqual(self.lines("tokenize", "--plain", stdin=gzip.compress(one.encode())), ["中国 人民"])

    def test_places_of_tokens(self):
        record = json.loads(self.lines("tokenize", "--offsets", "--text", "a𠮷北京大学")[0])
        self.assertEqual(record, {"id": None, "tokens": ["a", "𠮷", "北京大学"], "offsets": [[0, 1], [1, 2], [2, 6]]})
        record = json.loads(self.lines("tokenize", "--offsets", "--mode", "search", "--text", "的北京大学")[0])
        self.assertEqual(list(zip(record["tokens"], record["offsets"])), [("的", [0, 1]), ("北京", [1, 3]), ("大学", [3, 5]), ("北京大学", [1, 5])])
        record = json.loads(self.lines("tokenize", "--offsets", "--pos", "--text", "的北京大学")[0])
        self.assertEqual((list(record), record["offsets"]), (["id", "tokens", "tags", "offsets"], [[0, 1], [1, 5]]))

    def test_words_of_the_command_line(self):
        def plain(*arguments):
            return self.lines("tokenize", "--plain", "--separator", "/", "--text", "中国人民的北京大学", *arguments)[0]
        self.assertEqual(plain("--add-word", "人民的"), "中国/人民的/北京大学")
        self.assertEqual(plain("--add-word", "人民的:0"), "中国/人民/的/北京大学")
        self.assertEqual(plain("--add-word", "人民的:500:own", "--pos"), "中国/n/人民的/own/北京大学/nt")
        self.assertEqual(plain("--add-word", "人民的::own", "--pos"), "中国/n/人民的/own/北京大学/nt")
        self.assertEqual(plain("--del-word", "北京大学"), "中国/人民/的/北京/大学")
        self.assertEqual(plain("--del-word", "北京大学", "--del-word", "中国", "--no-hmm"), "中国人/民/的/北京/大学")
        self.assertEqual(plain("--suggest-freq", "北京/大学"), "中国/人民/的/北京/大学")
        self.assertEqual(plain("--suggest-freq", "中国人民", "--no-hmm"), "中国人民/的/北京大学")
        # Later changes win: the file, added words, deleted words, suggested frequencies.
        self.write("user.txt", "人民的 500\n")
        self.assertEqual(plain("--user-dict", "user.txt", "--del-word", "人民的"), "中国/人民/的/北京大学")
        self.assertEqual(plain("--del-word", "人民的", "--user-dict", "user.txt", "--suggest-freq", "人民的"), "中国/人民的/北京大学")
        # A deleted word is not made by the HMM.
        self.assertEqual(self.lines("tokenize", "--plain", "--text", "京上"), ["京上"])
        self.assertEqual(self.lines("tokenize", "--plain", "--text", "京上", "--del-word", "京上"), ["京 上"])
        self.assertEqual(self.lines("keywords", "--plain", "--text", "中国人民的", "--add-word", "人民的"), ["人民的 中国"])

    def test_suggested_frequencies(self):
        lines = self.lines("dict", "suggest", "北京/大学", "人民的", "没有")
        self.assertEqual([line.split()[0] for line in lines], ["北京大学", "人民的", "没有"])
        self.write("user.txt", "\n".join(lines) + "\n")  # they are lines of a user dictionary
        self.assertEqual(self.lines("tokenize", "--plain", "--text", "北京大学人民的", "--user-dict", "user.txt"), ["北京 大学 人民的"])
        self.fails("dict suggest needs a word", "dict", "suggest")
        self.fails("dict suggest: expected a word, or pieces as in 中/将, not '中/'", "dict", "suggest", "中/")
        self.fails("dict suggest takes no --words", "dict", "suggest", "中", "--words", "dict.txt")
        self.fails("'b' is one argument too many: neardup dict info [FILE]", "dict", "info", "a", "b")
        self.fails("dict: expected build, info or suggest, not 'x'", "dict", "x")

    def test_wrong_usage(self):
        text = ("--text", "中国")
        for says, *arguments in (("--separator requires --plain", "--separator", "/"),
                                 ("--offsets cannot be combined with --plain", "--offsets", "--plain"),
                                 ("--offsets: requires mode accurate or search, not full", "--offsets", "--mode", "full"),
                                 ("user words, pos and offsets require jieba_v1, not words_v1", "--tokenizer", "words_v1", "--add-word", "x"),
                                 ("user words, pos and offsets require jieba_v1, not chars_v1", "--tokenizer", "chars_v1", "--offsets"),
                                 ("--add-word: no word in ':3'", "--add-word", ":3"),
                                 ("--add-word: the frequency of 'x' must be a number from 0 to 9007199254740991, not '3x'", "--add-word", "x:3x"),
                                 ("not '9007199254740992'", "--add-word", "x:9007199254740992"),
                                 ("frequencies sum to more than 9007199254740991", "--add-word", "x:9007199254740991"),
                                 ("a user word has at most 255 characters, this one has 300", "--add-word", "x" * 300),
                                 ("--del-word: the word is empty", "--del-word", ""),
                                 ("--suggest-freq: expected a word, or pieces as in 中/将, not '/x'", "--suggest-freq", "/x"),
                                 ("lines of text ('w.txt') require --plain", "-o", "w.txt"),
                                 ("--plain writes lines of text, not 'w.jsonl'", "--plain", "-o", "w.jsonl")):
            self.fails(says, "tokenize", *text, *arguments)
        self.fails("--separator requires --plain", "keywords", *text, "--separator", "/")
        self.assertEqual([name for name in self.names() if name.startswith("w.")], [])
