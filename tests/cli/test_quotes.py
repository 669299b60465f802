"""`neardup quotes`: the passages that texts share with earlier texts, against a slow search over the definition."""
import json
import random
import unittest

from harness import CliTest

WIDE = range(0x4E00, 0xA000)
HEADER = ["id_a", "begin_a", "end_a", "id_b", "begin_b", "end_b", "length", "passage"]


def form_of(text):
    """The form of a text of ASCII, ideographs and their punctuation: its characters, and the bytes of the text that each came from."""
    form, places, at, blank = [], [], 0, None
    for c in text:
        size = len(c.encode())
        image = c.lower()
        if image.isalnum():
            if blank and form and ord(form[-1]) not in WIDE and ord(image) not in WIDE:
                form.append(" ")
                places.append(blank)
            form.append(image)
            places.append((at, at + size))
            blank = None
        else:
            blank = (blank[0] if blank else at, at + size)
        at += size
    return "".join(form), places


def columns(run):
    return sum(2 if ord(c) in WIDE else 1 for c in run)


def passages(documents, min_run, max_places):
    """The rows, and the passages that have more places."""
    forms = [form_of(text) for _, text in documents]
    rows, capped = [], 0
    for a, (form, places) in enumerate(forms):
        covered = 0
        for begin, first in enumerate(form):
            if first == " ":
                continue
            end = begin
            for other, _ in forms[:a]:
                while end < len(form) and form[begin:end + 1] in other:
                    end += 1
            while end > begin and form[end - 1] == " ":
                end -= 1
            if end <= covered:
                continue
            covered = end
            run = form[begin:end]
            if columns(run) < min_run:
                continue
            found = [(b, at) for b in range(a) for at in range(len(forms[b][0])) if forms[b][0].startswith(run, at)]
            capped += len(found) > max_places
            here = places[begin][0], places[end - 1][1]
            for b, at in found[:max_places]:
                there = forms[b][1][at][0], forms[b][1][at + len(run) - 1][1]
                rows.append([documents[a][0], *here, documents[b][0], *there, columns(run), documents[a][1].encode()[here[0]:here[1]].decode()])
    return rows, capped


def related(seed, count):
    """Texts that share pieces, written with other case, white space and punctuation."""
    chance = random.Random(seed)
    words = ["".join(chance.choice("abcdefghij") for _ in range(chance.randint(2, 7))) for _ in range(40)]
    pieces = ["".join(chr(chance.randrange(0x4E00, 0x4E40)) for _ in range(chance.randint(4, 40))) for _ in range(8)]
    pieces += [" ".join(chance.choice(words) for _ in range(chance.randint(3, 12))) for _ in range(8)]
    texts = []
    for _ in range(count):
        text = ""
        for _ in range(chance.randint(0, 5)):
            piece = chance.choice(pieces)
            if chance.random() < 0.3:
                piece = piece[chance.randrange(len(piece)):]
            if chance.random() < 0.3:
                piece = piece.upper().replace(" ", chance.choice([", ", "\n", "  ", "-"]))
            text += piece + chance.choice(["", " ", "。", "，", ". X", "\t"])
        texts.append(text)
    return texts


