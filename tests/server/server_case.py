"""What the tests of `neardup serve` share: a server on a free port, clients, and bytes sent as they are.

    server = self.serve("seen")
    answer = server.call("POST", "/v1/stores/seen/check", {"id": "a", "text": "..."})     # its own connection
    with server.client() as client: client.call(...)                                       # one that is kept
    server.raw(b"GET / HTTP/1.1\\r\\n...")
    self.assertEqual(server.stop(), 0)
"""
import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.parse
from signal import SIGTERM

sys.path.append(str(pathlib.Path(__file__).parent.parent / "cli"))
import faults  # noqa: E402
import needs  # noqa: E402
from corpora import make_texts  # noqa: E402
from harness import BINARY, CliTest  # noqa: E402

from contract import Contract, jsonschema_rs  # noqa: E402

START_S = 60
WAIT_S = 60
CONTRACT = Contract()

TEXT = "the quick brown fox jumps over the lazy dog and runs away from the farm"
NEAR = TEXT + " today"
OTHER = "words that nobody has written before this one was written here and now"
NEWER = "rain is expected in the north and sunshine along the coast for the rest of the week"


def quoted(name):
    """An id as a part of a path."""
    return urllib.parse.quote(name, safe="")


def documents(seed, **shape):
    """Texts with near-duplicates, exact copies and short ones."""
    return [{"id": f"d{number}", "text": text} for number, text in enumerate(make_texts(seed, **shape))]


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        return json.loads(self.body)

    def lines(self):
        return [json.loads(line) for line in self.body.split(b"\n")[:-1]]

    def __repr__(self):
        return f"{self.status} {self.body[:300]}"


def encoded(body):
    """The bytes of a body, and its type: a dictionary is JSON, a list is lines of JSON, bytes are lines, too."""
    if body is None:
        return None, {}
    if isinstance(body, dict):
        return json.dumps(body).encode(), {"Content-Type": "application/json"}
    if isinstance(body, list):
        body = b"".join(json.dumps(line).encode() + b"\n" for line in body)
    return body, {"Content-Type": "application/x-ndjson"}


class Client:
    """Keeps one connection; one thread."""

    def __init__(self, server, key=None, timeout=WAIT_S):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout)
        self.key = key

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def call(self, method, target, body=None, headers=None, judged=True):
        body, known = encoded(body)
        if self.key:
            known["Authorization"] = f"Bearer {self.key}"
        self.connection.request(method, target, body=body, headers={**known, **(headers or {})})
        found = self.connection.getresponse()
        answer = Answer(found.status, found.headers, found.read())
        if judged:
            CONTRACT.judge(method, target, answer)
        return answer


class Server:
    """A running `neardup serve`. What it says on standard error is in the file `log`."""

    def __init__(self, folder, *arguments, env=None, listen="127.0.0.1:0", prefix=()):
        self.folder = folder
        self.log = folder / "server.log"
        self.arguments = arguments
        environment = {key: value for key, value in os.environ.items() if key not in ("NEARDUP_KERNELS", "NO_COLOR", "NOTIFY_SOCKET")}
        with open(self.log, "ab") as log:
            begin = log.tell()
            self.process = subprocess.Popen([*prefix, BINARY, "serve", *map(str, arguments), "--listen", listen], cwd=folder,
                                            env=environment | (env or {}), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + START_S
        while not (found := re.search(rb"(?:listening on |\"url\":\")(http://(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d+))", self.said(begin))):
            if self.process.poll() is not None or time.monotonic() > end:
                self.end()
                raise AssertionError(f"the server did not start: {self.said(begin).decode(errors='replace')}")
            time.sleep(0.01)
        self.url = found[1].decode()
        self.port = int(found[2])

    def said(self, begin=0):
        with open(self.log, "rb") as log:
            log.seek(begin)
            return log.read()

    def client(self, key=None, timeout=WAIT_S):
        return Client(self, key, timeout)

    def call(self, method, target, body=None, headers=None, key=None, judged=True):
        with self.client(key) as client:
            return client.call(method, target, body, headers, judged)

    def check(self, store, name, text, **members):
        return self.call("POST", f"/v1/stores/{store}/check", {"id": name, "text": text, **members})

    def connect(self, timeout=WAIT_S):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def raw(self, data, timeout=WAIT_S):
        """Sends bytes, and returns all that the server says until it closes the connection."""
        with self.connect(timeout) as connection:
            with contextlib.suppress(ConnectionError):  # it may have answered and closed before the end
                connection.sendall(data)
            return received(connection)

    def stop(self, number=SIGTERM, timeout=WAIT_S):
        """Returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(timeout)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Of a test, however it went."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024


def received(connection):
    """All bytes until the other side closes the connection."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def status_of(said):
    """The status of the first answer; None: there is none."""
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", said)
    return int(found[1]) if found else None


class ServerCase(CliTest):
    """After each test, a server that is still running is stopped, and must end well; tests that end one by other means say so by end()."""

    def setUp(self):
        super().setUp()
        if not (pathlib.Path(BINARY).parent / "neardup-server").exists():
            self.fail("neardup-server is not next to the program (Debian: apt-get install libssl-dev, and build again)")
        needs.stop_if(None if jsonschema_rs else "no Python package jsonschema-rs (scripts/test_python.sh FOLDER tests/server/requirements.txt)")
        self.servers = []
        self.addCleanup(self.end_servers)

    def end_servers(self):
        for server in self.servers:
            server.end()

    def tearDown(self):
        for server in self.servers:
            if server.process.poll() is None:
                self.assertEqual(server.stop(), 0, server.said().decode(errors="replace")[-2000:])

    def serve(self, *arguments, **keywords):
        server = Server(self.dir, *arguments, **keywords)
        self.servers.append(server)
        return server

    def serve_new(self, *arguments, name="seen", rule=None, **keywords):
        """A server with --data and one empty store."""
        server = self.serve("--data", "data", *arguments, **keywords)
        answer = server.call("PUT", f"/v1/stores/{name}", rule or {})
        self.assertIn(answer.status, (200, 201), answer)
        return server

    def refused(self, *arguments, code):
        """What `neardup serve` says when it does not start."""
        return self.neardup("serve", *arguments, code=code).stderr

    def assert_status(self, answer, status, *parts):
        """`parts`: of its problem."""
        self.assertEqual(answer.status, status, answer)
        for part in parts:
            self.assertIn(part, answer.json()["detail"])
        return answer
