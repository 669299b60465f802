"""`neardup compare` and `neardup sketch`: every measure against its definition."""
import json
import math
import unittest

from corpora import make_texts
from harness import CliTest
from oracle import features, normalize, words

BEST = "It was the best of times, it was the worst of times, it was the age of wisdom"
NEAR = "It was the best of times; indeed it was the worst of times, it was the age of wisdom"


class Compare(CliTest):
    def compare(self, a, b, *arguments):
        self.write("a.txt", a)
        self.write("b.txt", b)
        return json.loads(self.neardup("compare", "a.txt", "b.txt", "--json", *arguments).stdout)

    def test_measures_are_their_definitions(self):
        inside = 0
        for recipe, chinese in (("words-5", False), ("chars-5", True)):
            texts = [text for text in make_texts(21, originals=12, chinese=chinese) if features(text, recipe)]
            for a, b in zip(texts, texts[1:] + texts[:1]):
                x, y = features(a, recipe), features(b, recipe)
                got = self.compare(a, b, "--recipe", recipe)
                self.assertEqual((got["a"]["features"], got["b"]["features"], got["common"]), (len(x), len(y), len(x & y)))
                self.assertAlmostEqual(got["jaccard"], len(x & y) / len(x | y), places=8)
                self.assertAlmostEqual(got["containment_a"], len(x & y) / len(x), places=8)
                self.assertAlmostEqual(got["containment_b"], len(x & y) / len(y), places=8)
                self.assertAlmostEqual(got["cosine"], len(x & y) / math.sqrt(len(x) * len(y)), places=8)
                self.assertEqual(got["estimate"], got["equal_lanes"] / got["lanes"])
                self.assertEqual(got["match"], 10 * len(x & y) >= 8 * len(x | y))
                self.assertEqual(got["exact_copy"], normalize(a, recipe) == normalize(b, recipe))
                self.assertAlmostEqual(got["found_probability"], 1 - (1 - got["jaccard"]**got["rows_per_band"])**got["bands"], places=6)
                inside += got["estimate_low"] <= got["jaccard"] <= got["estimate_high"]
        self.assertGreater(inside, 0.8 * 2 * 30)

    def test_passages(self):
        got = self.compare(BEST, NEAR)
        self.assertEqual(got["passages"][0], {"tokens": 12, "text": "it was the worst of times it was the age of wisdom"})
        joined = " ".join(words(normalize(NEAR, "words-5")))
        for passage in got["passages"]:
            self.assertIn(passage["text"], joined)
            self.assertEqual(len(passage["text"].split()), passage["tokens"])

    def test_parts_cover_both_texts(self):
        a = "今天 天气很好。 Born in 1984, the BIG cat sat; nobody knew."
        b = "今天天气真好。 Born in 1985, the big cat sat: nobody knew why."
        got = self.compare(a, b)
        for side, text in (("a", a), ("b", b)):
            places = [part[side] for part in got["parts"]]
            end = char_end = 0
            for part, place in zip(got["parts"], places):
                self.assertEqual((place["begin"], place["char_begin"]), (end, char_end))
                end, char_end = place["end"], place["char_end"]
                self.assertEqual(text.encode()[place["begin"]:end].decode(), text[place["char_begin"]:char_end])
                if part["kind"] == "changed":
                    self.assertEqual(place["text"], text[place["char_begin"]:char_end])
            self.assertEqual((end, char_end), (len(text.encode()), len(text)))
        self.assertEqual([part.get("change") for part in got["parts"]],
                         ["spacing", "letters", None, "digits", "spacing", "punctuation", None, "words", None])
        self.assertEqual(got["changes"]["spacing"], {"changes": 2, "characters": 6})
        self.assertFalse(got["coarse"])

    def test_differences_are_marked(self):
        text = self.neardup("compare", "--text-a", BEST, "--text-b", NEAR).stdout.decode()
        self.assertIn("differences of the original texts: 1 change: words 1\nIt was the best of times[-,-]{+; indeed+} it was the worst", text)
        same = "the very same words " * 30
        long = self.neardup("compare", "--text-a", same + "old", "--text-b", same + "new").stdout.decode()
        self.assertRegex(long, r"\n\[\.\.\. [0-9]+ characters \.\.\.\].*\[-old-\]\{\+new\+\}\n")
        self.assertIn("differences of the original texts: none", self.neardup("compare", "--text-a", same, "--text-b", same).stdout.decode())

    def test_differences_are_harmless_for_terminals(self):
        text = self.neardup("compare", "--text-a", "a \x1b[31m b", "--text-b", "a \x1b[32m c").stdout.decode()
        self.assertNotIn("\x1b", text)
        self.assertIn("\\x1b", text)

    def test_short_texts_have_no_similarity(self):
        got = self.compare("too short", "as short")
        self.assertIsNone(got["jaccard"])
        self.assertFalse(got["match"])
        self.assertTrue(self.compare("Too  short", "too short")["match"])
        self.assertIn("too short", self.neardup("compare", "a.txt", "b.txt").stdout.decode())

    def test_texts_on_the_command_line(self):
        text = self.neardup("compare", "--text-a", BEST, "--text-b", NEAR, "-t", "0.5").stdout.decode()
        for part in ("Jaccard               0.555556   10 common of 18 features", "95 % interval", "1st contained in 2nd  0.769231",
                     "They match at threshold 0.5", "12 tokens: it was"):
            self.assertIn(part, text)
        self.assertNotIn("\033", text, "no colors but on a terminal")
        self.write("b.txt", NEAR)
        self.assertIn("They match", self.neardup("compare", "-", "b.txt", "-t", "0.5", stdin=BEST.encode()).stdout.decode())

    def test_markup_is_compared_with_a_warning(self):
        self.write("a.html", f"<p>{BEST}</p>")
        self.write("b.html", f"<p>{NEAR}</p>")
        warning = "warning: a.html: input is HTML but recipe 'words-5' does not strip markup; use --clean html\n"
        self.assertEqual(self.neardup("compare", "a.html", "b.html").stderr, warning)
        for chosen in (("--clean", "html"), ("--clean", "none"), ("--recipe", "html-words-5")):
            self.assertEqual(self.neardup("compare", "a.html", "b.html", *chosen).stderr, "")

    def test_failures(self):
        self.assertIn("cannot open 'none.txt'", self.neardup("compare", "none.txt", "none.txt", code=1).stderr)
        self.assertIn("two texts are needed", self.neardup("compare", "--text-a", "x", code=2).stderr)
        self.assertIn("one argument too many", self.neardup("compare", "/dev/null", "--text-a", "x", "--text-b", "y", code=2).stderr)
        self.assertIn("cannot read '.'", self.neardup("compare", ".", ".", code=1).stderr)


