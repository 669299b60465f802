#!/usr/bin/env python3
"""Makes a random call that changes a file fail (ENOSPC, EIO, a short write) in random commands, and looks at what they leave: judge.py."""
import judge
from trials import TIMEOUT_S


def fail_a_call(trial, command, _, calls):
    kind = trial.chance.choice(["ENOSPC", "EIO", "SHORT"])
    result = trial.faults.run(command, trial.folder, fault=f"{kind}:{trial.chance.randint(1, calls)}", timeout=TIMEOUT_S)
    # With EIO it may be the removal that fails.
    return judge.failed(kind, result, may_leave=kind == "EIO")


if __name__ == "__main__":
    judge.run(__doc__, fail_a_call)
