"""packaging/: the unit of systemd, judged by systemd's own tools and by a traced run of the server, and the image, as far as that is possible
without Docker. The Debian package that has the unit is tested in test_packages.py."""
import contextlib
import fnmatch
import http.client
import http.server
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ["NEARDUP_BIN"]).resolve()
UNIT = ROOT / "packaging" / "neardup.service"
DEFAULTS = ROOT / "packaging" / "neardup.default"
DOCKERFILE = ROOT / "packaging" / "Dockerfile"
EXPOSURE_AT_MOST = 1.5  # of `systemd-analyze security`, whose scale ends at 10
# A call of the kernel, as strace writes it: "1234 openat(", "1234 <... read resumed>".
CALL = re.compile(r"^\d+ +(?:<\.\.\. )?(\w+)(?:\(| resumed>)", re.MULTILINE)


def run(*command, **arguments):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                          timeout=300, check=False, **arguments)


def settings(text):
    """The settings of a unit, each with the list of its values."""
    found = {}
    for line in text.splitlines():
        name, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


def instructions(text):
    """[name, rest] of each instruction of a Dockerfile."""
    lines = "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("#"))
    return [line.split(None, 1) for line in lines.replace("\\\n", "").splitlines() if line.strip()]


def options_of(words):
    return [word.partition("=")[0] for word in words if word.startswith("--")]


def serve_help(test):
    """`neardup serve --help-all`. A build that has no server does not pass: this reason is none that count_tests.py allows."""
    if "serve" not in run(PROGRAM, "help", "--commands").stdout.split():
        test.skipTest("this build has no `neardup serve`")
    return run(PROGRAM, "serve", "--help-all").stdout


def listed(group):
    """The system calls of a group of systemd."""
    lines = run("systemd-analyze", "syscall-filter", group).stdout.splitlines()[1:]
    names = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
    return set().union(*(listed(name) if name.startswith("@") else {name} for name in names))


