"""--metrics: a file in Prometheus text exposition format 0.0.4, read here by a small parser of its own; and progress as JSON."""
import json
import os
import random
import re
import signal
import subprocess
import threading
import time
import unittest

from harness import BINARY, CliTest

SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^}]*)\})? (NaN|[+-]Inf|[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)$')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)')


def parse(text):
    """{(name, ((label, value), ...)): number}; raises for what the format does not allow."""
    if not text.endswith("\n"):
        raise ValueError("the last line does not end")
    samples, types, helped = {}, {}, set()
    for line in text.split("\n")[:-1]:
        if line.startswith("# HELP "):
            helped.add(line.split(" ")[2])
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            if name in types or kind not in ("counter", "gauge"):
                raise ValueError(line)
            types[name] = kind
        else:
            found = SAMPLE.match(line)
            if not found:
                raise ValueError(line)
            name, labels, value = found.groups()
            pairs = tuple(LABEL.findall(labels or ""))
            if name not in types or name not in helped or (name, pairs) in samples:
                raise ValueError(line)
            if types[name] == "counter" and not name.endswith("_total"):
                raise ValueError(line)
            samples[name, pairs] = float(value)
    return samples


class Metrics(CliTest):
    def corpus(self, count, words=40):
        generator = random.Random(7)
        vocabulary = [f"w{i}" for i in range(3000)]
        texts = [" ".join(generator.choices(vocabulary, k=words)) for _ in range(count // 2)]
        return self.write("in.jsonl", [{"id": i, "text": texts[i % len(texts)]} for i in range(count)])

    def metrics(self, name="m.prom"):
        return parse(self.read(name).decode())

    def test_slices_are_one_pass(self):
        """Five files of a slice each: a pass that begins five times is one."""
        for number in range(5):
            generator = random.Random(number // 2)
            texts = [" ".join(generator.choices([f"w{i}" for i in range(3000)], k=40)) for _ in range(300)]
            self.write(f"in{number}.jsonl", [{"id": number * 300 + i, "text": text} for i, text in enumerate(texts)])
        files = [f"in{number}.jsonl" for number in range(5)]
        summary = self.summary("dedup", *files, "-o", "kept.jsonl", "--metrics", "m.prom", "--batch", "300", "-q")
        self.assertEqual(summary["slices"], 5)
        found = self.metrics()
        self.assertEqual(found["neardup_pass_documents_total", (("pass", "sketch"),)], 1500)
        self.assertEqual(found["neardup_pass_documents_total", (("pass", "output"),)], 1500)
        self.assertEqual(found["neardup_pass_bytes_total", (("pass", "sketch"),)], sum(len(self.read(name)) for name in files))
        self.assertEqual(len([name for name, _ in found if name == "neardup_pass_seconds"]), len(summary["passes"]))
        self.assertEqual(found["neardup_documents_removed_total", ()], summary["removed"])

    def test_the_end_of_a_run(self):
        self.corpus(400)
        self.write("in.jsonl", self.read("in.jsonl") + b"broken\n")
        summary = self.summary("dedup", "in.jsonl", "-o", "kept.jsonl", "--metrics", "m.prom", "-q")
        found = self.metrics()
        for name in ("read", "kept", "removed"):
            self.assertEqual(found[f"neardup_documents_{name}_total", ()], summary[name])
        self.assertEqual((summary["read"], summary["kept"], summary["removed"], summary["rejected"]), (401, 200, 200, 1))
        by_kind = {dict(labels)["kind"]: value for (name, labels), value in found.items() if name == "neardup_documents_rejected_total"}
        self.assertEqual(by_kind, summary["rejected_by_kind"])
        self.assertEqual(by_kind["broken_json"], 1)
        self.assertEqual(found["neardup_running", ()], 0)
        self.assertEqual(found["neardup_failed", ()], 0)
        for report in summary["passes"]:
            self.assertAlmostEqual(found["neardup_pass_seconds", (("pass", report["name"]),)], report["seconds"], delta=0.001)
        size = self.path("in.jsonl").stat().st_size
        readings = [key for key in found if key[0] == "neardup_pass_bytes_total" and found[key] > 0]
        self.assertTrue(all(found[key] == size for key in readings))
        self.assertEqual(found["neardup_bytes_read_total", ()], size * len(readings))
        self.assertGreater(found["neardup_peak_memory_bytes", ()], 1_000_000)
        self.assertEqual(self.names(), ["in.jsonl", "kept.jsonl", "m.prom"], "nothing else is left behind")

    def test_every_command_that_runs(self):
        self.corpus(20)
        for words in (("pairs", "in.jsonl", "-o", "pairs.tsv"), ("quotes", "in.jsonl", "-o", "quotes.tsv"), ("sketch", "in.jsonl", "-o", "sketches.jsonl"),
                      ("dedup", "in.jsonl", "--dry-run")):
            self.neardup(*words, "--metrics", "m.prom", "-q")
            found = self.metrics()
            self.assertEqual(found["neardup_documents_read_total", ()], 20, words)
            self.assertEqual(found["neardup_running", ()], 0)

    def test_a_run_that_fails(self):
        self.corpus(20)
        self.neardup("dedup", "in.jsonl", "-o", "/dev/full", "--metrics", "m.prom", code=1)
        found = self.metrics()
        self.assertEqual((found["neardup_running", ()], found["neardup_failed", ()]), (0, 1))

    def test_a_run_that_does_not_begin_writes_nothing(self):
        self.neardup("dedup", "nothere.jsonl", "-o", "kept.jsonl", "--metrics", "m.prom", code=1)
        self.assertEqual(self.names(), [])

    def test_bad_places(self):
        self.corpus(4)
        self.assertIn("cannot write 'nodir/m'", self.neardup("dedup", "in.jsonl", "-o", "k", "--metrics", "nodir/m", code=1).stderr)
        for other in ("k", "in.jsonl"):
            before = self.read("in.jsonl")
            self.neardup("dedup", "in.jsonl", "-o", "k", "--metrics", other, code=2)
            self.assertEqual(self.read("in.jsonl"), before)

    def test_while_it_runs(self):
        """A reader never sees half a file, counters never fall, and an interrupt in the middle is said."""
        self.corpus(2000)
        feeder_reads, feeder_writes = os.pipe()
        process = subprocess.Popen([BINARY, "dedup", "-", "-o", "kept.jsonl", "--metrics", "m.prom", "-q", "--threads", "1"], cwd=self.dir,
                                   stdin=feeder_reads, stderr=subprocess.PIPE)
        os.close(feeder_reads)
        lines = self.read("in.jsonl")

        def feed():
            try:
                with os.fdopen(feeder_writes, "wb") as pipe:
                    for turn in range(10_000):
                        pipe.write(lines * 40)
                        if stop.is_set():
                            return
            except BrokenPipeError:
                pass

        stop = threading.Event()
        feeder = threading.Thread(target=feed)
        feeder.start()
        seen = []
        end = time.monotonic() + 20
        while time.monotonic() < end and len({sample["neardup_documents_read_total", ()] for sample in seen}) < 3:
            if self.path("m.prom").exists():
                seen.append(self.metrics())
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        stop.set()
        error = process.communicate(timeout=60)[1].decode()
        feeder.join()
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted", error)
        seen.append(self.metrics())
        for name, labels in seen[-1]:
            if name.endswith("_total"):
                values = [sample.get((name, labels), 0) for sample in seen]
                self.assertEqual(values, sorted(values), name)
        self.assertTrue(all(sample["neardup_running", ()] == 1 for sample in seen[:-1]))
        self.assertEqual((seen[-1]["neardup_running", ()], seen[-1]["neardup_failed", ()]), (0, 1))
        self.assertGreater(seen[-2]["neardup_documents_read_total", ()], 0)

    def test_progress_as_json(self):
        self.corpus(3000)
        errors = self.neardup("dedup", "in.jsonl", "-o", "kept.jsonl", "--log-format", "json").stderr
        events = [json.loads(line) for line in errors.splitlines()]
        progress = [event for event in events if event["event"] == "progress"]
        self.assertEqual([event["pass"] for event in progress if event["bytes_done"] == 0 and event["percent"] is None],
                         ["sketch", "group", "decide", "output"], "all are copies: no features to read")
        self.assertEqual([event["pass_number"] for event in progress], sorted(event["pass_number"] for event in progress))
        self.assertEqual({event["passes"] for event in progress}, {5})
        self.assertEqual({(event["pass"], event["pass_number"]) for event in progress}, {("sketch", 1), ("group", 2), ("decide", 4), ("output", 5)})
        decided = [event for event in progress if event["pass"] == "output"]
        self.assertTrue(decided and all(event["duplicates"] == 1500 for event in decided))
        for event in progress:
            self.assertTrue(event["percent"] is None or 0 <= event["percent"] <= 100)
            self.assertTrue(event["eta_seconds"] is None or event["eta_seconds"] >= 0)


if __name__ == "__main__":
    unittest.main()
