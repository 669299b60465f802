"""No password of a URI is shown, however the URI is written and wherever it is given."""
import concurrent.futures
import json
import subprocess
import unittest

from harness import BINARY, CliTest
from secret_uris import FIRST, SECOND, malformed_uris

PATIENCE_S = 2  # a valid URI names a missing server, for which the program waits
LINE = '{"id": 1, "text": "one two three four five six seven"}\n'


class Secrets(CliTest):
    # Where a URI can be given, as input or output, and where none is understood.
    PLACES = (("dedup", "{}", "-o", "k.jsonl"), ("dedup", "in.jsonl", "-o", "{}"), ("dedup", "in.jsonl", "--verdicts", "{}", "--log-format", "json"),
              ("dedup", "in.jsonl", "-o", "k.jsonl", "--against", "{}"), ("dedup", "in.jsonl", "-o", "k.jsonl", "--rejects={}"),
              ("dedup", "in.jsonl", "-o", "k.jsonl", "--summary", "{}", "--log-format=json"), ("pairs", "{}", "-o", "p.tsv", "--metrics", "m.prom"),
              ("dedup", "{}", "-o", "k.jsonl", "--work", "run", "--log-format", "json"), ("sketch", "in.jsonl", "-o={}"),
              ("index", "build", "x", "{}", "--recipe", "simhash-chars-4"), ("dedup", "in.jsonl", "-o", "k.jsonl", "--recipe", "{}"),
              ("compare", "{}", "in.jsonl"), ("dedup", "in.jsonl", "--threshold", "{}"), ("dedup", "in.jsonl", "-o", "k", "--metrics={}"),
              ("dedup", "in.jsonl", "--output={}", "--no-such"), ("{}",), ("help", "{}"), ("query", "{}", "in.jsonl"))

    def said(self, folder, arguments):
        """Everything that a run says, and leaves in files but for COMMAND, which only its owner can read."""
        folder.mkdir()
        (folder / "in.jsonl").write_text(LINE)
        process = subprocess.Popen([BINARY, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, messages = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            output, messages = process.communicate()
        files = [path for path in folder.rglob("*") if path.is_file() and path.name != "COMMAND"]
        names = "\n".join(str(path.relative_to(folder)) for path in files)
        return output + messages + names.encode() + b"".join(path.read_bytes() for path in files)

    def test_malformed_uris_in_all_places(self):
        uris = malformed_uris()
        self.assertGreater(len(uris), 200)
        jobs = []
        for number, uri in enumerate(uris):
            jobs.append([word.replace("{}", uri) for word in self.PLACES[number % len(self.PLACES)]])
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda job: self.said(self.path(str(job[0])), job[1]), enumerate(jobs)))
        leaks = [(job, said) for job, said in zip(jobs, results) if FIRST.encode() in said or SECOND.encode() in said]
        self.assertEqual(leaks, [], f"{len(leaks)} of {len(jobs)}")

    def test_a_json_log_stays_json(self):
        """A user may be called like a command or a key, and a password may be a number."""
        for user in ("dedup", "event", "message", "command"):
            uri = f"postgresql://{user}:12345678@127.0.0.1:1/db?table=t"
            said = self.neardup("dedup", uri, "-o", "k.jsonl", "--log-format", "json", code=1).stderr
            for line in said.splitlines():
                event = json.loads(line)
                self.assertEqual(event["command"], "dedup")
                self.assertIn("event", event)
            self.assertNotIn("12345678", said)

    def test_a_checkpoint_directory_hides_the_password_from_others(self):
        self.write("in.jsonl", LINE)
        uri = f"sqlite://{self.path('t.db')}?table=docs"
        self.neardup("dedup", "in.jsonl", "-o", uri)
        self.neardup("dedup", uri, "-o", "k.jsonl", "--work", "run")
        self.assertEqual(self.path("run/COMMAND").stat().st_mode & 0o077, 0)

    def test_what_is_harmless_is_shown(self):
        for uri, shown, code in ((f"mongodb://bob:{FIRST}@host.example:27017/db", "'mongodb://host.example:27017/db'", 2),
                                 (f"postgresql://bob:{FIRST}@host/db", "'postgresql://host/db'", 2),
                                 (f"mysql://host/db?sslmode=on&password={FIRST}", "'mysql://host/db?sslmode=on&password=***'", 2)):
            self.assertIn(shown, self.neardup("dedup", uri, "-o", "k", code=code).stderr)


if __name__ == "__main__":
    unittest.main()
