"""Configures the project in a folder of a test, without building it."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def configure(build, *options):
    """Raises AssertionError with what CMake printed if it fails."""
    done = subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DNEARDUP_TESTS=OFF", "-DNEARDUP_HTML=off", "-DNEARDUP_CHARTS=off",
                           "-DNEARDUP_PAGE=off", *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout)
