#!/usr/bin/env python3
"""Kills random commands at random moments, and looks at what they leave: judge.py.

Signals: KILL, TERM and HUP, after a random time or before a random call that changes a file.
"""
import signal
import subprocess

import judge
from trials import TIMEOUT_S

SIGNALS = {"KILL": signal.SIGKILL, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP}


def kill(trial, command, whole_s, calls):
    name = trial.chance.choice(list(SIGNALS))
    if trial.chance.random() < 0.5:
        result = trial.faults.run(command, trial.folder, fault=f"{name}:{trial.chance.randint(1, calls)}", timeout=TIMEOUT_S)
        code, error = result.returncode, result.stderr
    else:
        process = subprocess.Popen([trial.faults.BINARY, *map(str, command)], cwd=trial.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(timeout=whole_s * trial.chance.random() * 1.1)
        except subprocess.TimeoutExpired:
            process.send_signal(SIGNALS[name])
        error = process.communicate(timeout=TIMEOUT_S)[1]
        code = process.returncode
    # A signal that comes before the handlers are installed has its default effect; nothing is open then.
    right = code in (0, -SIGNALS[name]) or (name != "KILL" and code == 128 + SIGNALS[name])
    return judge.Ending(name, code, error, right, may_leave=name == "KILL")


if __name__ == "__main__":
    judge.run(__doc__, kill)
