"""neardup serve: how it ends, and what it does when it cannot go on: signals under load, stores that are taken or damaged, a full disk. And what its log
never says."""
import concurrent.futures
import contextlib
import http.client
import json
import os
import signal
import socket
import threading
import time
import unittest

from server_case import NEAR, NEWER, OTHER, TEXT, ServerCase, documents, faults, received, status_of

MARK = "xylophonist"


class Signals(ServerCase):
    def test_the_end_under_load(self):
        """Every answered check is in the store, and the process ends by itself."""
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number):
                server = self.serve_new()
                answers, refusals = [], []
                enough = threading.Event()

                def send(client_number, server=server, answers=answers, enough=enough, refusals=refusals):
                    with contextlib.suppress(OSError, http.client.HTTPException), server.client(timeout=30) as client:
                        for at in range(100_000):
                            name = f"{server.port}-{client_number}-{at}"
                            answer = client.call("POST", "/v1/stores/seen/check", {"id": name, "text": f"{name} {TEXT}".replace(" ", f" {name}")})
                            if answer.status != 200:
                                refusals.append(answer)
                                return
                            answers.append(answer.json())
                            if len(answers) > 500:
                                enough.set()

                with concurrent.futures.ThreadPoolExecutor(8) as pool:
                    sent = [pool.submit(send, each) for each in range(8)]
                    self.assertTrue(enough.wait(60))
                    begin = time.monotonic()
                    self.assertEqual(server.stop(number), 0)
                    self.assertLess(time.monotonic() - begin, 10)
                    for each in sent:
                        each.result()
                self.assertEqual({answer.status for answer in refusals} - {503}, set(), refusals)
                self.assertEqual({line["verdict"] for line in answers}, {"keep"})
                exported = self.neardup("store", "export", "data/seen", "-o", "-", "-q").stdout.splitlines()
                stored = {json.loads(line)["id"] for line in exported}
                self.assertEqual({line["id"] for line in answers} - stored, set())
                self.assertIn(b"stopped", server.said())

    def test_connections_that_do_nothing(self):
        server = self.serve_new()
        with server.connect() as idle, server.connect() as half, server.client() as client:
            half.sendall(b"POST /v1/stores/seen/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
            self.assertEqual(client.call("GET", "/healthz").status, 200)
            begin = time.monotonic()
            self.assertEqual(server.stop(), 0)
            self.assertLess(time.monotonic() - begin, 8)
            self.assertEqual(received(idle), b"")
            self.assertIn(status_of(received(half)), (None, 503))

    def test_a_large_batch_is_finished(self):
        server = self.serve_new()
        lines = [{"id": f"d{number}", "text": f"{number} {TEXT}".replace(" ", f" {number}")} for number in range(5000)]
        body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        with server.connect() as connection:
            connection.sendall(b"POST /v1/stores/seen/check-batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            end = time.monotonic() + 30
            while server.call("GET", "/v1/stores/seen").json()["next_sequence"] == 0:  # it was read whole
                self.assertLess(time.monotonic(), end)
            self.assertEqual(server.stop(), 0)
            said = received(connection)
        self.assertEqual(status_of(said), 200)
        self.assertEqual(said.count(b'"verdict":"keep"'), 5000)
        self.assertEqual(len(self.neardup("store", "export", "data/seen", "-o", "-", "-q").stdout.splitlines()), 5000)


class Beginnings(ServerCase):
    def test_a_store_that_is_taken(self):
        server = self.serve_new()
        server.check("seen", "a", TEXT)
        said = self.refused("data/seen", "--listen", "127.0.0.1:0", code=1)
        self.assertIn("'data/seen'", said)
        self.assertIn("another process", said)
        said = self.refused("--data", "data", "--listen", "127.0.0.1:0", code=1)
        self.assertIn("'data/seen'", said)
        self.assertIn("'data/seen'", self.neardup("store", "delete", "data/seen", "a", code=1).stderr)
        # Others may read meanwhile, and the server is as it was.
        self.neardup("store", "stat", "data/seen")
        self.assertEqual(server.check("seen", "b", NEAR).json()["keeper_id"], "a")

    def test_what_cannot_be_served(self):
        self.neardup("store", "build", "seen", "-q")
        self.write("file", "x")
        for place, why in (("missing", "it does not exist"), ("file", "it is a file")):
            self.assertIn(f"'{place}' is not a store: {why}", self.refused(place, "--listen", "127.0.0.1:0", code=1))
        self.assertIn("nothing to serve", self.refused(code=2))
        self.assertIn("are named 'seen'", self.refused("seen", "seen", code=2))
        self.assertIn("are named 'x'", self.refused("x=seen", "x=seen/", code=2))
        for word, name in (("a b=seen", "a b"), ("-x=seen", None), ("=seen", ""), ("seen=", "seen"), ("x.y=seen", "x.y"), (".", "."), ("x" * 65 + "=seen", "x" * 65)):
            said = self.refused("--", word, code=2)
            if name is not None:
                self.assertIn(f"expected a name of 1 to 64 letters, digits, '-' and '_', not '{name}'", said)
        self.assertIn("file", self.refused("--data", "file", code=1))
        self.assertIn("'missing'", self.refused("--clue-index", "missing", code=1))

    def test_a_damaged_store(self):
        self.neardup("store", "build", "seen", self.write("a.jsonl", documents(1)), "-q")
        self.neardup("store", "compact", "seen")
        files = [path for path in self.path("seen").rglob("*") if path.is_file() and path.stat().st_size > 100]
        self.assertGreater(len(files), 1)
        refused = 0
        for path in files:
            content = path.read_bytes()
            for at in (8, len(content) // 2):
                damaged = bytearray(content)
                damaged[at] ^= 0x10
                path.write_bytes(damaged)
                # Blocks of tables are checked when they are used: then such a store opens, and asking fails.
                try:
                    server = self.serve("seen")
                except AssertionError as error:
                    refused += 1
                    self.assertIn("seen/", str(error))
                    self.assertRegex(str(error), path.name if path.name != "MANIFEST" else "MANIFEST|damaged")
                    continue
                for document in documents(1):
                    answer = server.call("POST", "/v1/stores/seen/query", document)
                    self.assertIn(answer.status, (200, 500), answer)
                    if answer.status == 500:
                        self.assertIn(path.name, answer.json()["detail"])
                server.stop()
            path.write_bytes(content)
        self.assertGreater(refused, 1)
        self.serve("seen")


@unittest.skipUnless(faults.FAULTS, faults.NO_FAULTS)
class FullDisk(ServerCase):
    def changes(self, server):
        return [server.check("seen", "new", NEWER), server.call("POST", "/v1/stores/seen/check-batch", [{"id": "new", "text": NEWER}]),
                server.call("DELETE", "/v1/stores/seen/documents/a"), server.call("POST", "/v1/stores/seen/delete-batch", {"ids": ["a"]}),
                server.call("POST", "/v1/stores/seen/compact")]

    def test_questions_go_on(self):
        for kind in ("ENOSPC", "EIO"):
            with self.subTest(kind=kind):
                data = f"data-{kind}"
                full = self.path(f"full-{kind}")
                environment = {"LD_PRELOAD": faults.FAULTS, "NEARDUP_FAULT": f"{kind}:0", "NEARDUP_FAULT_WHILE": str(full)}
                server = self.serve("--data", data, "--snapshots", f"copies-{kind}", "--access-log", env=environment)
                self.assertEqual(server.call("PUT", "/v1/stores/seen", {}).status, 201)
                self.assertEqual(server.call("PUT", "/v1/stores/fine", {}).status, 201)
                self.assertEqual(server.check("seen", "a", TEXT).json()["verdict"], "keep")
                full.touch()
                answer = self.assert_status(server.check("seen", "b", OTHER), 503)
                self.assertIn("seen", answer.json()["detail"])
                self.assertEqual([answer.status for answer in self.changes(server)], [503] * 5)
                self.assertEqual(server.call("PUT", "/v1/stores/other", {}).status, 503)
                self.assertEqual(server.call("POST", "/v1/stores/fine/snapshot").status, 503)
                self.assert_reads(server)
                ready = server.call("GET", "/readyz")
                self.assertEqual(ready.status, 503)
                self.assertIn(b"store seen: ", ready.body)
                self.assertEqual(server.call("GET", "/healthz").status, 200)
                metrics = server.call("GET", "/metrics").body.decode()
                self.assertIn('neardup_store_failed{store="seen"} 1\n', metrics)
                # With room again, a store that failed takes changes once it is opened again; the other one goes on.
                full.unlink()
                self.assertEqual(server.check("fine", "a", TEXT).status, 200)
                self.assertEqual({answer.status for answer in self.changes(server)}, {503})
                self.assert_reads(server)
                self.assertIsNone(server.process.poll())
                self.assertEqual(server.stop(), 0)
                server = self.serve("--data", data)
                self.assertEqual(server.call("GET", "/readyz").status, 200)
                self.assertEqual(server.check("seen", "a", TEXT).json()["reason"], "repeated")
                self.assertIn(server.check("seen", "b", OTHER).json()["verdict"], ("keep",))
                self.assertEqual(server.call("PUT", "/v1/stores/other", {}).status, 201)
                self.assertEqual(server.stop(), 0)
                self.neardup("store", "verify", f"{data}/seen")

    def assert_reads(self, server):
        self.assertEqual(server.call("POST", "/v1/stores/seen/query", {"text": NEAR, "explain": True}).json()["keeper_id"], "a")
        self.assertEqual(server.call("POST", "/v1/stores/seen/query-batch", [{"text": NEAR}]).lines()[0]["keeper_id"], "a")
        self.assertEqual(server.call("GET", "/v1/stores/seen/documents/a").json()["text"], TEXT)
        self.assertEqual(server.call("POST", "/v1/stores/seen/explain", {"text": NEAR, "document": "a"}).json()["match"], True)
        for path in ("documents", "clusters", "stats"):
            self.assertEqual(server.call("GET", f"/v1/stores/seen/{path}").status, 200)


class Secrets(ServerCase):
    def test_no_text_is_logged(self):
        for form in ("text", "json"):
            server = self.serve("--data", f"data-{form}", "--access-log", "--log-format", form, "--max-body", "10K", "--max-line", "2K")
            server.call("PUT", "/v1/stores/seen", {})
            text = f"{MARK} {TEXT}"
            server.check("seen", "a", text)
            server.check("seen", "a", f"{text} {OTHER}")
            server.check("seen", "b", text, explain=True)
            server.call("POST", "/v1/stores/seen/query", {"text": text, MARK: 1})
            server.call("POST", "/v1/stores/seen/explain", {"text": text, "document": MARK})
            server.call("POST", "/v1/stores/seen/check-batch", [{"id": MARK, "text": text}, {"id": MARK}, {"text": text}, {"id": "x", "text": MARK * 1000}])
            server.call("POST", "/v1/stores/seen/check", MARK.encode(), {"Content-Type": "application/json"})
            server.call("POST", "/v1/stores/seen/check", MARK.encode() * 2000, {"Content-Type": "application/json"})
            server.call("PUT", "/v1/stores/other", {"recipe": MARK})
            server.call("GET", "/", headers={"Authorization": f"Bearer {MARK}", "Cookie": MARK, "X": MARK, "Origin": MARK, "Content-Type": MARK})
            server.raw(f"{MARK}\r\n\r\n".encode())
            self.assertEqual(server.stop(), 0)
            said = server.said()
            self.assertNotIn(MARK.encode(), said)
            self.assertGreater(len(said.splitlines()), 10)

    def test_what_a_target_holds_stays_one_line(self):
        server = self.serve_new("--access-log")
        before = len(server.said())
        server.call("GET", "/%0a%0dneardup%20serve:%20stopped" + "x" * 1000)
        server.raw(b"GET /\x1b[2J HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertEqual(server.stop(), 0)
        lines = server.said(before).splitlines()
        self.assertLess(max(map(len, lines)), 500)
        self.assertNotIn(b"\x1b", server.said())
        self.assertEqual(sum(line.startswith(b"neardup serve: stopped") for line in lines), 1)


class Descriptors(ServerCase):
    def test_none_is_lost(self):
        """Connections and streams give back what they took."""
        server = self.serve_new()

        def count():
            return len(os.listdir(f"/proc/{server.process.pid}/fd"))

        def use():
            for _ in range(20):
                with server.connect() as connection:
                    connection.sendall(b"GET /v1/stores/seen/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    connection.recv(100)
                with server.connect() as connection:
                    connection.sendall(b"GET /hea")
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

        use()
        before = count()
        for _ in range(3):
            use()
        end = time.monotonic() + 30
        while count() > before + 2:
            self.assertLess(time.monotonic(), end, (before, count()))
            time.sleep(0.1)

    def test_few_of_them(self):
        """The program raises its limit itself; where it may not, connections wait or are refused, and the server goes on."""
        server = self.serve_new(prefix=("prlimit", "--nofile=48:48"))
        with contextlib.ExitStack() as stack:
            for _ in range(60):
                with contextlib.suppress(OSError):
                    stack.enter_context(server.connect())
            time.sleep(0.3)
        end = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException):
                if server.call("GET", "/readyz").status == 200:
                    break
            self.assertLess(time.monotonic(), end)
        self.assertEqual(server.check("seen", "a", TEXT).status, 200)


if __name__ == "__main__":
    unittest.main()
