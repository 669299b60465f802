"""The end of the interpreter, threads, processes and foreign Arrow objects: nothing ends the process in the middle of a call."""

import ctypes
import gc
import os
import resource
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import numpy as np
import pytest

import neardup
from needs import SANITIZED
from neardup import _core

pa = pytest.importorskip("pyarrow")


def run(code, **limits):
    def limit():
        for name, size in limits.items():
            resource.setrlimit(getattr(resource, name), (size, size))

    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, check=False, preexec_fn=limit
    )


CALLS = {
    "dedup": "neardup.dedup(texts)",
    "stream": "neardup.dedup(lambda: iter([pyarrow.table({'text': texts})] * 5))",
    "sketch": "sketcher.sketch(texts)",
    "short": "sketcher.sketch(texts[:2])",
    "query": "index.query(0)",
    "join": "index.self_join(12)",
    "cut_many": "neardup.jieba.cut_many(texts)",
    "simhash_many": "neardup.compat.simhash.simhash_many(texts)",
}


@pytest.mark.parametrize("call", CALLS)
def test_the_interpreter_ends_while_threads_work(call):
    ended = run(f"""
        import threading, time, numpy, pyarrow
        import neardup, neardup.jieba, neardup.compat.simhash

        texts = [" ".join(f"w{{i * j % 3001}}" for j in range(300)) for i in range(2000)]
        sketcher = neardup.Sketcher()
        index = neardup.HammingIndex(numpy.random.default_rng(1).integers(0, 2**64, 50_000, dtype=numpy.uint64), max_distance=12)

        def work():
            while True:
                {CALLS[call]}
                calls.append(1)

        calls = []
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(1)
        print("end")
        """)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


def test_the_end_does_not_wait_for_a_thread_that_waits():
    ended = run("""
        import threading, time
        import neardup

        def reader():
            threading.Event().wait()
            yield

        threading.Thread(target=lambda: neardup.dedup(reader), daemon=True).start()
        time.sleep(0.5)
        begin = time.monotonic()
        import atexit
        atexit._run_exitfuncs()
        assert time.monotonic() - begin < 15
        import os
        os._exit(0)
        """)
    assert ended.returncode == 0, ended.stderr


def test_no_message_at_exit():
    # What a thread still holds then is no leak.
    ended = run("""
        import threading, time
        import neardup
        import neardup.compat.datasketch as datasketch

        def work():
            kept = [neardup.Sketcher(), neardup.dedup(["one two three four five six"] * 2), datasketch.MinHashLSH()]
            kept.append(kept)
            threading.Event().wait()

        threading.Thread(target=work, daemon=True).start()
        time.sleep(1)
        """)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_child_process_ends_at_once():
    ended = run("""
        import os, threading, time, numpy
        import neardup

        index = neardup.HammingIndex(numpy.random.default_rng(1).integers(0, 2**64, 50_000, dtype=numpy.uint64), max_distance=12)

        def work():
            while True:
                index.self_join(12)

        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        child = os.fork()
        if child == 0:
            begin = time.monotonic()
            assert len(neardup.dedup(["one two three four five six"] * 3).kept) == 1
            import atexit
            atexit._run_exitfuncs()
            os._exit(0 if time.monotonic() - begin < 5 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        """)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.skipif(SANITIZED, reason="[machine] AddressSanitizer needs more address space than this test leaves")
@pytest.mark.parametrize("call", ["neardup.jieba.cut_many(['中国'] * 9, threads=1024)", "neardup.dedup(['a b c d e f'] * 9, threads=2)"])
def test_no_more_threads(call):
    # With stacks of a gigabyte, the address space has room for no thread, or for few.
    ended = run(
        f"""
        import neardup, neardup.jieba
        neardup.jieba.lcut("中国")
        try:
            {call}
        except MemoryError as error:
            assert "thread" in str(error) or "alloc" in str(error) or isinstance(error, neardup.ResourceError), error
        """,
        RLIMIT_STACK=1 << 30,
        RLIMIT_AS=(1 << 30) + (900 << 20),
    )
    assert ended.returncode == 0, ended.stderr


