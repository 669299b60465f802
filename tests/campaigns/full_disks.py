#!/usr/bin/env python3
"""Runs random commands on a disk that is full before they are done, and looks at what they leave: failures.py. Needs root, to mount a tmpfs."""
import os
import subprocess
import sys

import common
from failures import Failures
from trials import TIMEOUT_S

ROOMY = "size=512m"


class FullDisks(Failures):
    def disturbed(self, command, calls):
        used = sum(path.stat().st_blocks * 512 for path in self.folder.rglob("*"))
        mount(self.folder, f"remount,size={used + self.chance.choice([0, 4, 16, 64, 256, 1024]) * 1024}")
        try:
            return self.faults.run((*command, *self.spilled(command)), self.folder, timeout=TIMEOUT_S)
        finally:
            mount(self.folder, f"remount,{ROOMY}")

    def spilled(self, command):
        """Now and then temporary files are on the full disk as well."""
        takes = command[0] in ("dedup", "pairs") or command[:2] == ("index", "build")
        return ("--temp-dir", ".") if takes and self.chance.random() < 0.5 else ()


def mount(folder, options):
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)


def trial(folder, chance):
    mount(folder, ROOMY)
    try:
        return FullDisks(folder, chance).any_job()
    finally:
        subprocess.run(["umount", str(folder)], check=True)


if __name__ == "__main__":
    given = common.options(__doc__.split("\n", maxsplit=1)[0]).parse_args()
    common.require_program(library=True)
    if os.geteuid() != 0:
        sys.exit("full_disks needs root, to mount a tmpfs")
    common.run(trial, given)
