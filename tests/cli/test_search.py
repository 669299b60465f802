"""neardup search, and neardup index of the kind clue, against brute force over normal forms made in Python."""
import json
import os
import pty
import random
import unicodedata
import unittest

from harness import BINARY, CliTest
from test_query_stream import Session

HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 400)]
WORDS = [a + b for a in ("ba", "ce", "di", "fo", "gu", "la", "me") for b in ("n", "r", "st", "ck", "lly", "")]
WIDE = ((0x3005, 0x3007), (0x3041, 0x3096), (0x30A1, 0x30FA), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3))


def wide(c):
    return any(first <= ord(c) <= last for first, last in WIDE)


def columns(text):
    return sum(2 if wide(c) else 1 for c in text)


def form_of(text):
    """clue_v1 for the code points of these tests: NFKC_Casefold, then letters, digits and marks, one blank between two that are not wide."""
    normal = text.replace("\u00ad", "").replace("\u200d", "").replace("\u200b", "").replace("\ufe0f", "")
    for _ in range(2):
        normal = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", normal).casefold())
    form, gap = "", False
    for c in normal:
        if unicodedata.category(c)[0] not in "LM" and unicodedata.category(c) != "Nd":
            gap = True
            continue
        if gap and form and not wide(form[-1]) and not wide(c):
            form += " "
        form += c
        gap = False
    return form


def distance(clue, text):
    """The fewest edits of the clue to a passage of the text."""
    row = list(range(len(clue) + 1))
    best = row[-1]
    for c in text:
        diagonal, row[0] = row[0], 0
        for i, d in enumerate(clue, 1):
            diagonal, row[i] = row[i], min(diagonal + (c != d), row[i] + 1, row[i - 1] + 1)
        best = min(best, row[-1])
    return best


def grams(text):
    """The shortest runs of whole code points with at least 8 columns."""
    found = set()
    for begin in range(len(text)):
        end = begin
        while end < len(text) and columns(text[begin:end]) < 8:
            end += 1
        if columns(text[begin:end]) >= 8:
            found.add(text[begin:end])
    return found


class SearchTest(CliTest):
    def corpus(self, seed, texts=120):
        """[(id, text)]: English and Chinese, with quotations of each other in other case, width and punctuation."""
        chance = random.Random(seed)
        made = []
        for number in range(texts):
            if number % 2:
                text = " ".join(chance.choices(WORDS, k=chance.randrange(1, 60)))
            else:
                text = "".join(c + (chance.choice("，。、 ") if chance.random() < 0.1 else "") for c in chance.choices(HAN, k=chance.randrange(1, 120)))
            if made and chance.random() < 0.5:
                source = chance.choice(made)[1]
                at = chance.randrange(len(source))
                quoted = source[at:at + chance.randrange(5, 70)]
                if chance.random() < 0.5:  # wide letters, and no white space between two of them, which every normalizer drops
                    quoted = "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() and chance.random() < 0.5 else c for c in quoted.upper())
                    quoted = quoted.replace(" ", ", ")
                text = f"{text[:20]} \u201c{quoted}\u201d {text[20:]}"
            made.append((f"t{number}", text))
        made += [("odd", "Stra\u00dfe, E\u0301tude \ufb01n \u00c9TUDE 12\u00bd \U0001f600 soft\u00adhyphen \u30ab\u30bf\u30ab\u30ca \ud55c\uad6d\uc5b4"),
                 ("empty", ""), ("marks", "... !"), ("tab", "a tab\tand a line\nin between them")]
        return made

    def build(self, corpus, *options, index="index"):
        self.write("in.jsonl", [{"id": name, "text": text} for name, text in corpus])
        self.neardup("index", "build", index, "in.jsonl", "--kind", "clue", "-q", *options)
        return index

    def clues(self, corpus, seed, count=150):
        """Passages of texts of all lengths, some written differently, some that occur nowhere."""
        chance = random.Random(seed)
        clues = []
        while len(clues) < count:
            text = chance.choice(corpus)[1]
            if not text:
                continue
            at = chance.randrange(len(text))
            clue = text[at:at + chance.choice((2, 5, 9, 12, 20, 30, 60))]
            if chance.random() < 0.3:
                clue = f" \u3000{clue.upper().replace(' ', ' - ')}\u3002 "
            if chance.random() < 0.1:
                clue += "".join(chance.choices(HAN, k=9))
            if form_of(clue):
                clues.append(clue)
        return clues

    def ask(self, index, clues, *options):
        """The answers as JSON, in the order of the clues."""
        self.write("clues.jsonl", [{"id": f"c{number}", "text": clue} for number, clue in enumerate(clues)])
        result = self.neardup("search", index, "clues.jsonl", "--json", "-q", *options)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([answer["query"] for answer in answers], [f"c{number}" for number in range(len(clues))])
        return answers

    def check_passage(self, hit, corpus, edits=0):
        """Begin and end are bytes of the original text, and the passage is between them."""
        text = dict(corpus)[hit["id"]]
        self.assertEqual(text.encode()[hit["begin"]:hit["end"]].decode(), hit["passage"])
        self.assertEqual(text[hit["begin_character"]:hit["end_character"]], hit["passage"])
        self.assertEqual(hit["text_bytes"], len(text.encode()))
        self.assertEqual(hit["edits"], edits)


