"""No text, no corpus and no file of a user makes the program take the square of its length: eight times the input may cost twenty times
the time, where a square costs sixty-four. And no single word makes it take many times the memory that the word has."""
import json
import random
import unittest

from growth import GrowthTest, HOSTILE_TEXTS, repeat

TEXT_BYTES = 60_000  # of the short inputs
QUIET = ("-q", "--threads", "1")


def template_documents(count):
    """All shingles but a few are shared by all, and every document still lacks enough of the others' to be kept."""
    rng = random.Random(3)
    common = [f"word{n}" for n in range(40)]
    for number in range(count):
        own = [f"own{rng.randrange(10 ** 9)}" for _ in range(14)]
        yield {"id": number, "text": " ".join(common + own)}


def colliding_documents(count):
    """Copies with one word in another place: all land in the same buckets."""
    words = [f"word{n}" for n in range(60)]
    for number in range(count):
        yield {"id": number, "text": " ".join(words[:30] + [f"own{number}"] + words[30:])}


class TextsTest(GrowthTest):
    def write_all(self, length):
        """All hostile texts, and two of them nearly twice, so that there is something to verify."""
        texts = [make(length) for make in HOSTILE_TEXTS.values()]
        copies = [HOSTILE_TEXTS[name](length) + " end" for name in ("numbers", "one long word")]
        self.write("in.jsonl", [{"id": number, "text": text} for number, text in enumerate(texts + copies)])

    def assert_linear_texts(self, *arguments):
        """With all texts at once; if that fails, says which text it is."""
        try:
            self.assert_linear(self.write_all, TEXT_BYTES, *arguments)
        except AssertionError:
            for name, make in HOSTILE_TEXTS.items():
                with self.subTest(text=name):
                    self.assert_linear(lambda length, make=make: self.write_text("in.jsonl", make(length)), TEXT_BYTES, *arguments)
            raise

    def test_every_preset(self):
        for line in self.neardup("recipe", "--list").stdout.decode().splitlines():
            preset = line.split()[0]
            with self.subTest(preset=preset):
                self.assert_linear_texts("dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", preset, *QUIET)

    def test_commands_that_read_text(self):
        self.neardup("index", "build", "index", self.write("one.jsonl", [{"id": 1, "text": "one text"}]), "--recipe", "simhash-chars-4",
                     "--max-distance", "4", "-q")
        self.neardup("index", "build", "texts", "one.jsonl", "--kind", "clue", "-q")
        for command in (("pairs", "in.jsonl", "-o", "pairs.tsv", "--search", "exact"),
                        ("quotes", "in.jsonl", "-o", "quotes.tsv"),
                        ("sketch", "in.jsonl", "-o", "sketches.jsonl"),
                        ("tokenize", "in.jsonl", "-o", "tokens.jsonl", "--mode", "full"),
                        ("tokenize", "in.jsonl", "-o", "tokens.jsonl", "--mode", "search", "--no-hmm"),
                        ("keywords", "in.jsonl", "-o", "keywords.jsonl"),
                        ("idf", "fit", "in.jsonl", "-o", "corpus.idf"),
                        ("lines", "fit", "in.jsonl", "-o", "menus.lines"),
                        ("query", "index", "in.jsonl", "-o", "answers.tsv"),
                        ("search", "texts", "in.jsonl", "-o", "hits.tsv")):
            with self.subTest(command=command[0]):
                self.assert_linear_texts(*command, *QUIET)

    def test_cleaners(self):
        pages = {"open tags": "<div>", "open angle brackets": "<", "tags without an end": "<a b='", "comments": "<!--", "scripts": "<script>",
                 "attributes": "<a " + "b=1 ", "references": "&amp", "long references": "&CounterClockwiseContourIntegra", "islands": "<svg><p>",
                 "closing tags": "</div>", "cdata": "<![CDATA[", "hidden": "<b hidden>", "tables": "<table><tr><td>", "letters": "a"}

        def write_pages(length):
            self.write("in.jsonl", [{"id": name, "text": repeat(unit, length)} for name, unit in pages.items()])

        cleaners = {"html": "html_v1", "tags": "tags_v1", "open alternative": {"remove": {"pattern": "a.*b|a"}},
                    "blanks": {"remove": {"pattern": r"\s+$"}}, "cut": {"cut_after": {"pattern": "<(a+)+>"}}, "literal": {"remove": "<a"}}
        base = json.loads(self.neardup("recipe", "words-5").stdout.splitlines()[0])
        for name, cleaner in cleaners.items():
            self.write("recipe.json", json.dumps(base | {"clean": [cleaner]}))
            with self.subTest(cleaner=name):
                self.assert_linear(write_pages, TEXT_BYTES, "clean", "in.jsonl", "-o", "texts.jsonl", "--recipe", "recipe.json", *QUIET)

    def test_compare(self):
        for name in ("one letter", "one long word", "numbers", "marks out of order"):
            def write(length, make=HOSTILE_TEXTS[name]):
                self.write("a.txt", make(length))
                self.write("b.txt", "x" + make(length))
            for recipe in ("words-5", "chars-5", "simhash-jieba-30"):
                with self.subTest(text=name, recipe=recipe):
                    self.assert_linear(write, TEXT_BYTES // 4, "compare", "a.txt", "b.txt", "--recipe", recipe)


class CorporaTest(GrowthTest):
    def assert_linear_corpus(self, documents, count, *arguments):
        self.assert_linear(lambda length: self.write("in.jsonl", list(documents(length))), count, *arguments)

    def test_documents_of_a_template(self):
        for recipe in ("words-5", "simhash-chars-4"):
            with self.subTest(recipe=recipe):
                self.assert_linear_corpus(template_documents, 400, "dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", recipe, *QUIET)

    def test_documents_that_collide(self):
        for arguments in (("--threshold", "0.99"), ("--threshold", "0.7"), ("--recipe", "simhash-chars-4", "--max-distance", "1")):
            with self.subTest(arguments=arguments):
                self.assert_linear_corpus(colliding_documents, 400, "dedup", "in.jsonl", "-o", "kept.jsonl", *arguments, *QUIET)


class FilesTest(GrowthTest):
    def test_json(self):
        lines = {"escapes": lambda n: '{"id":1,"text":"' + r"\u0041\n" * (n // 8) + '"}',
                 "unknown fields": lambda n: "{" + "".join(f'"f{k}":{k},' for k in range(n // 12)) + '"text":"a b"}',
                 "one field again and again": lambda n: "{" + '"text":"a b",' * (n // 13) + '"text":"a b"}',
                 "brackets": lambda n: '{"text":"a b","more":' + "[" * (n // 2) + "]" * (n // 2) + "}",
                 "open brackets": lambda n: '{"text":"a b","more":' + "[" * n,
                 "broken lines": lambda n: "{\n" * (n // 2),
                 "lone surrogates": lambda n: '{"text":"' + r"\ud800" * (n // 6) + '"}',
                 "empty lines": lambda n: "\n" * n + '{"text":"a b"}'}
        for name, make in lines.items():
            with self.subTest(line=name):
                good = '{"id":"good","text":"some words that are good"}\n'
                self.assert_linear(lambda length, make=make: self.write("in.jsonl", good + make(length) + "\n"), 2 * TEXT_BYTES, "dedup",
                                   "in.jsonl", "-o", "kept.jsonl", "--rejects", "rejects.jsonl", *QUIET, code=None)

    def test_charsets(self):
        chance = random.Random(8)
        bytes_of = {"noise": chance.randbytes, "high bytes": lambda n: b"\x81" * n, "escapes": lambda n: b"\x1b$B" * (n // 3),
                    "meta": lambda n: b"<meta charset=" * (n // 14)}
        for name, make in bytes_of.items():
            with self.subTest(bytes=name):
                self.assert_linear(lambda length, make=make: self.write("in.html", make(length)), TEXT_BYTES, "clean", "in.html", "-o",
                                   "texts.jsonl", "--charset", "auto", "--format", "text", *QUIET)

    def test_archives(self):
        def record(length, headers):
            return b"WARC/1.0\r\n" + headers + b"Content-Length: %d\r\n\r\n" % length
        archives = {"headers": lambda n: record(0, b"A: b\r\n" * (n // 6)) + b"\r\n\r\n",
                    "one long header": lambda n: record(0, b"A: " + b"b" * n + b"\r\n") + b"\r\n\r\n",
                    "folded": lambda n: record(0, b"A: b\r\n" + b" c\r\n" * (n // 4)) + b"\r\n\r\n",
                    "damage": lambda n: b"WARC/" * (n // 5),
                    "blank lines": lambda n: b"\r\n" * (n // 2)}
        page = b"<p>some words that are good enough for a page</p>"
        good = record(len(page), b"WARC-Type: conversion\r\n") + page + b"\r\n\r\n"
        for name, make in archives.items():
            with self.subTest(archive=name):
                self.assert_linear(lambda length, make=make: self.write("in.warc", good + make(length) + good), 2 * TEXT_BYTES, "dedup",
                                   "in.warc", "-o", "kept.jsonl", *QUIET, code=None)

    def test_user_words(self):
        def write(count, letters):
            chance = random.Random(6)
            self.write("words.txt", "".join("".join(chance.choices(letters, k=6)) + " 5\n" for _ in range(count)))
        self.write_text("in.jsonl", "\u7684\u662f")
        for name, letters in (("ASCII", "abcdefghijklmnopqrstuvwxyz"), ("Chinese", [chr(c) for c in range(0x4E00, 0x9FA5)])):
            with self.subTest(letters=name):
                self.assert_linear(lambda count, letters=letters: write(count, letters), 3000, "tokenize", "in.jsonl", "-o", "tokens.jsonl",
                                   "--user-dict", "words.txt", *QUIET)


    def test_dictionaries(self):
        """Most nodes of random words have one child, and few free places have a free base."""
        def write(count):
            chance = random.Random(6)
            words = ("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(count))
            self.write("words.txt", "".join(f"{word} 5\n" for word in words))
        self.assert_linear(write, 12500, "dict", "build", "--words", "words.txt", "-o", "words.dict", "-q")


class MemoryTest(GrowthTest):
    BYTES = 24 << 20
    MOST = 12  # times the bytes of the word, and the start

    def test_one_long_word(self):
        """A block of a lattice took 125 bytes a character."""
        for name in ("one letter", "one ideograph"):
            self.write_text("in.jsonl", HOSTILE_TEXTS[name](self.BYTES))
            for line in self.neardup("recipe", "--list").stdout.decode().splitlines():
                preset = line.split()[0]
                if "jieba" not in self.neardup("recipe", preset).stdout.decode():
                    continue
                with self.subTest(word=name, preset=preset):
                    peak = self.peak_private_bytes("dedup", "in.jsonl", "-o", "kept.jsonl", "--recipe", preset, "--memory", "512M", *QUIET)
                    self.assertGreater(peak, self.BYTES, "the samples saw nothing")
                    self.assertLess(peak, self.MOST * self.BYTES + (48 << 20))


if __name__ == "__main__":
    unittest.main()
