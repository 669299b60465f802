"""A MongoDB server for tests: the one that NEARDUP_MONGODB_URI names, or mongo-java-server (Maven, Java) started here.

The libraries come by Maven into a cache folder, once. unavailable() says what is missing.
"""
import functools
import os
import pathlib
import shutil
import subprocess
import uuid

import tables

VERSION = "1.47.0"
HERE = pathlib.Path(__file__).resolve().parent
POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>neardup</groupId><artifactId>test-server</artifactId><version>1</version><dependencies>
<dependency><groupId>de.bwaldvogel</groupId><artifactId>mongo-java-server</artifactId><version>{VERSION}</version></dependency>
<dependency><groupId>de.bwaldvogel</groupId><artifactId>mongo-java-server-h2-backend</artifactId><version>{VERSION}</version></dependency>
<dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>2.0.17</version></dependency>
</dependencies></project>
"""


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "neardup" / f"mongo-java-server-{VERSION}"


def _run(arguments, folder):
    result = subprocess.run(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False)
    if result.returncode != 0:
        lines = result.stdout.decode("utf-8", "replace").strip().splitlines()
        raise OSError(f"{arguments[0]}: {lines[0] if lines else result.returncode}")


@functools.lru_cache(maxsize=None)
def class_path():
    """The folder of the libraries and the one of the compiled server, created if missing. Throws OSError."""
    cache = cache_folder()
    source = HERE / "MongoTestServer.java"
    if not (cache / "lib").is_dir():
        work = cache.parent / f"{cache.name}.{uuid.uuid4().hex}"
        work.mkdir(parents=True)
        try:
            (work / "pom.xml").write_text(POM)
            _run(["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"], work)
            try:
                work.rename(cache)
            except OSError:  # another test was faster
                if not (cache / "lib").is_dir():
                    raise
        finally:
            shutil.rmtree(work, ignore_errors=True)
    compiled = cache / "classes" / "MongoTestServer.class"
    if not compiled.is_file() or compiled.stat().st_mtime < source.stat().st_mtime:
        _run(["javac", "-cp", str(cache / "lib" / "*"), "-d", str(compiled.parent), str(source)], cache)
    return f"{cache / 'lib' / '*'}{os.pathsep}{compiled.parent}"


@functools.lru_cache(maxsize=None)
def unavailable():
    """Why there is no server to test with, and what to do about it; or None."""
    try:
        import pymongo  # noqa: F401
    except ImportError:
        return f"the Python package pymongo is not installed: {tables.HOW_TO_GET_PACKAGES}"
    if os.environ.get("NEARDUP_MONGODB_URI"):
        return None
    for program in ("java", "javac", "mvn"):
        if not shutil.which(program):
            return f"{program} is not installed (scripts/setup.sh servers), and NEARDUP_MONGODB_URI names no server"
    try:
        class_path()
    except (OSError, subprocess.SubprocessError) as error:
        return f"mongo-java-server could not be fetched: {error}"
    return None


class MongoServer:
    """A server of our own. `file`: where it keeps its data, so that it can be killed and started again."""

    def __init__(self, file=None):
        self.file = file
        self.port = 0
        self.process = None
        self.start()

    def start(self):
        arguments = ["java", "-Xmx768m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", class_path(), "MongoTestServer", str(self.port)]
        if self.file:
            arguments.append(str(self.file))
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline()
        if not line:
            raise OSError("the server did not start")
        self.port = int(line)

    @property
    def uri(self):
        return f"mongodb://127.0.0.1:{self.port}"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(timeout=30)
            self.process.stdout.close()
