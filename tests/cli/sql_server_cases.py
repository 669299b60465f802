"""What only a database on a server has: users, and an end."""
import subprocess
import time

import harness
import sql_servers
from sql_databases import corpus


class ServerCases:
    def assert_secret(self, result):
        for secret in (self.server.password, "wr0ng-password"):
            self.assertNotIn(secret, result.stderr)
        self.assertNotIn(self.server.user, result.stderr)

    def test_wrong_password_wrong_user_no_server_no_database(self):
        self.fill(rows=corpus()[:5])
        for wrong in ({"password": "wr0ng-password"}, {"user": "nobody-of-that-name"}, {"database": "nodatabase"}):
            started = time.monotonic()
            failed = self.dedup(self.server.uri("docs", **wrong), "-o", "x", code=1)
            self.assert_secret(failed)
            self.assertIn("127.0.0.1", failed.stderr)
            self.assertLess(time.monotonic() - started, 5, "what stays wrong is not tried again")
        failed = self.dedup(self.server.uri("docs", port=sql_servers.free_port()), "-o", "x", code=1)
        self.assert_secret(failed)
        self.assertIn("cannot connect", failed.stderr)
        self.assert_secret(self.dedup(self.db.uri("docs"), "-o", "kept.jsonl", "--verdicts", "verdicts.jsonl", "--summary", "summary.json"))
        for name in ("verdicts.jsonl", "summary.json"):
            self.assertNotIn(self.server.password.encode(), self.read(name))
            self.assertNotIn(self.server.user.encode(), self.read(name))

    def fill_many(self):
        rows = [(i, f"text number {i} is {i * 7919} and nothing else " + "z" * (i % 97) * 40) for i in range(12000)]
        self.fill(rows=rows)
        return len(rows)

    def run_that_writes(self):
        """A run that has begun to write its result."""
        process = subprocess.Popen([harness.BINARY, "dedup", self.db.uri("docs"), "-o", self.db.uri("result"), "--threads", "2"], cwd=self.dir,
                                   stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while time.monotonic() < end and process.poll() is None and "result_neardup_partial" not in self.db.tables():
            time.sleep(0.005)
        return process

    def test_killed_in_the_middle(self):
        count = self.fill_many()
        process = self.run_that_writes()
        self.server.kill()
        self.server.start()  # in time: the run continues
        stderr = process.communicate()[1].decode()
        self.assertEqual(process.returncode, 0, stderr)
        self.assertEqual(self.db.count("result"), count)
        self.assertEqual(int(self.db.run("SELECT COUNT(DISTINCT id) FROM result")[0][0]), count)
        self.db.run("DROP TABLE result")
        process = self.run_that_writes()
        self.server.kill()  # and does not come back
        stderr = process.communicate()[1].decode()
        self.assertEqual(process.returncode, 1, stderr)
        self.assertIn("127.0.0.1", stderr)
        self.assertNotIn(self.server.password, stderr)
        self.server.start()
        self.assertNotIn("result", self.db.tables())
        self.dedup(self.db.uri("docs"), "-o", self.db.uri("result"))
        self.assertEqual(self.db.count("result"), count)
        self.assertEqual(self.db.tables(), {"docs", "result"})