class Contains(SearchTest):
    def matches(self, corpus, clue):
        return [name for name, text in corpus if form_of(clue) in form_of(text)]

    def test_against_brute_force(self):
        corpus = self.corpus(1)
        index = self.build(corpus)
        clues = self.clues(corpus, 2)
        exact = 0
        for clue, answer, scan in zip(clues, self.ask(index, clues), self.ask(index, clues, "--scan"), strict=True):
            expected = self.matches(corpus, clue)
            self.assertEqual(answer["form"], form_of(clue))
            self.assertEqual(answer["characters"], len(form_of(clue)))
            self.assertEqual(answer["columns"], columns(form_of(clue)))
            self.assertEqual((scan["certainty"], [hit["id"] for hit in scan["hits"]], scan["more"]), ("scan", expected, False), clue)
            found = [hit["id"] for hit in answer["hits"]]
            self.assertEqual(found, [name for name in expected if name in found], clue)
            if answer["certainty"] == "exact":
                exact += 1
                self.assertEqual((found, answer["more"], answer["predicted_recall"]), (expected, False, 1), clue)
            else:
                self.assertEqual((answer["certainty"], answer["guaranteed"]), ("likely", False), clue)
                self.assertLess(answer["predicted_recall"], 1)
            for hit in answer["hits"]:
                self.check_passage(hit, corpus)
                self.assertEqual(form_of(hit["passage"]), form_of(clue))
        self.assertGreater(exact, len(clues) // 4)

    def test_guaranteed_lengths_are_exact(self):
        corpus = self.corpus(3)
        for min_run in (12, 23, 40):
            index = self.build(corpus, "--min-run", min_run, index=f"index-{min_run}")
            stat = json.loads(self.neardup("index", "stat", index, "--json").stdout)
            self.assertEqual(stat["min_run"], min_run)
            clues = self.clues(corpus, 4)
            for clue, answer in zip(clues, self.ask(index, clues), strict=True):
                form = form_of(clue)
                latin, han = not any(map(wide, form)), all(map(wide, form))
                if (latin and len(form) >= stat["min_run"]) or (han and len(form) >= stat["min_run_wide"]):
                    self.assertEqual((answer["certainty"], [hit["id"] for hit in answer["hits"]]), ("exact", self.matches(corpus, clue)), clue)

    def test_limit_and_more(self):
        common = "shared by all of these texts without an exception"
        corpus = [(f"d{number}", f"{number} words before, {common}, and after {number * 7}") for number in range(30)]
        index = self.build(corpus)
        for options in ((), ("--scan",)):
            for limit, more in ((1, True), (29, True), (30, False), (31, False)):
                answer, = self.ask(index, [common], "--limit", limit, *options)
                self.assertEqual(([hit["id"] for hit in answer["hits"]], answer["more"]), ([name for name, _ in corpus][:limit], more))
        self.assertEqual(self.ask(index, [common], "--count")[0]["count"], 30)
        self.assertNotIn("hits", self.ask(index, [common], "--count")[0])

    def test_folded_ideographs(self):
        corpus = [("old", "中華人民共和國憲法是國家的根本法"), ("new", "中华人民共和国宪法是国家的根本法")]
        clue = "人民共和国宪法是国家的根"
        self.assertEqual([hit["id"] for hit in self.ask(self.build(corpus), [clue])[0]["hits"]], ["new"])
        folded = self.ask(self.build(corpus, "--fold-han", index="folded"), [clue, "人民共和國憲法是國家的根"])
        for answer in folded:
            self.assertEqual([hit["id"] for hit in answer["hits"]], ["old", "new"])


class Edits(SearchTest):
    def test_against_brute_force(self):
        corpus = self.corpus(5, texts=60)
        index = self.build(corpus)
        chance = random.Random(6)
        clues = []
        for clue in self.clues(corpus, 7, count=60):
            edited = list(clue)
            for _ in range(len(clue) // 10):
                edited[chance.randrange(len(edited))] = chance.choice(WORDS[0] + HAN[0])
            if form_of("".join(edited)):
                clues.append("".join(edited))
        forms = {name: form_of(text) for name, text in corpus}
        for clue, answer, scan in zip(clues, self.ask(index, clues, "--edits", "15%"), self.ask(index, clues, "--edits", "0.15", "--scan"), strict=True):
            most = len(form_of(clue)) * 15 // 100
            self.assertEqual(answer["max_edits"], most)
            edits = {name: distance(form_of(clue), form) for name, form in forms.items()}
            places = {name: place for place, (name, _) in enumerate(corpus)}
            expected = sorted((name for name in forms if edits[name] <= most), key=lambda name: (edits[name], places[name]))
            self.assertEqual([hit["id"] for hit in scan["hits"]], expected, clue)
            found = [hit["id"] for hit in answer["hits"]]
            self.assertEqual(found, [name for name in expected if name in found], clue)
            if answer["certainty"] == "exact":
                self.assertEqual(found, expected, clue)
            for hit in answer["hits"]:
                self.check_passage(hit, corpus, edits[hit["id"]])
                # A blank at either end of the passage is counted, and dropped when the passage is a text of its own.
                self.assertIn(distance(form_of(clue), form_of(hit["passage"])) - hit["edits"], (0, 1, 2))

    def test_differences(self):
        index = self.build([("fox", "the quick brown fox jumps over the lazy dog")])
        answer, = self.ask(index, ["quick brown cat jumps over the lazy"], "--edits", "10%")
        self.assertEqual((answer["hits"][0]["edits"], answer["hits"][0]["passage"]), (3, "quick brown fox jumps over the lazy"))


class Resembles(SearchTest):
    def test_against_brute_force(self):
        corpus = self.corpus(8, texts=80)
        index = self.build(corpus)
        clues = [clue for clue in self.clues(corpus, 9, count=60) if grams(form_of(clue))]
        sets = {name: grams(form_of(text)) for name, text in corpus}
        for measure in ("containment", "jaccard"):
            options = ("--resembles", "--threshold", "0.3", "--measure", measure)
            for clue, answer, scan in zip(clues, self.ask(index, clues, *options), self.ask(index, clues, *options, "--scan"), strict=True):
                of_clue = grams(form_of(clue))
                similar = {}
                for name, others in sets.items():
                    common, total = len(of_clue & others), len(of_clue if measure == "containment" else of_clue | others)
                    if common * 10 >= total * 3:
                        similar[name] = common / total
                expected = sorted(similar, key=lambda name: -similar[name])  # stable: ties in the order of the corpus
                self.assertEqual([hit["id"] for hit in scan["hits"]], expected, clue)
                for hit in scan["hits"] + answer["hits"]:
                    self.assertAlmostEqual(hit["similarity"], similar[hit["id"]])
                found = [hit["id"] for hit in answer["hits"]]
                self.assertEqual(found, [name for name in expected if name in found], clue)


class Updates(SearchTest):
    def test_add_delete_merge(self):
        corpus = self.corpus(10)
        first, second = corpus[:60], corpus[60:]
        index = self.build(first)
        self.write("more.jsonl", [{"id": name, "text": text} for name, text in second])
        result = self.neardup("index", "add", index, "more.jsonl", "--summary", "summary.json")
        summary = json.loads(self.read("summary.json"))
        self.assertEqual((summary["read"], summary["added"], summary["rejected"], summary["texts"]), (len(second), len(second), 0, len(corpus)))
        self.assertIn(f"read {len(second)} = added {len(second)} + rejected 0", result.stderr)
        result = self.neardup("index", "delete", index, "t3", "t70", "nobody")
        self.assertIn("deleted 2 of 3 ids (1 not found); 2 texts removed", result.stderr)
        self.assertIn("id 'nobody' is not in 'index'", result.stderr)
        left = [(name, text) for name, text in corpus if name not in ("t3", "t70")]
        clues = self.clues(corpus, 11)
        before = self.ask(index, clues)
        for clue, answer in zip(clues, before, strict=True):
            if answer["certainty"] == "exact":
                self.assertEqual([hit["id"] for hit in answer["hits"]], [name for name, text in left if form_of(clue) in form_of(text)], clue)
        stat = json.loads(self.neardup("index", "stat", index, "--json").stdout)
        self.assertEqual((stat["kind"], len(stat["segments"])), ("clue", 2))
        self.assertIn("122 texts in 1 segment", self.neardup("index", "merge", index).stderr)
        stat = json.loads(self.neardup("index", "stat", index, "--json").stdout)
        self.assertEqual((stat["texts"], len(stat["segments"])), (len(left), 1))
        self.assertEqual(self.ask(index, clues), before)
        self.assertIn("no damage, 1 segment", self.neardup("index", "verify", index).stderr)
        self.assertIn("kind          clue", self.neardup("index", "stat", index).stdout.decode())

    def test_threads_and_memory_change_nothing(self):
        corpus = self.corpus(12)
        clues = self.clues(corpus, 13)
        seen = set()
        for name, options in (("one", ("--threads", 1)), ("four", ("--threads", 4, "--memory", "64M"))):
            index = self.build(corpus, *options, index=name)
            files = tuple((path.name, path.read_bytes()) for path in sorted(self.path(index).iterdir()) if path.name.endswith(".ndh"))
            self.assertTrue(files)
            seen.add((files, json.dumps(self.ask(index, clues, *options[:2]))))
        self.assertEqual(len(seen), 1)

    def test_ids(self):
        self.write("in.jsonl", '{"id": 7, "text": "the number is its own name"}\n{"text": "this one here has no name at all"}\n{"id": "", "text": "an empty name is none"}\n')
        self.neardup("index", "build", "index", "in.jsonl", "--kind", "clue", "-q")
        clues = ["the number is its own name", "this one here has no name at all", "an empty name is none"]
        self.assertEqual([answer["hits"][0]["id"] for answer in self.ask("index", clues, "--scan")], ["7", "in.jsonl:2", "in.jsonl:3"])

    def test_rejects(self):
        self.write("in.jsonl", '{"id": "a", "text": "a text that can be read"}\nno json\n{"id": "b"}\n')
        self.neardup("index", "build", "index", "in.jsonl", "--kind", "clue", "--rejects", "bad.jsonl", "--summary", "s.json", "--max-rejects", "100%",
                     "--strict", code=3)
        summary = json.loads(self.read("s.json"))
        self.assertEqual((summary["read"], summary["added"], summary["rejected"]), (3, 1, 2))
        self.assertEqual(self.read("bad.jsonl"), b'no json\n{"id": "b"}\n')
        self.neardup("search", "index", "in.jsonl", "-o", "out.tsv", "--rejects", "bad.jsonl", "--summary", "s.json", "--max-rejects", "100%")
        summary = json.loads(self.read("s.json"))
        self.assertEqual((summary["read"], summary["with_texts"], summary["without"], summary["not_askable"], summary["rejected"]), (3, 1, 0, 0, 2))


class Outputs(SearchTest):
    CLUE = "to be or not to be, that is"

    def setUp(self):
        super().setUp()
        self.build([("h\t1", "He said:\tTo be, or not to be: that\nis the question."), ("x", "something else entirely, and longer")])

    def test_table(self):
        text = "To be, or not to be: that is".replace("that is", "that\nis")
        line = f"\th 1\t9\t{9 + len(text)}\t0\t1.000000\texact\tfalse\t{text.replace(chr(10), ' ')}\n"
        header = "query\tid\tbegin\tend\tedits\tsimilarity\tcertainty\tmore\tpassage\n"
        for arguments in (("--text", self.CLUE), ("--file", "clue.txt")):
            self.write("clue.txt", self.CLUE)
            self.assertEqual(self.neardup("search", "index", *arguments).stdout.decode(), header + line)
        self.write("clues.jsonl", [{"id": "a\tb", "text": self.CLUE}, {"text": "not in any of these texts at all"}, {"id": "c", "text": "?!"}])
        self.neardup("search", "index", "clues.jsonl", "-o", "out.tsv", "-q")
        self.assertEqual(self.read("out.tsv").decode(), header + "a b" + line)
        result = self.neardup("search", "index", "clues.jsonl", "--count")
        self.assertEqual(result.stdout.decode(), "query\tcount\tcertainty\tmore\na b\t1\texact\tfalse\nclues.jsonl:2\t0\texact\tfalse\nc\t\t\t\n")
        self.assertIn("3 clues = with texts 1 + without 1 + not askable 1 + rejected 0", result.stderr)

    def test_certainty_of_tables(self):
        """A table says on standard error what has no column, but nothing of an exact answer with hits."""
        likely = r"likely: expected to find [0-9]+ % of the matching texts; the clue has 15 characters \(15 columns\) in its normal form; " \
                 r"certain are clues of at least 11 ideographs or 23 Latin characters\. --scan finds all\n"
        self.assertEqual(self.neardup("search", "index", "--text", self.CLUE).stderr, "")
        self.assertRegex(self.neardup("search", "index", "--text", "to be or not to").stderr, f"^search: {likely}$")
        self.assertRegex(self.neardup("search", "index", "--text", "to be or not to", "--count").stderr, f"^search: {likely}$")
        self.assertRegex(self.neardup("search", "index", "--text", "nobody has this").stderr, f"^search: no match in 'index', {likely}$")
        self.assertEqual(self.neardup("search", "index", "--text", "nobody has this", "--scan").stderr, "search: no match in 'index', scan\n")
        self.assertEqual(self.neardup("search", "index", "--text", "nobody has this", "-q").stderr, "")
        self.write("clues.jsonl", [{"text": self.CLUE}, {"text": "to be or not to"}])
        self.neardup("search", "index", "clues.jsonl", "-o", "out.tsv", "--summary", "s.json", "-q")
        summary = json.loads(self.read("s.json"))
        self.assertEqual((summary["likely"], summary["more"]), (1, 0))
        self.assertTrue(0 < summary["min_predicted_recall"] < 1)
        self.assertIn("likely, not exact: 1 answer, expected to find at least ", self.neardup("search", "index", "clues.jsonl", "-o", "out.tsv").stderr)

    def test_largest_limit(self):
        answer = json.loads(self.neardup("search", "index", "--text", self.CLUE, "--limit", 2**64 - 1, "--json").stdout)
        self.assertEqual((answer["count"], len(answer["hits"]), answer["more"]), (1, 1, False))

    def test_many_clues_are_answered_on_all_threads_in_order(self):
        clues = [{"id": f"c{number}", "text": self.CLUE if number % 3 else "not in any of these texts at all"} for number in range(2000)]
        self.write("clues.jsonl", clues)
        for threads in (1, 3):
            self.neardup("search", "index", "clues.jsonl", "-o", "out.jsonl", "-q", "-j", threads)
            self.assertEqual([(row["query"], len(row["hits"])) for row in self.records("out.jsonl")],
                             [(f"c{number}", 1 if number % 3 else 0) for number in range(2000)])

    def test_json(self):
        self.write("clues.jsonl", [{"id": "q", "text": self.CLUE}, {"id": "empty", "text": "?!"}])
        self.neardup("search", "index", "clues.jsonl", "-o", "out.jsonl", "-q", "--explain")
        answer, problem = self.records("out.jsonl")
        self.assertEqual((answer["query"], answer["count"], answer["hits"][0]["id"], answer["hits"][0]["occurrences"]), ("q", 1, "h\t1", 1))
        self.assertEqual(set(answer["trace"]), {"lookups", "postings", "candidates", "settled", "texts_read", "asked"})
        self.assertEqual(set(problem), {"query", "problem"})
        self.neardup("search", "index", "--text", "?!", code=2)

    def page(self, *arguments, **environment):
        """What a person sees on a terminal."""
        main, other = pty.openpty()
        try:
            env = {"TERM": "xterm", **environment}
            self.neardup("search", "index", *arguments, env=env, stdout=other)
            os.close(other)
            other = None
            shown = b""
            while True:
                try:
                    part = os.read(main, 1 << 16)
                except OSError:  # the end
                    break
                if not part:
                    break
                shown += part
            return shown.decode().replace("\r\n", "\n")
        finally:
            os.close(main)
            if other is not None:
                os.close(other)

    def test_page(self):
        page = self.page("--text", self.CLUE, NO_COLOR="1")
        self.assertEqual(page, "h\\t1  characters 9 to 37\n    He said: [To be, or not to be: that is] the question.\n\n1 text with the clue\n"
                               "exact: the index misses no matching text\n")
        colored = self.page("--text", self.CLUE)
        self.assertIn("\x1b[1mTo be, or not to be: that is\x1b[0m the question.", colored)
        self.assertIn("likely: expected to find ", self.page("--text", "question"))
        self.assertIn("no text with the clue\n", self.page("--text", "not in any of these texts at all"))
        self.assertIn("scan: every text was read\n", self.page("--text", self.CLUE, "--scan"))
        self.assertIn("read\n", self.page("--text", self.CLUE, "--explain"))

    def test_stream(self):
        session = SearchSession(self, "index", "--json")
        for number in range(3):
            session.send(json.dumps({"id": f"s{number}", "text": self.CLUE}).encode() + b"\n")
            self.assertEqual(json.loads(session.line())["query"], f"s{number}")
            self.assertTrue(session.silent())


class SearchSession(Session):
    COMMAND = "search"


class Kinds(SearchTest):
    """Commands and options of one kind of index, used on the other."""

    def test_wrong_combinations(self):
        self.build([("a", "a text that is long enough for everything")])
        self.neardup("index", "build", "codes", "in.jsonl", "--recipe", "simhash-chars-4", "-q")
        for words, message in ((("query", "index", "--text", "x"), "'index'"),
                               (("dedup", "in.jsonl", "--recipe", "simhash-chars-4", "--against", "index", "-o", "out.jsonl"), "'index'"),
                               (("search", "codes", "--text", "x"), "the index 'codes' has fingerprints, not texts: neardup query asks it"),
                               (("search", "in.jsonl", "--text", "x"), "'in.jsonl' is a file: INDEX is a folder"),
                               (("index", "add", "index", "in.jsonl", "--recipe", "simhash-chars-4"),
                                "neardup index add takes no --recipe for a clue index: it is for fingerprints"),
                               (("index", "build", "new", "in.jsonl", "--kind", "clue", "--max-distance", "3"),
                                "neardup index build takes no --max-distance for a clue index: it is for fingerprints"),
                               (("index", "build", "new", "in.jsonl", "--recipe", "simhash-chars-4", "--min-run", "23"),
                                "neardup index build takes no --min-run for an index of fingerprints: it is for a clue index (--kind clue)"),
                               (("index", "add", "index", "in.jsonl", "--kind", "clue"), "neardup index add takes no --kind"),
                               (("index", "build", "new", "in.jsonl", "--kind", "clues"), "--kind: expected fingerprints or clue, not 'clues'"),
                               (("index", "build", "new", "in.jsonl", "--kind", "clue", "--min-run", "7"), "--min-run: expected 8 to 256, not '7'")):
            result = self.neardup(*words, code=2)
            self.assertIn(message, result.stderr, words)
        result = self.neardup("index", "build", "index", "in.jsonl", "--kind", "clue", code=None)
        self.assertIn("'index' is an index already", result.stderr)
        self.assertFalse(self.path("new").exists())


if __name__ == "__main__":
    assert BINARY
    unittest.main()