def test_progress_that_uses_the_run_itself():
    texts = [" ".join(f"w{i * j % 3001}" for j in range(300)) for i in range(3000)]
    seen = []

    def progress(now):
        seen.append(now["pass"])
        if len(seen) < 3:
            neardup.dedup(texts[:5], progress=progress)
        gc.collect()

    assert len(neardup.dedup(texts, progress=progress).kept) > 0
    assert seen

    def failing(now):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        neardup.dedup(texts, progress=failing)


def test_one_object_in_many_threads(tmp_path):
    store = neardup.HammingStore.create(tmp_path / "store", max_distance=3)
    clues = neardup.ClueIndex.create(tmp_path / "clues")
    failures = []

    def work(seed):
        random = np.random.default_rng(seed)
        for _ in range(20):
            try:
                store.add(random.integers(0, 2**64, 50, dtype=np.uint64))
                store.query(int(random.integers(0, 2**62)))
                store.flush()
                clues.add([f"a text of number {random.integers(0, 2**62)} that is long enough"])
                clues.search("text of number that is long enough")
            except neardup.Error as error:
                if "closed" not in str(error):
                    failures.append(error)
            except Exception as error:  # pylint: disable=broad-exception-caught
                failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    store.close()
    clues.close()
    for thread in threads:
        thread.join()
    assert not failures


def test_native_arguments_out_of_bounds():
    with pytest.raises(neardup.UsageError):
        _core.Settings("dedup", [], [], "")
    for columns in (0, 3):
        with pytest.raises(neardup.UsageError):
            _core.HammingIndex(np.zeros((4, columns), np.uint64), None, 3, 1, 0, "")


def test_columns_that_change_their_dict():
    columns = {}

    class Clearing:
        def __iter__(self):
            columns.clear()
            return iter(["one two three four five six"] * 3)

    columns.update(text=Clearing(), id=[str(number) for number in range(3)])
    settings = _core.Settings("dedup", [], ["text"], "id")
    verdicts = _core.dedup(_core.memory_data(settings, "memory", columns), settings, None, "", None, None)
    assert [verdicts.id(entry) for entry in range(3)] == ["0", "1", "2"]


def test_a_run_over_several_streams_is_collected():
    class Marker:
        def open(self):
            return iter([self.data])

    def cycle():
        settings = _core.Settings("dedup", [], ["text"], "")
        marker = Marker()
        marker.data = _core.chain_data([_core.stream_data(settings, name, marker.open) for name in ("a", "b")])
        return weakref.ref(marker)

    seen = cycle()
    gc.collect()
    assert seen() is None


def test_an_index_that_interrupts():
    class Interrupting:
        def __index__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        neardup.dedup([{"text": "one two three four five six", "id": Interrupting()}])


def test_renamed_capsules():
    table = neardup.pairs(["one two three four five six"] * 3)
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    for capsule in (*table.__arrow_c_array__(), table.__arrow_c_stream__(), table.__arrow_c_schema__()):
        assert rename(capsule, b"used") == 0
    del capsule
    gc.collect()


def test_a_column_that_was_moved_out_of_its_table():
    class Array(ctypes.Structure):
        _fields_ = [
            *((name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
            *((name, ctypes.c_void_p) for name in ("buffers", "children", "dictionary", "release", "private_data")),
        ]

    class Moved:
        def __arrow_c_array__(self, requested_schema=None):
            schema, array = pa.record_batch({"text": ["one"]}).__arrow_c_array__()
            pointer = ctypes.pythonapi.PyCapsule_GetPointer
            pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            whole = Array.from_address(pointer(array, b"arrow_array"))
            child = Array.from_address(ctypes.c_void_p.from_address(whole.children).value)
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(child.release)(ctypes.addressof(child))
            child.release = None
            return schema, array

    settings = _core.Settings("dedup", [], ["text"], "")
    with pytest.raises(ValueError, match="released"):
        _core.memory_data(settings, "memory", Moved())


def test_messages_with_the_bytes_of_a_file_name(tmp_path):
    name = os.fsencode(tmp_path) + b"/\xff.jsonl"
    with open(name, "wb") as file:
        file.write(b"{\n" * 50)
    with pytest.raises(neardup.Error):
        neardup.dedup(str(tmp_path), max_rejects=0)
