"""Runs of hamming_speed and of the rivals of SHARED/peers-zh on the same codes, for hamming.py and hamming_growth.py."""
import json
import subprocess

import common


def json_lines(command, **more):
    done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, check=True, **more)
    return [json.loads(line) for line in done.stdout.decode().splitlines() if line.startswith("{")]


def name_of(codes):
    return f"{codes / 1e6:g}M"


def own(options, codes, parts, **more):
    """{part: its line}; of batch and join, {(part, threads): line}. `more` are options of hamming_speed."""
    command = [common.tool(options, "hamming_speed"), "--codes", codes, "--parts", parts, "--threads", options.threads]
    for name, value in more.items():
        command += [f"--{name.replace('_', '-')}", *([] if value is True else [value])]
    common.say(" ".join(map(str, command[1:])))
    made = {}
    for line in json_lines(command):
        made[(line["part"], line["threads"]) if line["part"] in ("batch", "join") else line["part"]] = line
    return made


def code_files(options, codes, kind, special=0):
    """The prefix of the files of such codes; they are made once per work folder."""
    prefix = options.work / f"codes-{kind}-{special}-{codes}"
    done = prefix.with_suffix(".done")
    if not done.exists():
        common.say(f"making {prefix.name}")
        command = [common.tool(options, "hamming_codes"), "--kind", kind, "--special", special, "--codes", codes, "--out", prefix]
        subprocess.run([str(each) for each in command], check=True)
        done.touch()
    return prefix


class Rivals:
    """Those that are there; each run gives its line, or None with a note in the report."""

    def __init__(self, options, report):
        self.options, self.report = options, report
        self.kit = options.shared / "peers-zh"
        self.python = options.rivals / "venv/bin/python"
        self.simhash_cpp = options.rivals / "bin/ham_simhash_cpp"

    def faiss(self, index, prefix, singles=2000, batch=10000):
        if not self.python.exists():
            return self.absent("faiss")
        common.say(f"faiss {index}, {prefix.name}")
        return json_lines([self.python, "-B", self.kit / "ham_faiss.py", index, prefix, singles, batch], cwd=self.kit)[-1]

    def join(self, prefix, radius):
        """The faster one of two numbers of blocks."""
        if not self.simhash_cpp.exists():
            return self.absent("simhash-cpp")
        common.say(f"simhash-cpp, {prefix.name}")
        lines = [json_lines([self.simhash_cpp, prefix, blocks, radius])[0] for blocks in (radius + 1, radius + 2)]
        return min(lines, key=lambda line: line["wall_s"])

    def absent(self, name):
        note = f"{name} is not there (--rivals): not compared."
        if note not in self.report.notes:
            self.report.note(note)
        return None
