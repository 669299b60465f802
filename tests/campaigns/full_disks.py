#!/usr/bin/env python3
"""Runs random commands on a disk that is full before they are done, and looks at what they leave: judge.py. Needs root, to mount a tmpfs."""
import os
import subprocess
import sys

import judge
from trials import TIMEOUT_S

ROOMY = "size=512m"


def fill_the_disk(trial, command, _whole_s, _calls):
    used = sum(path.stat().st_blocks * 512 for path in trial.folder.rglob("*"))
    mount(trial.folder, f"remount,size={used + trial.chance.choice([0, 4, 16, 64, 256, 1024]) * 1024}")
    try:
        result = trial.faults.run((*command, *spilled(trial, command)), trial.folder, timeout=TIMEOUT_S)
    finally:
        mount(trial.folder, f"remount,{ROOMY}")
    return judge.failed("full", result)


def spilled(trial, command):
    """Now and then temporary files are on the full disk as well."""
    takes = command[0] in ("dedup", "pairs") or command[:2] == ("index", "build")
    return ("--temp-dir", ".") if takes and trial.chance.random() < 0.5 else ()


def mount(folder, options):
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)


def trial_on_a_small_disk(folder, chance):
    mount(folder, ROOMY)
    try:
        return judge.Judge(folder, chance, fill_the_disk).any_job()
    finally:
        subprocess.run(["umount", str(folder)], check=True)


if __name__ == "__main__":
    if os.geteuid() != 0:
        sys.exit("full_disks needs root, to mount a tmpfs")
    judge.run(__doc__, fill_the_disk, trial_on_a_small_disk)
