"""Cold questions: a memory cgroup for a process, pages dropped, and what a random read of the disk takes."""
import contextlib
import os
import pathlib
import random
import tempfile
import time

GROUPS = (  # version 1, version 2: folder, limit, peak
    (pathlib.Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes", "memory.max_usage_in_bytes"),
    (pathlib.Path("/sys/fs/cgroup"), "memory.max", "memory.peak"),
)


class Group:
    """A memory cgroup; its limit holds for private memory and the page cache together."""

    def __init__(self, folder, peak):
        self.folder, self.peak_file = folder, folder / peak

    def prefix(self):
        """Words before a command that runs it in the group."""
        return ["sh", "-c", f'echo $$ > "{self.folder}/cgroup.procs"; exec "$@"', "sh"]

    def peak(self):
        try:
            return int(self.peak_file.read_text(encoding="ascii"))
        except OSError:
            return None


@contextlib.contextmanager
def memory_group(limit):
    """Yields a new Group with this limit in bytes, or None where none can be made."""
    made = None
    for parent, name, peak in GROUPS:
        folder = None
        try:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="neardup-clue-", dir=parent))
            (folder / name).write_text(str(limit), encoding="ascii")
            made = Group(folder, peak)
            break
        except OSError:
            if folder is not None:
                folder.rmdir()
    try:
        yield made
    finally:
        if made is not None:
            made.folder.rmdir()


def drop_pages(folder):
    os.sync()
    try:
        pathlib.Path("/proc/sys/vm/drop_caches").write_text("3", encoding="ascii")
    except OSError:
        for path in folder.iterdir():
            with open(path, "rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def random_reads_us(folder, reads=400):
    """Microseconds of random reads of 4 KiB of the largest file, whose pages must have been dropped; sorted."""
    path = max(folder.iterdir(), key=lambda file: file.stat().st_size)
    blocks, places = path.stat().st_size // 4096, random.Random(1)
    taken = []
    with open(path, "rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
        for _ in range(reads):
            start = time.perf_counter()
            os.pread(file.fileno(), 4096, 4096 * places.randrange(blocks))
            taken.append(1e6 * (time.perf_counter() - start))
    return sorted(taken)