class Unit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for tool in ("systemd-analyze", "strace"):
            if not shutil.which(tool):
                raise AssertionError(f"{tool} is not installed: scripts/setup.sh servers")
        cls.unit = settings(UNIT.read_text(encoding="utf-8"))
        cls.words = shlex.split(cls.unit["ExecStart"][0])
        cls.environment = {**os.environ, "SYSTEMD_COLORS": "0", "LC_ALL": "C.UTF-8"}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write_unit(self, *replacements):
        """A copy whose program and manual page are not those of an installed package."""
        text = UNIT.read_text(encoding="utf-8")
        for old, new in ((self.words[0], str(PROGRAM)), ("Documentation=man:neardup-serve(1)\n", ""), *replacements):
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        path = self.folder / "neardup.service"
        path.write_text(text, encoding="utf-8")
        return path

    def test_systemd_understands_it(self):
        done = run("systemd-analyze", "verify", self.write_unit(), env=self.environment)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        done = run("systemd-analyze", "verify", self.write_unit(("KeyringMode=private", "KeyringMode=sometimes")), env=self.environment)
        self.assertIn("keyring mode", done.stdout, "this test sees nothing")

    def exposure(self, *replacements):
        done = run("systemd-analyze", "security", "--offline=true", "--no-pager", f"--threshold={round(EXPOSURE_AT_MOST * 10)}",
                   self.write_unit(*replacements), env=self.environment)
        level = re.search(r"Overall exposure level for neardup.service: ([\d.]+)", done.stdout)
        self.assertTrue(level, done.stdout)
        self.assertEqual(done.returncode == 0, float(level[1]) <= EXPOSURE_AT_MOST, done.stdout)
        return float(level[1])

    def test_it_may_do_little(self):
        self.assertLessEqual(self.exposure(), EXPOSURE_AT_MOST)
        self.assertGreater(self.exposure(("SystemCallFilter=@system-service\nSystemCallFilter=~@privileged @resources\n", "")), EXPOSURE_AT_MOST)

    def test_its_parts_fit_together(self):
        [state] = self.unit["StateDirectory"]
        self.assertNotIn(" ", state, "links between two state directories fail: each is a mount of its own")
        options = dict(zip(self.words[2::2], self.words[3::2]))
        for option in ("--data", "--snapshots"):
            self.assertTrue(options[option].startswith(f"%S/{state}/"), option)
        self.assertNotEqual(options["--data"], options["--snapshots"])
        credential, _, path = self.unit["LoadCredential"][0].partition(":")
        self.assertEqual(options["--keys"], f"%d/{credential}")
        self.assertEqual(self.unit["AssertPathExists"], [path])
        self.assertEqual(pathlib.Path(path).parent, pathlib.Path("/etc") / self.unit["ConfigurationDirectory"][0])
        self.assertEqual(self.unit["EnvironmentFile"], ["-" + (ROOT / "packaging" / "debian" / "conffiles").read_text(encoding="utf-8").strip()])
        self.assertIn(f"--keys {path} --new-key", DEFAULTS.read_text(encoding="utf-8"))
        self.assertIn(path, (ROOT / "packaging" / "debian" / "postrm").read_text(encoding="utf-8"))
        self.assertEqual(self.unit["Type"], ["notify"])
        self.assertEqual(self.unit["WantedBy"], ["multi-user.target"])
        self.assertEqual(f"man:neardup-{self.words[1]}(1)", self.unit["Documentation"][0])

    def test_the_options_exist(self):
        text = DEFAULTS.read_text(encoding="utf-8")
        done = run("bash", "-euc", '. "$1"; [[ $NEARDUP_OPTIONS == "" ]]', "bash", DEFAULTS)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(self.words[-1], "$NEARDUP_OPTIONS")
        used = {*options_of(self.words), *re.findall("--[a-z-]+", text)} - {"--now"}  # of systemctl
        self.assertLessEqual({"--listen", "--clue-index", "--new-key"}, used)
        text = serve_help(self)
        for option in sorted(used):
            self.assertRegex(text, rf"(?<![\w-]){option}(?![\w-])")

    def test_the_server_does_nothing_that_the_unit_forbids(self):
        """A traced run: its system calls, that no memory is both writable and executable, and what it tells systemd."""
        serve_help(self)
        keys = self.folder / "keys"
        made = run(PROGRAM, "serve", "--keys", keys, "--new-key", "admin:test")
        self.assertEqual(made.returncode, 0, made.stdout)
        self.assertEqual(keys.stat().st_mode & 0o077, 0, "others can read the keys")
        key = made.stdout.split()[-1]
        notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(notices.close)
        notices.bind(str(self.folder / "notify"))
        notices.settimeout(60)
        state = self.folder / "state"
        state.mkdir()
        values = {"%S": str(self.folder), self.unit["StateDirectory"][0]: "state", "%d/keys": str(keys)}
        words = [re.sub(r"^%S/\w+", lambda _: str(state), values.get(word, word)) for word in self.words[1:-1]]
        trace = self.folder / "trace"
        errors = (self.folder / "errors").open("w+", encoding="utf-8")
        self.addCleanup(errors.close)
        server = subprocess.Popen(["strace", "-f", "-qq", "-o", trace, "-s", "0", PROGRAM, *words, "--listen", "127.0.0.1:0", "--log-format", "json"],
                                  stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, start_new_session=True,
                                  env={**os.environ, "NOTIFY_SOCKET": str(self.folder / "notify")})
        self.addCleanup(server.wait)
        self.addCleanup(lambda: server.poll() is None and os.killpg(server.pid, signal.SIGKILL))
        try:
            told = notices.recv(4096).decode()
        except TimeoutError:
            errors.seek(0)
            self.fail(f"no READY=1: {errors.read()}")
        self.assertIn("READY=1", told.splitlines())
        log = pathlib.Path(errors.name).read_text(encoding="utf-8")
        port = re.search(r'"url": ?"http://127\.0\.0\.1:(\d+)"', log)[1]

        def call(method, path, body=None):
            connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
            with contextlib.closing(connection):
                connection.request(method, path, body if body is None else json.dumps(body),
                                   {"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
                answer = connection.getresponse()
                text = answer.read().decode()
                self.assertIn(answer.status, (200, 201, 204), f"{method} {path}: {text}")

        call("PUT", "/v1/stores/seen", {"recipe": "chars-5", "threshold": 0.7})
        for number in range(3):
            call("POST", "/v1/stores/seen/check", {"id": str(number), "text": f"今天北京的天气很好，我们去公园散步 {'很' * number}"})
        call("POST", "/v1/stores/seen/query", {"text": "今天北京的天气很好"})
        call("POST", "/v1/stores/seen/snapshot")
        call("POST", "/v1/stores/seen/compact")
        call("GET", "/metrics")
        call("GET", "/healthz")
        self.assertEqual({path.name for path in state.iterdir()}, {"stores", "snapshots"})
        [process] = pathlib.Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text(encoding="utf-8").split()
        os.kill(int(process), getattr(signal, self.unit["KillSignal"][0]))
        self.assertEqual(server.wait(timeout=int(self.unit["TimeoutStopSec"][0])), 0)
        self.assertIn("STOPPING=1", notices.recv(4096).decode().splitlines())

        calls = trace.read_text(encoding="utf-8", errors="replace")
        self.assertIn("neardup-server", calls, "strace saw another program")
        allowed = listed("@default")
        for value in self.unit["SystemCallFilter"]:
            groups = [listed(group) for group in value.removeprefix("~").split()]
            allowed = allowed.difference(*groups) if value.startswith("~") else allowed.union(*groups)
        made = set(CALL.findall(calls))
        self.assertLessEqual({"accept4", "fdatasync", "openat"} & made, allowed)
        self.assertGreater(len(made), 20)
        self.assertEqual(made - allowed, set())
        self.assertEqual(re.findall(r"^.*PROT_WRITE\|PROT_EXEC.*", calls, re.MULTILINE), [])
        self.assertEqual(re.findall(r"^.*(?:mprotect|shmat)\(.*_EXEC.*", calls, re.MULTILINE), [])
        families = {f"AF_{family}" for family in re.findall(r"socket\(AF_(\w+)", calls)}
        self.assertLessEqual(families, set(self.unit["RestrictAddressFamilies"][0].split()))


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = instructions(DOCKERFILE.read_text(encoding="utf-8"))
        starts = [place for place, (name, _) in enumerate(cls.all) if name == "FROM"]
        cls.stages = [cls.all[begin:end] for begin, end in zip(starts, [*starts[1:], None])]
        cls.last = cls.stages[-1]

    def one(self, name):
        values = [rest for found, rest in self.last if found == name]
        self.assertEqual(len(values), 1, name)
        return values[0]

    def test_two_stages(self):
        self.assertEqual([stage[0][1] for stage in self.stages], ["debian:12 AS build", "debian:12-slim"])
        known = {"FROM", "WORKDIR", "RUN", "COPY", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT"}
        self.assertLessEqual({name for name, _ in self.all}, known)
        for name, rest in self.all:
            if name == "RUN":
                command = re.sub(r"^--mount=\S+\s+", "", rest)
                self.assertEqual(run("bash", "-nc", command).returncode, 0, command)
                for script in re.findall(r"\bscripts/\w+\.sh", command):
                    self.assertTrue(os.access(ROOT / script, os.X_OK), script)
                if "apt-get install" in command:
                    self.assertRegex(command, r"apt-get update && apt-get install -y --no-install-recommends .* && rm -rf /var/lib/apt/lists/[*]")
        self.assertNotIn("COPY", [name for name, _ in self.last], "the image has what the packages have, and nothing of the sources")

    def test_it_runs_as_a_user_who_can_write_the_volume(self):
        user = self.one("USER")
        self.assertRegex(user, r"^[1-9]\d+:[1-9]\d+$")
        names = [name for name, _ in self.last]
        self.assertGreater(names.index("USER"), max(place for place, name in enumerate(names) if name == "RUN"))
        [volume] = json.loads(self.one("VOLUME"))
        owner, group = user.split(":")
        self.assertIn(f"install -d -o {owner} -g {group} -m 700 {volume}", [rest for name, rest in self.last if name == "RUN"])
        words = json.loads(self.one("ENTRYPOINT"))
        self.assertEqual(words[:2], ["neardup", "serve"])
        options = dict(zip(words[2::2], words[3::2]))
        for option in ("--data", "--snapshots", "--keys"):
            self.assertTrue(options[option].startswith(f"{volume}/"), option)
        self.assertNotIn("--without-keys", words)
        self.assertEqual(options["--listen"], f"0.0.0.0:{self.one('EXPOSE')}")
        self.assertEqual(self.one("STOPSIGNAL"), "SIGTERM")

    def test_the_options_exist(self):
        comments = re.findall(r"^#.* neardup (--[\w-]+)", DOCKERFILE.read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(comments, ["--new-key"])
        text = serve_help(self)
        for option in options_of(json.loads(self.one("ENTRYPOINT"))) + comments:
            self.assertRegex(text, rf"(?<![\w-]){option}(?![\w-])")

    def test_the_health_check(self):
        options, _, command = self.one("HEALTHCHECK").partition("CMD ")
        self.assertRegex(options, r"--interval=\d+s --timeout=5s ")
        command = json.loads(command)
        asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):  # noqa: N802  # http.server's name
                asked.append((self.path, self.headers["Host"]))
                self.send_response(200 if len(asked) == 1 else 503)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = str(server.server_address[1])
        command = [word.replace(self.one("EXPOSE"), port) for word in command]
        self.assertIn(f"/dev/tcp/127.0.0.1/{port}", command[-1])
        self.assertEqual(run(*command).returncode, 0)
        self.assertEqual(run(*command).returncode, 1, "503 is not healthy")
        server.shutdown()
        server.server_close()
        self.assertNotEqual(run(*command).returncode, 0, "nobody listens")
        self.assertEqual(asked, [("/healthz", "localhost")] * 2)

    def test_the_context_has_what_is_compiled(self):
        """Configures what .dockerignore lets through, and asks ninja whether anything is missing."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        context = pathlib.Path(folder.name) / "context"
        lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
        lines = [line for line in lines if line and not line.startswith("#")]
        self.assertEqual(lines[0], "*", "nothing but what is named")
        names = [line[1:] for line in lines if line.startswith("!")]
        out = [line for line in lines[1:] if not line.startswith("!")]
        hidden = [line.removeprefix("**/") for line in out if line.startswith("**/")]
        self.assertLessEqual({"node_modules", "__pycache__"}, set(hidden))
        for name in names:
            self.assertTrue((ROOT / name).exists(), name)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, context / name, ignore=shutil.ignore_patterns(*hidden))
            else:
                (context / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, context / name)
        for pattern in out:
            for path in fnmatch.filter([str(path.relative_to(context)) for path in context.rglob("*")], pattern):
                (context / path).unlink(missing_ok=True)
        self.assertFalse((context / "tests").exists())
        for name, rest in self.stages[0]:
            if name == "COPY":
                self.assertTrue((context / rest.split()[0]).exists(), rest)
        done = run("cmake", "--preset", "release", "-DNEARDUP_TESTS=OFF", "-DNEARDUP_HTML=off", "-DNEARDUP_CHARTS=off", "-DNEARDUP_PAGE=off", cwd=context)
        self.assertEqual(done.returncode, 0, done.stdout)
        done = run("ninja", "-C", context / "build" / "release", "-n", "neardup_product")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("tests/", done.stdout)


if __name__ == "__main__":
    unittest.main()
