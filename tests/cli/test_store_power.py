"""A store survives the loss of power at every moment: nothing acknowledged is lost, and it opens at a state that it was in."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import power_loss

HISTORY = os.environ.get("NEARDUP_STORE_HISTORY", "")
RECORDER = os.environ.get("NEARDUP_POWER_RECORDER", "")
OPERATIONS = int(os.environ.get("NEARDUP_POWER_OPERATIONS", "150"))


@unittest.skipUnless(HISTORY and RECORDER, "a build with sanitizers: they want to be loaded before the recorder")
class StorePower(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="neardup-power-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def record(self, recipe, seed):
        root = os.path.join(self.folder, "store")
        subprocess.run([HISTORY, "create", root, recipe], check=True)
        disk = power_loss.Disk(root)
        names = {name: os.path.join(self.folder, name) for name in ("records", "states", "marks")}
        environment = dict(os.environ, LD_PRELOAD=RECORDER, NEARDUP_RECORD_ROOT=root, NEARDUP_RECORD_FILE=names["records"],
                           NEARDUP_RECORD_MARKS=names["marks"])
        # A killed process has written what it did not sync: the next one must not take it for safe.
        subprocess.run([HISTORY, "killed", root, str(OPERATIONS // 10), str(seed + 100), names["states"]], check=True, env=environment)
        before = len(pathlib.Path(names["states"]).read_text().splitlines())
        subprocess.run([HISTORY, "run", root, str(OPERATIONS), str(seed), names["states"], names["marks"]], check=True, env=environment)
        states = pathlib.Path(names["states"]).read_text().splitlines()
        return root, disk, list(power_loss.read_records(names["records"])), states, before

    def lose_power_everywhere(self, recipe, seed):
        root, disk, records, states, before = self.record(recipe, seed)
        checker = subprocess.Popen([HISTORY, "check"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(checker.communicate)
        at_state = {}
        for number, state in enumerate(states):
            at_state.setdefault(state, []).append(number)
        acknowledged = 0
        seen = set()
        losses = 0
        for point, record in enumerate(records):
            if record[0] == "a":
                acknowledged = before + int(record[4].split()[-1])
                continue
            disk.record(*record)
            for way in ("certain", "all", "torn"):
                files, folders = disk.after_loss(way, power_loss.seeded(seed, point, way))
                whole = hashlib.blake2b()
                for path in sorted(files):
                    whole.update(path.encode() + hashlib.blake2b(files[path]).digest())
                key = (whole.digest(), acknowledged)
                if key in seen:
                    continue
                seen.add(key)
                losses += 1
                target = os.path.join(self.folder, "lost")
                power_loss.write_state(files, folders, root, target)
                checker.stdin.write(target + "\n")
                checker.stdin.flush()
                found = checker.stdout.readline().rstrip("\n")
                where = f"{recipe}, record {point} ({record[0]} {record[3][len(root):]}), {way}, {acknowledged} groups acknowledged"
                self.assertIn(found, at_state, where)
                self.assertGreaterEqual(max(at_state[found]), acknowledged, where)
                shutil.rmtree(target)
        self.assertGreater(len(states), 10)
        return losses

    def test_every_moment_of_texts(self):
        losses = self.lose_power_everywhere("words-5", 1)
        print(f"{losses} different states of the disk", flush=True)
        self.assertGreater(losses, OPERATIONS // 2)

    def test_every_moment_of_fingerprints(self):
        self.lose_power_everywhere("simhash-words-3", 2)


if __name__ == "__main__":
    unittest.main()