class Sketch(CliTest):
    def test_sketches(self):
        texts = make_texts(22)
        self.write("a.jsonl", [{"id": f"d{i}", "text": text} for i, text in enumerate(texts)] + [{"text": "no id"}])
        self.write("b.txt", BEST)
        self.neardup("sketch", "a.jsonl", "b.txt", "-o", "s.jsonl", "-q")
        rows = self.records("s.jsonl")
        places = [("a.jsonl", i + 1) for i in range(len(texts) + 1)] + [("b.txt", 1)]
        self.assertEqual([(row["source"], row["row"]) for row in rows], places)
        self.assertEqual([row["id"] for row in rows], [f"d{i}" for i in range(len(texts))] + [None, "b.txt"])
        for row, text in zip(rows, texts):
            count = len(features(text, "words-5"))
            self.assertEqual((row["features"], row["too_short"]), (count, count == 0))
            self.assertRegex(row["exact"], "^[0-9a-f]{32}$")
            self.assertEqual(row["recipe_id"], "45c72da0977da1d1")
            if count == 0:
                self.assertIsNone(row["signature"])
            else:
                self.assertEqual(len(row["signature"]), 128)
                self.assertTrue(all(0 <= lane < 2**32 for lane in row["signature"]))
        by_hash = {}
        for row, text in zip(rows, texts):
            by_hash.setdefault(row["exact"], set()).add(normalize(text, "words-5"))
        self.assertTrue(all(len(normalized) == 1 for normalized in by_hash.values()))
        self.assertEqual(len(by_hash), len({normalize(text, "words-5") for text in texts}))

    def test_a_sketch_is_that_of_compare(self):
        self.write("in.jsonl", [{"id": 1, "text": BEST}, {"id": 2, "text": NEAR}])
        one, two = (json.loads(line)["signature"] for line in self.neardup("sketch", "in.jsonl", "-q").stdout.splitlines())
        compared = json.loads(self.neardup("compare", "--text-a", BEST, "--text-b", NEAR, "--json").stdout)
        self.assertEqual(sum(x == y for x, y in zip(one, two)), compared["equal_lanes"])

    def test_rows_rejects_and_threads(self):
        lines = []
        for index in range(30000):
            lines.append("" if index % 97 == 0 else "{bad" if index % 101 == 0 else json.dumps({"id": index + 1,
                                                                                                "text": f"{BEST} number {index} " * 3}))
        self.write("in.jsonl", "\n".join(lines) + "\n")
        outputs = []
        for threads in (1, 3):
            self.neardup("sketch", "in.jsonl", "-o", "s.jsonl", "--rejects", "r.jsonl", "-j", threads, "--strict", "-q", code=3)
            outputs.append(self.read("s.jsonl"))
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(self.read("r.jsonl"), b"{bad\n" * lines.count("{bad"))
        rows = [json.loads(line[:120].split(b',"exact"')[0] + b"}") for line in outputs[0].splitlines()]
        self.assertEqual([row["row"] for row in rows], [int(row["id"]) for row in rows])
        self.assertEqual(len(rows), 30000 - lines.count("") - lines.count("{bad"))


if __name__ == "__main__":
    unittest.main()