class Quotes(CliTest):
    def setUp(self):
        super().setUp()
        texts = related(11, 60)
        self.write("in.jsonl", [({"id": f"d{i}"} if i % 3 else {}) | {"text": text} for i, text in enumerate(texts)])
        self.documents = [(f"d{i}" if i % 3 else f"in.jsonl:{i + 1}", text) for i, text in enumerate(texts)]

    def test_equals_the_definition(self):
        for min_run in (9, 16, 30, 40):
            expected, _ = passages(self.documents, min_run, 1)
            self.assertGreater(len(expected), 10)
            self.neardup("quotes", "in.jsonl", "--min-run", min_run, "-o", "q.jsonl", "-q")
            self.assertEqual([list(row.values()) for row in self.records("q.jsonl")], expected)
            self.assertEqual(list(self.records("q.jsonl")[0]), HEADER)
            self.neardup("quotes", "in.jsonl", "--min-run", min_run, "-o", "q.tsv", "-q")
            self.assertEqual([list(row.values()) for row in self.table("q.tsv")],
                             [[str(cell).replace("\t", " ").replace("\n", " ") for cell in row] for row in expected])

    def test_all_places(self):
        for most in (1, 3, 100):
            expected, capped = passages(self.documents, 20, most)
            summary = self.summary("quotes", "in.jsonl", "--min-run", 20, "--all-places", "--max-places", most, "-o", "q.jsonl", "-q")["quotes"]
            self.assertEqual([list(row.values()) for row in self.records("q.jsonl")], expected)
            self.assertEqual(summary["rows"], len(expected))
            self.assertEqual(summary["capped_passages"], capped if most > 1 else 0)
        self.assertEqual(len({tuple(row[:3]) for row in expected}), summary["passages"])

    def test_summary_adds_up(self):
        expected, _ = passages(self.documents, 20, 1)
        summary = self.summary("quotes", "in.jsonl", "--min-run", 20, "-o", "q.tsv", "-q")
        self.assertEqual(summary["read"], 60)
        self.assertEqual(summary["text_bytes"], sum(len(text.encode()) for _, text in self.documents))
        found = summary["quotes"]
        self.assertEqual((found["passages"], found["rows"]), (len(expected), len(expected)))
        self.assertEqual(found["texts"], len({row[0] for row in expected}))
        shared = {(row[0], byte) for row in expected for byte in range(row[1], row[2])}
        self.assertEqual(found["shared_bytes"], len(shared))
        said = self.neardup("quotes", "in.jsonl", "--min-run", 20, "-o", "q.tsv").stderr
        self.assertIn(f"\n{len(expected)} passages in {found['texts']} texts, ", said)

    def test_threads_memory_and_places_of_inputs_do_not_matter(self):
        self.write("more.jsonl", [{"id": i, "text": text} for i, text in enumerate(related(12, 3000))])
        self.neardup("quotes", "in.jsonl", "more.jsonl", "-o", "one.tsv", "-q", "-j", 1)
        self.assertGreater(len(self.table("one.tsv")), 2000)
        for arguments in (("-j", 3), ("--memory", "64M", "-j", 2)):
            self.neardup("quotes", "in.jsonl", "more.jsonl", "-o", "two.tsv", "-q", *arguments)
            self.assertEqual(self.read("two.tsv"), self.read("one.tsv"))
        piped = self.neardup("quotes", "in.jsonl", "-", "-q", stdin=self.read("more.jsonl")).stdout
        self.assertEqual(piped, self.read("one.tsv"))

    def test_what_exceeds_the_memory_is_compared_slice_by_slice(self):
        text = "".join(chr(0x4E00 + i % 1000) for i in range(100_000))
        self.write("large.jsonl", [{"text": f"{i}{text}{i}"} for i in range(12)] + [{"id": f"d{i}", "text": text} for i, (_, text) in enumerate(self.documents)])
        whole = self.summary("quotes", "large.jsonl", "-o", "whole.tsv", "--memory", "1G", "--all-places", "--max-places", 3, "-q")["quotes"]
        sliced = self.summary("quotes", "large.jsonl", "-o", "sliced.tsv", "--memory", "64M", "--all-places", "--max-places", 3, "-q")["quotes"]
        self.assertGreater(len(self.table("whole.tsv")), 33)
        self.assertEqual(self.read("sliced.tsv"), self.read("whole.tsv"))
        self.assertGreater(sliced.pop("slices"), 1)
        self.assertEqual(whole.pop("slices"), 1)
        self.assertEqual(sliced, whole)

    def test_one_passage_too_large_for_the_memory_is_an_error(self):
        self.write("large.jsonl", [{"text": "".join(chr(0x4E00 + i % 10_000) for i in range(500_000))}] * 2)
        said = self.neardup("quotes", "large.jsonl", "-o", "q.tsv", "--memory", "64M", code=1).stderr
        self.assertIn("--memory: 500,000 characters in a row of one text are also in others, 36 bytes of memory each; that does not fit into half of", said)
        self.assertNotIn("q.tsv", self.names())

    def test_folded_ideographs(self):
        self.write("han.jsonl", [{"id": "a", "text": "人民法院审理行政案件，对具体行政行为是否合法进行审查。"},
                                 {"id": "b", "text": "報載：人民法院審理行政案件，對具體行政行為是否合法進行審查。"}])
        self.neardup("quotes", "han.jsonl", "-o", "q.jsonl", "-q")
        self.assertEqual(self.records("q.jsonl"), [])
        self.neardup("quotes", "han.jsonl", "--fold-han", "-o", "q.jsonl", "-q")
        [row] = self.records("q.jsonl")
        self.assertEqual((row["id_a"], row["id_b"], row["length"], row["passage"]), ("b", "a", 50, "人民法院審理行政案件，對具體行政行為是否合法進行審查"))

    def test_bad_records_and_options(self):
        self.write("bad.jsonl", b'{"text": "some words that are repeated in the next record, forty of them"}\n{"text": 3}\n'
                   b'{"text": "some words that are repeated in the next record, forty of them"}\n')
        self.neardup("quotes", "bad.jsonl", "--rejects", "r.jsonl", "-o", "q.tsv", "--strict", "-q", code=3)
        self.assertEqual([(row["id_a"], row["id_b"]) for row in self.table("q.tsv")], [("bad.jsonl:3", "bad.jsonl:1")])
        self.assertEqual(self.read("r.jsonl"), b'{"text": 3}\n')
        self.write("none.jsonl", "")
        self.assertEqual(self.neardup("quotes", "none.jsonl", "-q").stdout.decode(), "\t".join(HEADER) + "\n")
        for arguments, message in ((("in.jsonl", "--min-run", 8), "--min-run: expected 9 to 1000000, not '8'"),
                                   (("in.jsonl", "--max-places", 5), "--max-places is for --all-places"),
                                   (("in.jsonl", "--all-places", "--max-places", 0), "--max-places: expected 1 to 1000000, not '0'"),
                                   (("in.jsonl", "-o", "in.jsonl"), "is also an input"),
                                   (("in.jsonl", "-o", "q.csv"), "does not write '.csv' files"),
                                   (("in.jsonl", "--recipe", "chars-5"), "--recipe")):
            self.assertIn(message, self.neardup("quotes", *arguments, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
