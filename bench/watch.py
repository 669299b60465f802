"""Watch: what a running program takes at its peak: memory that it alone has, and disk.

Disk is what is in use at the same time: the blocks of the files in the folders that are watched, hidden ones that are still being written
included, and of the files that the program has open but that have no name any more (spilled data). All is polled, so a peak that lasts less
than the interval may be missed; the kernel's own peak of resident memory is missed only if it comes in the last interval.
"""
import dataclasses
import os
import pathlib
import re
import subprocess
import time

BLOCK = 512  # of st_blocks


@dataclasses.dataclass
class Peaks:
    seconds: float = 0
    cpu_seconds: float = 0
    resident: int = 0   # bytes; the kernel's own peak, with the mapped pages of files
    anonymous: int = 0  # bytes; without them
    folders: dict = dataclasses.field(default_factory=dict)  # bytes by name of the folder, each at its own peak
    unnamed: int = 0    # bytes of files without a name
    disk: int = 0       # bytes of all of these together


def folder_bytes(path):
    total = 0
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                try:
                    total += folder_bytes(entry.path) if entry.is_dir(follow_symlinks=False) else entry.stat().st_blocks * BLOCK
                except FileNotFoundError:  # renamed in the meantime
                    pass
    except FileNotFoundError:
        pass
    return total


def unnamed_bytes(process):
    files = {}
    try:
        for name in os.listdir(f"/proc/{process}/fd"):
            try:
                state = os.stat(f"/proc/{process}/fd/{name}")
            except OSError:
                continue
            if state.st_nlink == 0:
                files[state.st_dev, state.st_ino] = state.st_blocks * BLOCK
    except OSError:  # it has ended
        pass
    return sum(files.values())


def memory_bytes(process):
    """(peak of resident memory, anonymous memory now). Not by getrusage: there a program has the peak of who started it, if that is more."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0, 0
    found = [re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE) for name in ("VmHWM", "RssAnon")]
    return tuple(int(each[1]) * 1024 if each else 0 for each in found)


def process_of(root, program):
    """The process of `program` that is `root` or was started by it, or None."""
    waiting = [root]
    while waiting:
        process = waiting.pop()
        try:
            if os.path.samefile(f"/proc/{process}/exe", program):
                return process
            waiting += map(int, pathlib.Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split())
        except OSError:  # it has ended
            pass
    return None


def run(command, folders, messages, via=(), interval=0.2):
    """Runs it, standard error into the file `messages`. Returns Peaks. Raises RuntimeError with the messages when it fails.

    `folders`: {name: path}, none inside another. `via`: a command that is given this one as its arguments; its own time is not counted.
    """
    peaks = Peaks(folders=dict.fromkeys(folders, 0))
    with open(messages, "wb") as log:
        start = time.perf_counter()
        process = subprocess.Popen(list(map(str, (*via, *command))), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        ended, watched = 0, None
        while not ended:
            if watched is None:
                time.sleep(0.005)
                start = time.perf_counter()
                watched = process_of(process.pid, command[0])
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)
                continue
            time.sleep(interval)
            resident, anonymous = memory_bytes(watched)
            peaks.resident, peaks.anonymous = max(peaks.resident, resident), max(peaks.anonymous, anonymous)
            sizes = {name: folder_bytes(path) for name, path in folders.items()}
            unnamed = unnamed_bytes(watched)
            peaks.unnamed = max(peaks.unnamed, unnamed)
            for name, size in sizes.items():
                peaks.folders[name] = max(peaks.folders[name], size)
            peaks.disk = max(peaks.disk, sum(sizes.values()) + unnamed)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        peaks.seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        text = pathlib.Path(messages).read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"exit code {process.returncode}: {' '.join(map(str, command))}\n{text[-2000:]}")
    peaks.cpu_seconds = usage.ru_utime + usage.ru_stime
    return peaks
