"""The packages that cpack makes of this build: installed by dpkg and removed again, the archive run where there is nothing but glibc."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ["NEARDUP_BIN"]).resolve()
BUILD = PROGRAM.parents[2]
TOOLS = ("cpack", "dpkg", "dpkg-deb", "dpkg-query", "dpkg-shlibdeps", "gzip", "ldd", "pkg-config", "tar", "zstd")
# glibc's own files, which the archive takes from the system.
OF_GLIBC = re.compile(r"(linux-vdso|ld-linux-x86-64|libc|libm)\.so\.\d+")


def run(*command, code=0, **arguments):
    """Standard output; raises AssertionError with all that was printed if the exit code is another one."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          text=True, timeout=300, check=False, **arguments)
    if done.returncode != code:
        raise AssertionError(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout if code == 0 else done.stderr


def readme_blocks():
    """The commands of README.md that use the installed program."""
    blocks = re.findall(r"^```sh test\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return "".join(block for block in blocks if not re.search(r"cmake|scripts/|apt-get|build/", block))


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        path = f"{os.environ['PATH']}:/usr/local/sbin:/usr/sbin:/sbin"  # dpkg wants ldconfig
        missing = [tool for tool in TOOLS if not shutil.which(tool, path=path)]
        if missing:
            raise AssertionError(f"not installed: {', '.join(missing)}")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "HOME": str(cls.folder / "home")}
        (cls.folder / "home").mkdir()
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "packages",
            "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=zstd", env=cls.environment)  # scripts/package.sh takes xz, which is slower
        [cls.program_package] = (cls.folder / "packages").glob("neardup_*_amd64.deb")
        [cls.server_package] = (cls.folder / "packages").glob("neardup-server_*_amd64.deb")
        [cls.development_package] = (cls.folder / "packages").glob("neardup-dev_*_amd64.deb")
        [cls.archive] = (cls.folder / "packages").glob("neardup-*-linux-x86_64.tar.zst")

    def field(self, package, name):
        return run("dpkg-deb", "-f", package, name).strip()

    def dpkg(self, root, *arguments, without=None, code=0):
        """dpkg on a root whose database says that what is installed on this machine is, but neither neardup nor the package `without`. The
        root has no shell: the scripts of packages run outside, with the root in DPKG_ROOT."""
        admin = root / "var"
        if not admin.exists():
            for name in ("info", "updates", "triggers"):
                (admin / name).mkdir(parents=True)
            entries = pathlib.Path("/var/lib/dpkg/status").read_text(encoding="utf-8").split("\n\n")
            names = ["neardup", "neardup-server", "neardup-dev", without]
            entries = [entry for entry in entries if entry.partition("\n")[0].removeprefix("Package: ") not in names]
            (admin / "status").write_text("\n\n".join(entries), encoding="utf-8")
            (admin / "available").touch()
        return run("dpkg", "--force-not-root", "--force-script-chrootless", "--no-triggers", f"--admindir={admin}", f"--instdir={root / 'system'}",
                   f"--log={root / 'log'}", *arguments, code=code, env=self.environment)

    def test_installed_used_and_removed(self):
        root = self.folder / "installed"
        (root / "system").mkdir(parents=True)
        self.dpkg(root, "--install", self.program_package, self.development_package)
        usr = root / "system" / "usr"
        self.assertEqual(os.listdir(root / "system"), ["usr"])
        program = usr / "bin" / "neardup"
        commands = run(program, "help", "--commands").split()
        self.assertGreater(len(commands), 10)
        for page in ("neardup", *(f"neardup-{command}" for command in commands)):
            with gzip.open(usr / "share" / "man" / "man1" / f"{page}.1.gz", "rt", encoding="utf-8") as file:
                self.assertIn("\n.SH NAME\n", file.read(), page)
        share = usr / "share"
        for file in ("bash-completion/completions/neardup", "zsh/vendor-completions/_neardup", "fish/vendor_completions.d/neardup.fish",
                     "neardup/recipes/words-5.json", "doc/neardup/copyright", "doc/neardup/changelog.gz", "doc/neardup/CHANGELOG.md.gz",
                     "doc/neardup/jieba/copyright", "doc/neardup/uplot/LICENSE", "doc/neardup-dev/uplot/LICENSE", "doc/neardup-dev/copyright", "doc/neardup-dev/changelog.gz"):
            self.assertGreater((share / file).stat().st_size, 0, file)
        self.assertFalse((share / "zsh" / "site-functions").exists(), "Debian's zsh does not search it")
        run("bash", "-n", share / "bash-completion" / "completions" / "neardup")
        self.assertIn(str(share / "neardup" / "jieba.dict"), run(program, "dict", "info"))
        self.assertNotIn(str(ROOT).encode(), program.read_bytes(), "a path of the machine that built it")
        flags = run("pkg-config", "--cflags", "--libs", "--static", "neardup",
                    env={**os.environ, "PKG_CONFIG_PATH": str(usr / "lib" / "pkgconfig")})
        self.assertIn(" -lneardup ", flags)
        self.run_readme(program)
        self.dpkg(root, "--purge", "neardup", "neardup-dev")
        self.assertEqual(os.listdir(root / "system"), [])

    def test_server_installed_and_purged(self):
        root = self.folder / "service"
        system = root / "system"
        system.mkdir(parents=True)
        self.dpkg(root, "--install", self.program_package, self.server_package)
        self.assertEqual(sorted(os.listdir(system)), ["etc", "usr"])
        self.assertTrue(os.access(system / "usr" / "bin" / "neardup-server", os.X_OK))
        for name, folder in (("neardup.service", "usr/lib/systemd/system"), ("neardup.default", "etc/default")):
            target = system / folder / name.removesuffix(".default")
            self.assertEqual(target.read_bytes(), (ROOT / "packaging" / name).read_bytes())
            self.assertEqual(target.stat().st_mode & 0o777, 0o644)
        for file in ("copyright", "changelog.gz", "openapi.json"):
            self.assertGreater((system / "usr" / "share" / "doc" / "neardup-server" / file).stat().st_size, 0, file)
        keys = system / "etc" / "neardup" / "keys"
        keys.touch()
        self.dpkg(root, "--remove", "neardup-server")
        self.assertTrue(keys.exists())
        self.assertTrue((system / "etc" / "default" / "neardup").exists())
        self.assertFalse((system / "usr" / "bin" / "neardup-server").exists())
        wants = system / "etc" / "systemd" / "system" / "multi-user.target.wants"
        wants.mkdir(parents=True)
        (wants / "neardup.service").symlink_to("/lib/systemd/system/neardup.service")
        self.dpkg(root, "--purge", "neardup-server", "neardup")
        left = [str(path.relative_to(system)) for path in system.rglob("*")]
        self.assertEqual(sorted(left), ["etc", "etc/systemd", "etc/systemd/system", "etc/systemd/system/multi-user.target.wants"])

    def test_the_server_is_of_the_version_of_the_program(self):
        root = self.folder / "alone"
        (root / "system").mkdir(parents=True)
        version = self.field(self.program_package, "Version")
        self.assertEqual(self.field(self.server_package, "Version"), version)
        self.assertIn(f"neardup (= {version})", self.field(self.server_package, "Depends").split(", "))
        self.assertRegex(self.field(self.server_package, "Depends"), r"\blibssl3 \(>= 3\.\d+")
        errors = self.dpkg(root, "--install", self.server_package, code=1)
        self.assertIn("neardup-server depends on neardup (=", errors)
        self.assertEqual(self.field(self.program_package, "Suggests"), "neardup-server")
        scripts = self.folder / "scripts"
        run("dpkg-deb", "-e", self.server_package, scripts)
        self.assertEqual(sorted(os.listdir(scripts)), ["conffiles", "control", "md5sums", "postinst", "postrm", "prerm"])
        for script in ("postinst", "postrm", "prerm"):
            run("sh", "-n", scripts / script)

    def run_readme(self, program):
        folder = self.folder / f"readme-{program.parents[1].name}"
        folder.mkdir()
        run("bash", "-euo", "pipefail", "-c", readme_blocks(), cwd=folder,
            env={**self.environment, "HOME": str(folder), "PATH": f"{program.parent}:{self.environment['PATH']}"})
        return folder

    def test_dependencies(self):
        root = self.folder / "incomplete"
        (root / "system").mkdir(parents=True)
        errors = self.dpkg(root, "--install", self.program_package, without="libicu72", code=1)
        self.assertRegex(errors, r"neardup depends on libicu72 .*\n.*libicu72 is not installed")
        needed = self.field(self.program_package, "Depends")
        self.assertRegex(needed, r"\blibc6 \(>= 2\.\d+\)")
        self.assertIsNone(re.search("libpq|mariadb|mongo", needed), "the libraries of databases are loaded when a run needs them")
        sources = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "src" / "io").rglob("*.cc"))
        clients = re.findall(r'ClientLibrary \w+\(\{.*\.package = "([^"]+)"', sources)
        self.assertEqual(len(clients), 3)
        self.assertEqual(self.field(self.program_package, "Recommends").split(", "), sorted(clients))
        for package, of_library in ((self.program_package, False), (self.server_package, False), (self.development_package, True)):
            files = run("dpkg-deb", "-c", package)
            self.assertEqual({line.split()[1] for line in files.splitlines()}, {"root/root"})
            self.assertEqual(bool(re.search(r"\.(h|a|pc|cmake)$", files, re.MULTILINE)), of_library)
            synopsis, *lines = self.field(package, "Description").splitlines()
            self.assertLessEqual(max(map(len, [synopsis, *lines])), 80)
            self.assertRegex(synopsis, r"^[A-Za-z].*[a-z]$")

    def test_archive(self):
        folder = self.folder / "unpacked"
        folder.mkdir()
        run("tar", "--zstd", "-xf", self.archive, "-C", folder)
        self.assertEqual(os.listdir(folder), [self.archive.name.removesuffix(".tar.zst")])
        root = folder / "moved"
        next(folder.iterdir()).rename(root)
        program = root / "bin" / "neardup"
        self.assertNotIn("@", (root / "README").read_text(encoding="utf-8"))
        for line in (run("ldd", program) + run("ldd", root / "bin" / "neardup-server")).splitlines():
            name, place = re.match(r"\s*(\S+)(?: => (\S+))?", line).groups()
            if not OF_GLIBC.fullmatch(pathlib.Path(name).name):
                self.assertEqual(pathlib.Path(place).resolve(), root / "lib" / "neardup" / name)
        bundled = os.listdir(root / "lib" / "neardup")
        self.assertEqual([name for name in bundled if OF_GLIBC.fullmatch(name)], [])
        self.assertIn("libstdc++.so.6", bundled)
        documents = root / "share" / "doc" / "neardup"
        for licence in ("LICENSE", "jieba/copyright", "uplot/LICENSE", "libstdc++6/copyright", "libicu72/copyright", "libssl3/copyright", "libxxhash-dev/copyright"):
            self.assertGreater((documents / licence).stat().st_size, 0, licence)
        self.assertIn(str(root / "share" / "neardup" / "jieba.dict"), run(program, "dict", "info"))
        self.run_readme(program)
        # Libraries of the system, which need some that the program has brought along.
        for uri in ("postgresql://{}/x?table=t", "mysql://{}/x?table=t", "mongodb://{}/x.t?serverSelectionTimeoutMS=9"):
            errors = run(program, "dedup", uri.format("127.0.0.1:1"), "-o", folder / "kept.jsonl", code=1)
            self.assertNotIn("client library", errors)
            self.assertRegex(errors, "(?i)connect")

    @unittest.skipIf(os.geteuid() != 0, "[user] only root may change the root folder")
    def test_archive_with_nothing_but_glibc(self):
        root = self.folder / "bare"
        (root / "tmp").mkdir(parents=True)
        run("tar", "--zstd", "-xf", self.archive, "-C", root, "--strip-components=1", "--exclude=*/share/doc")
        libraries = re.findall(r"(/\S+/(\S+)) \(0x", run("ldd", PROGRAM))
        for path, name in libraries:
            if OF_GLIBC.fullmatch(name):
                target = root / path.lstrip("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
        # All that the loader and the program read of /proc, so that nothing need be mounted.
        (root / "proc" / "self").mkdir(parents=True)
        (root / "proc" / "self" / "exe").symlink_to("/bin/neardup")
        (root / "tmp" / "corpus.jsonl").write_text(
            '{"id": 1, "text": "one two three four five six seven"}\n{"id": 2, "text": "One two three four five six, seven!"}\n')
        inside = (shutil.which("chroot", path=self.environment["PATH"]), root, "/bin/neardup")
        run(*inside, "dedup", "/tmp/corpus.jsonl", "-o", "/tmp/kept.jsonl", env={})
        self.assertEqual(len((root / "tmp" / "kept.jsonl").read_text().splitlines()), 1)
        self.assertIn("seven", run(*inside, "tokenize", "/tmp/corpus.jsonl", env={}))
        errors = run(*inside, "dedup", "postgresql://127.0.0.1:1/x?table=t", "-o", "/tmp/kept.jsonl", code=2, env={})
        self.assertIn("libpq.so.5; install the package libpq5", errors)


if __name__ == "__main__":
    unittest.main()
