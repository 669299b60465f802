"""neardup tune: what it says about small corpora whose best parameters are known, its configuration, odd inputs, determinism."""
import json
import random
import tomllib
import unittest

from harness import CliTest

WORDS = "harbour engine report committee water bridge season market school letter garden river winter station library captain village window paper music".split()


def prose(random_numbers, words):
    return " ".join(random_numbers.choice(WORDS) + str(random_numbers.randrange(40)) for _ in range(words))


def notices(count):
    """One form with other names and dates: none is a duplicate."""
    form = "The office of {} announces that the hearing about the request for the new road along the northern shore of the lake takes place on day {} of " \
           "month {} in the large hall of the town, where everybody who lives in the town may speak for at most five minutes about it."
    return [{"id": f"n{i}", "text": form.format(WORDS[i % 20] + WORDS[i // 20 % 20], i % 28 + 1, i % 11 + 1)} for i in range(count)]


def with_errors(text, random_numbers, share):
    """Text recognition: one letter for another inside words."""
    return "".join(random_numbers.choice("eocanu") if c.isalpha() and random_numbers.random() < share else c for c in text)


class TuneTest(CliTest):
    def tune(self, *arguments, **keywords):
        return json.loads(self.neardup("tune", *arguments, "--json", "-q", **keywords).stdout)

    def scanned_pages(self, count):
        numbers = random.Random(1)
        pages = []
        for i in range(count):
            text = " ".join(numbers.choice(WORDS) + numbers.choice(WORDS) for _ in range(150))
            pages += [{"id": f"{i}-{scan}", "text": with_errors(text, numbers, 0.01)} for scan in range(2)]
        return pages

    def test_one_form_with_other_facts_wants_a_high_threshold(self):
        self.write("notices.jsonl", notices(200))
        found = self.tune("notices.jsonl")
        self.assertGreaterEqual(found["advice"]["threshold"], 0.9)
        self.assertGreater(found["pairs"]["kinds"]["facts"], 0.5)
        self.assertTrue(found["pairs"]["templates"])
        self.assertIn("threshold", [reason["option"] for reason in found["advice"]["reasons"]])

    def test_recognition_errors_want_characters(self):
        self.write("pages.jsonl", self.scanned_pages(60))
        found = self.tune("pages.jsonl")
        self.assertEqual(found["advice"]["recipe"], "chars-5")
        self.assertGreater(found["pairs"]["kinds"]["letters"], 0.5)

    def test_pages_are_compared_without_markup(self):
        numbers = random.Random(2)
        self.write("pages.jsonl", [{"id": i, "text": f"<html><body><div class='c{i}'><p>{prose(numbers, 80)}</p><p>{prose(numbers, 9)}</p></div></body></html>"}
                                   for i in range(30)])
        found = self.tune("pages.jsonl")
        self.assertEqual(found["advice"]["clean"], "html")
        self.assertGreater(found["corpus"]["html"], 0.9)

    def test_the_configuration_names_options_of_dedup(self):
        self.write("notices.jsonl", notices(100) + [{"id": f"s{i}", "text": f"note {i}"} for i in range(30)])
        page = self.neardup("tune", "notices.jsonl", "-o", "advice.toml", "-q").stdout.decode()
        self.assertIn("Recommended", page)
        text = (self.dir / "advice.toml").read_text()
        advice = tomllib.loads(text)
        self.assertEqual(advice["recipe"], "words-5")
        self.assertEqual(advice["min_length"], 40)
        self.assertGreaterEqual(advice["threshold"], 0.5)
        self.assertIn("# ", text)
        self.assertLessEqual(set(advice), {"recipe", "threshold", "min_length", "clean"})

    def test_dedup_runs_with_the_configuration(self):
        numbers = random.Random(5)
        pages = [{"id": f"{i}-{copy}", "text": f"<html><body><div><p>{prose_of_page}</p><p>{'and more' if copy else 'x'}</p></div></body></html>"}
                 for i in range(40) for prose_of_page in [prose(numbers, 80)] for copy in range(2)]
        self.write("pages.jsonl", pages + [{"id": f"short{i}", "text": f"<p>a note, {i}</p>"} for i in range(5)])
        self.write("notices.jsonl", notices(100))
        for name, keys in (("pages.jsonl", {"recipe", "threshold", "min_length", "clean"}), ("notices.jsonl", {"recipe", "threshold"})):
            with self.subTest(name):
                found = self.tune(name, "-o", "advice.toml")
                text = (self.dir / "advice.toml").read_text()
                advice = tomllib.loads(text)
                self.assertEqual(set(advice), keys)
                self.assertNotIn("(", text.splitlines()[0])  # the whole corpus is the sample: no range
                options = [part for key, value in advice.items() for part in (f"--{key.replace('_', '-')}", value)]
                self.neardup("dedup", name, "--config", "advice.toml", "-o", "kept.jsonl", "--summary", "summary.json", "-q")
                self.neardup("dedup", name, *options, "-o", "kept2.jsonl", "-q")
                self.assertEqual((self.dir / "kept.jsonl").read_bytes(), (self.dir / "kept2.jsonl").read_bytes())
                summary = json.loads((self.dir / "summary.json").read_text())
                self.assertAlmostEqual(summary["removed"] / summary["read"], found["expected"]["likely"], places=5)

    def test_whole_corpora_give_the_removals_of_a_run(self):
        numbers = random.Random(3)
        first = [{"id": f"a{i}", "text": prose(numbers, 100)} for i in range(60)]
        second = [{"id": f"b{i}", "text": record["text"] + (" and that was all of it" if i % 2 else "")} for i, record in enumerate(first[:40])]
        self.write("first.jsonl", first)
        self.write("second.jsonl", second)
        found = self.tune("first.jsonl", "second.jsonl")
        self.assertTrue(found["pairs"]["whole_corpus"])
        sources = {source["source"]: source for source in found["expected"]["sources"]}
        self.assertEqual([sources["first.jsonl"][name] for name in ("low", "likely", "high")], [0, 0, 0])
        self.assertEqual([sources["second.jsonl"][name] for name in ("low", "likely", "high")], [1, 1, 1])
        self.assertEqual(found["expected"]["exact"], 0.2)
        advice = found["advice"]
        self.neardup("dedup", "first.jsonl", "second.jsonl", "--recipe", advice["recipe"], "-t", advice["threshold"], "-o", "kept.jsonl", "-q")
        self.assertEqual(len(self.records("kept.jsonl")), 60)

    def test_samples_predict_within_their_range(self):
        numbers = random.Random(4)
        records = []
        for i in range(3000):
            text = prose(numbers, 30)
            records.append({"id": f"{i}", "text": text})
            if i % 3 == 0:
                records.append({"id": f"{i}b", "text": text + " once more"})
        self.write("many.jsonl", records)
        found = self.tune("many.jsonl", "--sample", 800)
        self.assertFalse(found["pairs"]["whole_corpus"])
        self.assertLessEqual(found["pairs"]["texts"], 800)
        expected = found["expected"]
        self.assertLessEqual(expected["low"], 0.25)
        self.assertGreaterEqual(expected["high"], 0.25)
        self.assertLess(expected["high"] - expected["low"], 0.2)

    def test_threads_change_nothing(self):
        self.write("pages.jsonl", self.scanned_pages(40) + notices(60))
        pages = {self.neardup("tune", "pages.jsonl", "--threads", threads, "-q", "--sample", 100).stdout for threads in (1, 2, 7)}
        self.assertEqual(len(pages), 1)

    def test_odd_corpora(self):
        (self.dir / "empty.jsonl").write_text("")
        self.assertEqual(self.tune("empty.jsonl")["corpus"]["documents"], 0)
        self.write("one.jsonl", [{"id": 1, "text": ""}])
        found = self.tune("one.jsonl")
        self.assertEqual([found["corpus"]["empty"], found["pairs"]["pairs"]], [1, 0])
        self.write("unlike.jsonl", [{"id": i, "text": prose(random.Random(i), 40)} for i in range(10)])
        found = self.tune("unlike.jsonl")
        self.assertEqual([found["advice"]["recipe"], found["advice"]["threshold"]], ["words-5", 0.8])
        self.assertEqual(found["expected"]["high"], 0)
        (self.dir / "junk").mkdir()
        for i in range(4):
            (self.dir / "junk" / f"{i}.txt").write_bytes(random.Random(i).randbytes(5000) + b"\x1b[31m")
        page = self.neardup("tune", "junk", "-q").stdout
        self.assertNotIn(b"\x1b", page)
        self.write("huge.jsonl", [{"id": "long", "text": prose(random.Random(5), 600_000)}, {"id": "short", "text": "a few words"}])
        self.assertEqual(self.tune("huge.jsonl")["corpus"]["documents"], 2)

    def test_wrong_use(self):
        self.write("good.jsonl", notices(3))
        for arguments, message in ((["good.jsonl", "-o", "-"], "--output: the configuration goes to a file"),
                                   (["good.jsonl", "--sample", "5"], "--sample"),
                                   (["good.jsonl", "-o", "advice.json"], ".toml"),
                                   (["good.jsonl", "--recipe", "words-5"], "--recipe")):
            self.assertIn(message, self.neardup("tune", *arguments, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
