"""`neardup dedup`: what the outputs hold, to the byte."""
import gzip
import json
import unittest

from harness import CliTest

BEST = "It was the best of times, it was the worst of times, it was the age of wisdom"
NEAR = "IT WAS the best of times; it was the worst of times: it was the age of wisdom indeed"
OTHER = "Call me Ishmael. Some years ago, never mind how long precisely, having little money"


class Outputs(CliTest):
    def test_kept_lines_are_the_bytes_of_the_input(self):
        lines = [
            b'  {"text" :  "%s" , "id": 1.50, "x": [1,2, 3]}  ' % BEST.encode(),
            b'{"id":"\\u00e9","text":"%s"}\r' % NEAR.encode(),
            b'{"text":"tab\\tand \\ud83d\\ude00 and \xe2\x80\xa8 and \xc2\x85 and \\u0000 are text","id":"\xe6\x96\x87"}',
            b"",
            b'{"id": null, "text": "", "deep": {"text": "' + OTHER.encode() + b'"}}',
            b'{"text":"' + OTHER.encode() + b'"}',  # the last line, without a newline
        ]
        self.write("in.jsonl", b"\n".join(lines))
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--removed", "removed.jsonl", "--threshold", "0.7")
        self.assertEqual(self.read("kept.jsonl"), b"".join(lines[i] + b"\n" for i in (0, 2, 4, 5)))
        self.assertEqual(self.read("removed.jsonl"), lines[1] + b"\n")

    def test_a_newline_ends_a_record_and_nothing_else(self):
        for break_ in ("\u2028", "\u2029", "\u0085", "\u000b", "\u000c", "\\u0000", "\\n", "\\r"):
            line = '{"id":"a","text":"one%stwo three four five six seven"}\n' % break_
            if break_ in "\u000b\u000c":
                line = line.replace(break_, json.dumps(break_)[1:-1])
            self.write("in.jsonl", line)
            self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl")
            self.assertEqual(self.read("kept.jsonl"), line.encode())

    def test_verdict_fields(self):
        records = [{"id": "a", "text": BEST}, {"text": NEAR}, {"id": 7, "text": "hi"}, {"id": "c", "text": " HI "},
                   {"id": "d", "text": OTHER}]
        self.write("in.jsonl", records)
        self.neardup("dedup", "in.jsonl", "--verdicts", "verdicts.jsonl", "--threshold", "0.7")
        rows = self.records("verdicts.jsonl")
        self.assertEqual(list(rows[0]), ["id", "source", "row", "verdict", "reason", "keeper_id", "keeper_source", "keeper_row",
                                         "similarity", "cluster_id", "cluster_size"])
        self.assertEqual([row["id"] for row in rows], ["a", None, "7", "c", "d"])
        self.assertEqual([row["row"] for row in rows], [1, 2, 3, 4, 5])
        self.assertEqual([row["reason"] for row in rows], ["keeper", "near_duplicate", "keeper", "exact_copy", "unique"])
        self.assertEqual([row["keeper_id"] for row in rows], [None, "a", None, "7", None])
        self.assertEqual([row["keeper_row"] for row in rows], [None, 1, None, 3, None])
        self.assertEqual([row["keeper_source"] for row in rows], [None, "in.jsonl", None, "in.jsonl", None])
        self.assertEqual([row["similarity"] for row in rows], [None, 0.928571, None, 1.0, None])  # 13 of 14 shingles
        self.assertEqual([row["cluster_id"] for row in rows], [f"in.jsonl:{row}" for row in (1, 1, 3, 3, 5)])
        self.assertEqual([row["cluster_size"] for row in rows], [2, 2, 2, 2, 1])

    def test_verdicts_as_a_table(self):
        self.write("in.jsonl", [{"id": "a\tb\nc", "text": BEST}, {"id": "x", "text": NEAR}, {"text": "short"}])
        self.neardup("dedup", "in.jsonl", "--verdicts", "v.tsv.gz", "-t", "0.7")
        lines = gzip.decompress(self.read("v.tsv.gz")).decode().split("\n")
        self.assertEqual(lines, ["id\tsource\trow\tverdict\treason\tkeeper_id\tkeeper_source\tkeeper_row\tsimilarity\tcluster_id\tcluster_size",
                                 "a b c\tin.jsonl\t1\tkeep\tkeeper\t\t\t\t\tin.jsonl:1\t2",
                                 "x\tin.jsonl\t2\tremove\tnear_duplicate\ta b c\tin.jsonl\t1\t0.928571\tin.jsonl:1\t2",
                                 "\tin.jsonl\t3\tkeep\tshort\t\t\t\t\tin.jsonl:3\t1", ""])

    def test_annotate_adds_fields_and_keeps_the_rest(self):
        lines = [b'{"id":"a","text":"%s","n":1.10}' % BEST.encode(), b'{"id":"b","text":"%s" } ' % NEAR.encode()]
        self.write("in.jsonl", b"\n".join(lines))
        self.neardup("dedup", "in.jsonl", "--annotate", "all.jsonl", "-t", "0.7")
        got = self.read("all.jsonl").split(b"\n")
        self.assertTrue(got[0].startswith(b'{"id":"a","text":"%s","n":1.10,"neardup_verdict":"keep"' % BEST.encode()), got[0])
        rows = self.records("all.jsonl")
        self.assertEqual({key: value for key, value in rows[1].items() if key.startswith("neardup_")},
                         {"neardup_verdict": "remove", "neardup_reason": "near_duplicate", "neardup_keeper_id": "a",
                          "neardup_keeper_source": "in.jsonl", "neardup_keeper_row": 1, "neardup_similarity": 0.928571,
                          "neardup_cluster_id": "in.jsonl:1", "neardup_cluster_size": 2})

    def test_output_dir_mirrors_the_inputs(self):
        self.write("in/x/one.jsonl", [{"id": 1, "text": BEST}, {"id": 2, "text": OTHER}])
        self.write("in/two.jsonl", [{"id": 3, "text": NEAR}])
        self.neardup("dedup", "in", "--output-dir", "out", "-t", "0.7", "--keep", "source-order")
        self.assertEqual([record["id"] for record in self.records("out/two.jsonl")], [3])  # in/two.jsonl sorts before in/x/
        self.assertEqual([record["id"] for record in self.records("out/x/one.jsonl")], [2])

    def test_text_trees(self):
        self.write("books/a.txt", BEST)
        self.write("books/b.md", NEAR)
        self.write("books/c/d.txt", 'quotes " and \\ and\nnewlines ' + OTHER)
        self.write("books/ignored.bin", b"\x00\x01")
        self.neardup("dedup", "books", "-o", "kept.jsonl", "-t", "0.7")
        self.assertEqual(self.records("kept.jsonl"), [{"id": "books/a.txt", "text": BEST},
                                                      {"id": "books/c/d.txt", "text": 'quotes " and \\ and\nnewlines ' + OTHER}])

    def test_fields(self):
        self.write("in.jsonl", [{"doc": {"key": "a"}, "title": "It was the best", "body": {"plain": BEST}},
                                {"doc": {"key": "b"}, "title": "It was the best", "body": {"plain": BEST}}])
        self.neardup("dedup", "in.jsonl", "--verdicts", "v.jsonl", "--id-field", "doc.key", "--text-field", "title,body.plain")
        one = self.read("v.jsonl")
        self.assertEqual(self.records("v.jsonl")[1]["keeper_id"], "a")
        self.neardup("dedup", "in.jsonl", "--verdicts", "v.jsonl", "--id-field", "doc.key", "--text-field", "title", "--text-field",
                     "body.plain")
        self.assertEqual(self.read("v.jsonl"), one)

    def test_streams(self):
        lines = b"".join(json.dumps({"id": i, "text": text}).encode() + b"\n" for i, text in enumerate([BEST, NEAR, OTHER]))
        result = self.neardup("dedup", "-", "-o", "-", "-t", "0.7", stdin=gzip.compress(lines))
        self.assertEqual(result.stdout, lines.splitlines(True)[0] + lines.splitlines(True)[2])
        self.assertIn("read 3 = kept 2 + removed 1 + rejected 0", result.stderr)

    def test_dry_run_writes_nothing(self):
        self.write("in.jsonl", [{"id": 1, "text": BEST}, {"id": 2, "text": NEAR}])
        result = self.neardup("dedup", "in.jsonl", "--dry-run", "-o", "kept.jsonl", "--rejects", "r.jsonl", "--summary", "s.json", "-t",
                              "0.7")
        self.assertIn("read 2 = kept 1 + removed 1 + rejected 0", result.stderr)
        self.assertIn("nothing was written", result.stderr)
        self.assertEqual(self.names(), ["in.jsonl"])

    def test_an_existing_output_is_replaced_as_a_whole(self):
        self.write("in.jsonl", [{"id": 1, "text": BEST}])
        self.write("kept.jsonl", "old " * 100000)
        self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl")
        self.assertEqual(self.read("kept.jsonl"), self.read("in.jsonl"))
        self.assertEqual(self.names(), ["in.jsonl", "kept.jsonl"])

    def test_unverified(self):
        self.write("in.jsonl", [{"id": "a", "text": BEST}, {"id": "b", "text": NEAR}])
        self.neardup("dedup", "in.jsonl", "--verdicts", "v.jsonl", "--verify", "false", "-t", "0.7")
        self.assertEqual(self.records("v.jsonl")[1]["reason"], "unverified")

    def test_a_recipe_of_ones_own(self):
        recipe = json.loads(self.neardup("recipe", "words-5", "--json").stdout)
        recipe["shingle"]["size"] = 2
        self.write("mine.json", json.dumps(recipe))
        self.write("in.jsonl", [{"id": "a", "text": "one two three"}, {"id": "b", "text": "ONE two, three!"}])
        for name, kept in [("words-5", 2), ("mine.json", 1)]:
            self.assertEqual(self.summary("dedup", "in.jsonl", "--recipe", name)["kept"], kept)


