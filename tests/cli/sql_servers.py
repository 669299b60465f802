"""Throwaway MariaDB and PostgreSQL servers for tests, each in a folder of its own and on a free port of this machine.

start_mariadb() and start_postgres() return a Server; if its programs are missing they fail the test, or skip it, see needs.py. Stop it when
done; kill() and start() are for tests of lost connections.
"""
import getpass
import glob
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import needs

WAIT_S = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def program(name, *places):
    found = shutil.which(name)
    for place in places:
        found = found or next(iter(sorted(glob.glob(place), reverse=True)), None)
    return found


def run(command, **keywords):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **keywords)
    if result.returncode != 0:
        raise RuntimeError(f"{command}: {result.stdout.decode(errors='replace')}")
    return result.stdout.decode(errors="surrogateescape")


class Server:
    def __init__(self, name):
        self.name = name
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="neardup-sql-"))
        self.port = free_port()
        self.process = None

    def stop(self):
        self.kill()
        shutil.rmtree(self.dir, ignore_errors=True)

    def kill(self):
        """As if the machine lost power."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def wait(self):
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            try:
                self.sql("SELECT 1")
                return
            except RuntimeError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError(f"{self.name} does not start; see {self.dir}/log")

    def spawn(self, command):
        with open(self.dir / "log", "ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.wait()


class MariaDb(Server):
    user, password = "tester", "s3cret-mariadb"

    def __init__(self):
        super().__init__("MariaDB")
        self.client = program("mariadb")
        self.data = self.dir / "data"
        run([program("mariadb-install-db"), "--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db",
             f"--datadir={self.data}", f"--user={getpass.getuser()}"])
        self.start()
        self.sql("CREATE DATABASE corpus CHARACTER SET utf8mb4")
        for host in ("localhost", "127.0.0.1"):
            self.sql(f"GRANT ALL ON *.* TO '{self.user}'@'{host}' IDENTIFIED BY '{self.password}'")

    def start(self):
        self.spawn([program("mariadbd", "/usr/sbin/mariadbd"), "--no-defaults", f"--datadir={self.data}", f"--socket={self.dir}/s.sock",
                    f"--pid-file={self.dir}/pid", "--bind-address=127.0.0.1", f"--port={self.port}", f"--user={getpass.getuser()}",
                    # 2: a transaction that was acknowledged survives the death of the process, if not of the machine
                    "--skip-log-bin", "--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=64M"])

    def sql(self, text, database=None):
        """Rows as lists of strings, with the client's escapes."""
        out = run([self.client, "--no-defaults", f"--socket={self.dir}/s.sock", "-uroot", "--default-character-set=utf8mb4", "-BN",
                   *([database] if database else [])], input=text.encode())
        return [line.split("\t") for line in out.splitlines()]

    def uri(self, table=None, user=None, password=None, port=None, database="corpus", **parameters):
        return uri("mysql", user or self.user, password or self.password, port or self.port, database, table, parameters)


class Postgres(Server):
    user, password = "tester", "s3cret-postgres"

    def __init__(self):
        super().__init__("PostgreSQL")
        self.bin = pathlib.Path(program("postgres", "/usr/lib/postgresql/*/bin/postgres")).parent
        self.data = self.dir / "data"
        self.prefix = []
        if os.geteuid() == 0:  # it refuses root
            shutil.chown(self.dir, "postgres")
            self.prefix = ["runuser", "-u", "postgres", "--"]
        run([*self.prefix, self.bin / "initdb", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8", "-D", self.data], cwd="/")
        (self.data / "pg_hba.conf").write_text("local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n", "utf-8")
        self.start()
        self.sql(f"CREATE ROLE {self.user} LOGIN PASSWORD '{self.password}'", "postgres")
        self.sql(f"CREATE DATABASE corpus OWNER {self.user}", "postgres")

    def start(self):
        for stale in ("postmaster.pid",):
            (self.data / stale).unlink(missing_ok=True)
        command = [*self.prefix, str(self.bin / "postgres"), "-D", str(self.data), "-c", "listen_addresses=127.0.0.1", "-c", f"port={self.port}",
                   "-c", f"unix_socket_directories={self.dir}", "-c", "fsync=off"]
        self.spawn(command)

    def kill(self):
        # runuser is the child; the server's own id stands in its file. Its children end when they see it gone.
        pid_file = self.data / "postmaster.pid"
        if self.process is not None and pid_file.exists():
            os.kill(int(pid_file.read_text("utf-8").split()[0]), signal.SIGQUIT)  # at once, all connections are cut
            end = time.monotonic() + WAIT_S
            while pid_file.exists() and time.monotonic() < end:
                time.sleep(0.02)
        super().kill()

    def sql(self, text, database="corpus"):
        superuser = "postgres" if os.geteuid() == 0 else getpass.getuser()
        out = run([program("psql", str(self.bin / "psql")), "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", str(self.dir), "-p",
                   str(self.port), "-U", superuser, "-d", "postgres" if text == "SELECT 1" else database], input=text.encode(), cwd="/")
        return [line.split("\t") for line in out.splitlines()]

    def uri(self, table=None, user=None, password=None, port=None, database="corpus", **parameters):
        return uri("postgresql", user or self.user, password or self.password, port or self.port, database, table, parameters)


def uri(scheme, user, password, port, database, table, parameters):
    from urllib.parse import quote
    given = ({"table": table} if table else {}) | parameters
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in given.items())
    return f"{scheme}://{quote(user, safe='')}:{quote(password, safe='')}@127.0.0.1:{port}/{quote(database, safe='')}?{query}"


def mariadb_unavailable():
    """What is missing for start_mariadb(), and how to get it; or None."""
    if program("mariadbd", "/usr/sbin/mariadbd") and program("mariadb-install-db") and program("mariadb"):
        return None
    return "MariaDB is not installed: scripts/setup.sh servers"


def postgres_unavailable():
    if not program("postgres", "/usr/lib/postgresql/*/bin/postgres") or not program("psql", "/usr/lib/postgresql/*/bin/psql"):
        return "PostgreSQL is not installed: scripts/setup.sh servers"
    if os.geteuid() == 0 and not shutil.which("runuser"):
        return "PostgreSQL does not run as root, and the program runuser is not installed (package util-linux)"
    return None


def start_mariadb():
    needs.stop_if(mariadb_unavailable())
    return MariaDb()


def start_postgres():
    needs.stop_if(postgres_unavailable())
    return Postgres()
