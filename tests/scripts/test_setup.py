"""scripts/setup.sh with stubs in place of Debian's programs."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "setup.sh"

# Nothing is installed; npm and libgumbo-dev cannot be, and take with them what is installed in the same call.
APT_GET = """#!/bin/bash
echo "$*" >>"$CALLS"
case " $* " in
  *" --assume-no "*) echo "0 upgraded, 7 newly installed, 0 to remove and 0 not upgraded."; echo "Need to get 12.3 MB of archives."; exit 1 ;;
  *" install "*" npm "* | *" install "*" libgumbo-dev "*) echo " nodejs : Conflicts: npm"; exit 100 ;;
esac
"""


class Setup(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        (self.dir / "bin").mkdir()
        self.calls = self.dir / "calls"
        self.stub("apt-get", APT_GET)
        self.stub("dpkg-query", "#!/bin/sh\nexit 1\n")
        self.stub("id", "#!/bin/sh\necho 0\n")
        self.stub("sync", '#!/bin/sh\necho sync >>"$CALLS"\n')
        (self.dir / "os-release").write_text("VERSION_CODENAME=bookworm\n")
        text = SETUP.read_text().replace("/etc/os-release", str(self.dir / "os-release")).replace("/usr/sbin/policy-rc.d", str(self.dir / "policy"))
        self.script = self.dir / "setup.sh"
        self.script.write_text(text)
        for program in ("bash", "sh", "grep", "sed", "sort", "mktemp", "cat", "rm", "chmod"):
            (self.dir / "bin" / program).symlink_to(f"/bin/{program}" if os.path.exists(f"/bin/{program}") else f"/usr/bin/{program}")

    def stub(self, name, text):
        path = self.dir / "bin" / name
        path.write_text(text)
        path.chmod(0o755)

    def run_setup(self, *groups):
        """With no programs but the stubs and a few tools."""
        done = subprocess.run(["/bin/bash", self.script, *groups], env={"PATH": str(self.dir / "bin"), "CALLS": str(self.calls)},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        return done, self.calls.read_text().splitlines() if self.calls.exists() else []

    def installed(self, calls):
        options = "install -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io "
        return [call.removeprefix(options).split() for call in calls if call.startswith("install -y")]

    def test_says_what_it_installs_before_it_does(self):
        done, calls = self.run_setup("bench")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines(), ["setup: installing bench (2 packages of Debian): libbenchmark-dev zstd",
                                                    "setup: with dependencies 7 newly installed", "setup: downloads 12.3 MB of archives."])
        self.assertEqual(self.installed(calls), [["libbenchmark-dev", "zstd"]])
        self.assertEqual(calls[-1], "sync", "because dpkg does not")
        self.assertFalse((self.dir / "policy").exists())

    def test_a_package_that_fails_does_not_take_the_others_along(self):
        done, calls = self.run_setup("servers", "test")
        self.assertEqual(done.returncode, 1)
        together, *alone = self.installed(calls)
        self.assertEqual([[package] for package in together], alone)
        self.assertIn("mariadb-server-core", together)
        self.assertIn("clang-16", together)
        self.assertIn("setup: npm: nodejs : Conflicts: npm", done.stderr)
        self.assertIn(f"2 of {len(together)} packages could not be installed: libgumbo-dev npm; the others are installed", done.stderr)

    def test_what_comes_from_elsewhere_is_not_installed(self):
        for program in ("npm", "javac", "mvn"):  # Debian's chromedriver fits only Debian's Chromium: these two are always its packages
            self.stub(program, "#!/bin/sh\n")
        done, calls = self.run_setup("servers")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.installed(calls), [["chromium", "chromium-driver", "fonts-noto-cjk", "mariadb-client-core", "mariadb-server-core", "openssl",
                                                  "postgresql", "strace", "systemd"]])

    def test_not_root(self):
        self.stub("id", "#!/bin/sh\necho 1000\n")
        done, calls = self.run_setup("bench")
        self.assertEqual((done.returncode, calls), (2, []))
        self.assertIn("sudo apt-get update && sudo apt-get install -y --no-install-recommends libbenchmark-dev zstd\n", done.stderr)

    def test_missing_packages_are_only_printed(self):
        self.stub("dpkg-query", '#!/bin/sh\nif [ "$3" = zstd ]; then echo installed; else exit 1; fi\n')
        done, calls = self.run_setup("--missing", "bench")
        self.assertEqual((done.returncode, done.stdout.split(), done.stderr, calls), (0, ["libbenchmark-dev"], "", []))
        self.stub("dpkg-query", "#!/bin/sh\necho installed\n")
        done, _ = self.run_setup("--missing", "bench")
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_services_are_not_started(self):
        self.stub("apt-get", APT_GET + f'[[ " $* " != *" -y "* ]] || {self.dir}/policy mariadb start; echo "$?" >"{self.dir}/asked"\n')
        done, _ = self.run_setup("bench")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.dir / "asked").read_text(), "101\n")

    def test_the_tests_have_their_compiler(self):
        """GCC 12 is not good enough for the sanitizers; see test_sanitizer_flags.py."""
        listed = subprocess.run([SETUP, "--list", "test"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        self.assertLessEqual({"clang-16", "libclang-rt-16-dev", "llvm-16", "clang-format-16", "python3-venv"}, set(listed))


if __name__ == "__main__":
    unittest.main()
