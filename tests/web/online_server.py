"""`neardup serve` for tests of its page: started on a free port, asked and filled over HTTP, stopped.

    server = Server(folder, "--data", "stores")
    server.check("news", "a1", "a text")
    server.stop()
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

BINARY = os.environ.get("NEARDUP_BIN") or shutil.which("neardup")
WAIT_S = 180
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def missing():
    """Why there is no server with its page; None: there is."""
    if not BINARY:
        return "NEARDUP_BIN does not name the program"
    if not (pathlib.Path(BINARY).parent / "neardup-server").exists():
        return "no neardup-server (Debian: apt-get install libssl-dev, and build again)"
    if not packages().is_dir():
        return "no packages of the page (Debian: apt-get install npm, and build again)"
    return None


def packages():
    """Where the build installed the npm packages of web/online."""
    return pathlib.Path(BINARY).resolve().parents[2] / "online_page" / "node_modules"


def neardup(*arguments, folder):
    return subprocess.run([BINARY, *map(str, arguments)], cwd=folder, check=True, capture_output=True, text=True, timeout=WAIT_S)


class Server:
    def __init__(self, folder, *arguments, port=0, key=None):
        """`key`: what its own requests are made with."""
        self.folder = folder
        self.key = key
        self.process = subprocess.Popen([BINARY, "serve", *map(str, arguments), "--listen", f"127.0.0.1:{port}"], cwd=folder,
                                        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        said = []
        for line in self.process.stderr:
            said.append(line)
            if found := re.search(r"listening on (http://127\.0\.0\.1:(\d+))", line):
                self.url, self.port = found[1], int(found[2])
                break
        else:
            raise AssertionError("the server did not start: " + "".join(said))
        # Whatever it says later must not fill the pipe.
        self.drain = threading.Thread(target=self.process.stderr.read, daemon=True)
        self.drain.start()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(WAIT_S)
        self.drain.join(WAIT_S)
        self.process.stderr.close()

    def get(self, path):
        """The status, the headers and the body."""
        return self.call("GET", path)

    def call(self, method, path, body=None, headers=()):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, dict(headers), method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.key:
            request.add_header("Authorization", f"Bearer {self.key}")
        try:
            with _direct.open(request, timeout=WAIT_S) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def done(self, method, path, body=None):
        """The answer's JSON; fails for a problem."""
        status, _, content = self.call(method, path, body)
        if status >= 300:
            raise AssertionError(f"{method} {path}: {status} {content.decode()}")
        return json.loads(content) if content else None

    def create(self, store, **rule):
        return self.done("PUT", f"/v1/stores/{store}", rule)

    def check(self, store, name, text):
        return self.done("POST", f"/v1/stores/{store}/check", {"id": name, "text": text})

    def documents(self, store):
        return self.done("GET", f"/v1/stores/{store}")["documents"]
