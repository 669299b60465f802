#!/usr/bin/env python3
"""Makes a random call that changes a file fail (ENOSPC, EIO, a short write) in random commands, and looks at what they leave: failures.py."""
import common
from failures import Failures
from trials import TIMEOUT_S


class FailingCalls(Failures):
    def disturbed(self, command, calls):
        kind = self.chance.choice(["ENOSPC", "EIO", "SHORT"])
        self.leaves_partial = kind == "EIO"  # it may be the removal that fails
        return self.faults.run(command, self.folder, fault=f"{kind}:{self.chance.randint(1, calls)}", timeout=TIMEOUT_S)


if __name__ == "__main__":
    given = common.options(__doc__.split("\n", maxsplit=1)[0]).parse_args()
    common.require_program(library=True)
    common.run(lambda folder, chance: FailingCalls(folder, chance).any_job(), given)