class Reports(CliTest):
    def test_summary(self):
        self.write("in.jsonl", [{"id": 1, "text": BEST}, {"id": 2, "text": NEAR}, {"id": 3, "text": BEST}, {"id": 4, "text": "hi"},
                                {"id": 4}])
        summary = self.summary("dedup", "in.jsonl", "-o", "kept.jsonl", "-t", "0.7")
        counts = {"read": 5, "kept": 2, "removed": 2, "rejected": 1, "exact_copies": 1, "near_duplicates": 1, "short_texts": 1,
                  "duplicate_ids": 0}
        self.assertEqual({key: summary[key] for key in counts}, counts)
        self.assertEqual([each["name"] for each in summary["passes"]], ["sketch", "group", "features", "decide", "output"])
        self.assertGreater(summary["peak_memory_bytes"], 1_000_000)
        self.assertEqual(len(summary["recipe_id"]), 16)
        self.assertEqual(summary["warnings"], ["in.jsonl:5: rejected: no field 'text'"])

    def test_the_first_line_says_what_will_be_done(self):
        self.write("in.jsonl", [{"id": 1, "text": BEST}])
        result = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--memory", "64M", "-j", "2", "--keep", "longest")
        first = result.stderr.split("\n")[0]
        for part in ("recipe words-5 (", "threshold 0.8", "21 bands of 6 rows", "0.17 %", "keep longest", "2 threads", "memory 64M,",
                     "1 input", "99 bytes"):
            self.assertIn(part, first)
        self.assertEqual(result.stderr.rstrip().split("\n")[-1], "wrote kept.jsonl")

    def test_json_log(self):
        self.write("in.jsonl", [{"id": 1, "text": BEST}, {"id": 1, "text": 'not "text'}, {"id": 2, "text": 5}])
        result = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--log-format", "json")
        events = [json.loads(line) for line in result.stderr.splitlines()]
        self.assertEqual([event["event"] for event in events if event["event"] != "progress"], ["start", "warning", "warning", "summary"])
        self.assertEqual(events[0]["recipe"], "words-5")
        self.assertEqual(events[-1]["summary"]["rejected"], 1)
        self.assertEqual(events[-1]["outputs"], ["kept.jsonl"])
        result = self.neardup("dedup", "none.jsonl", "-o", "kept.jsonl", "--log-format", "json", code=1)
        self.assertEqual(json.loads(result.stderr)["event"], "error")

    def test_quiet(self):
        self.write("in.jsonl", [{"id": 1, "text": BEST}, {"id": 1, "text": 3}])
        self.assertEqual(self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "-q").stderr, "")

    def test_documents_without_the_rank_field_are_counted(self):
        self.write("in.jsonl", [{"id": 1, "text": BEST, "score": 1}, {"id": 2, "text": NEAR, "score": "1"}, {"id": 3, "text": OTHER}])
        self.assertEqual(self.summary("dedup", "in.jsonl", "--keep", "max:score")["without_rank_value"], 2)
        self.assertEqual(self.summary("dedup", "in.jsonl")["without_rank_value"], 0)


if __name__ == "__main__":
    unittest.main()
