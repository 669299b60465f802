import pathlib
import tempfile
import unittest

from loading import load

check_layers = load("check_layers")


class CheckLayers(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return check_layers.check(root)

    def test_left_is_allowed(self):
        self.assertEqual(self.problems({
            "src/text/a.cc": '#include "text/a.h"\n#include "base/hash.h"\n#include "kernels/kernels.h"\n#include <unicode/uchar.h>\n',
            "src/index/a.cc": '#include "sketch/minhash.h"\n#include "neardup/error.h"\n',
            "src/store/a.cc": '#include "index/flat.h"\n',
            "src/io/a.cc": '#include "dedup/rank.h"\n',
            "apps/cli/main.cc": '#include "io/a.h"\n#include "neardup/dedup.h"\n#include "help.h"\n#include <CLI/CLI.hpp>\n',
            "apps/cli/help.h": "#include <string>\n",
            "include/neardup/a.h": '#include <string_view>\n#include "neardup/b.h"\n',
        }), [])

    def test_right_is_not(self):
        problems = self.problems({"src/base/a.cc": '// a comment\n#include <string>\n#include "text/utf8.h"\n'})
        self.assertEqual(len(problems), 1)
        self.assertTrue(problems[0].startswith("src/base/a.cc:3: includes text/utf8.h"), problems)

    def test_each_of_these_is_a_problem(self):
        for name, line in [
            ("src/index/a.cc", '#include "store/segment.h"'),
            ("src/store/a.cc", '#include "dedup/engine.h"'),
            ("src/store/a.cc", '#include "kernels/kernels.h"'),
            ("src/dedup/a.cc", '#include "kernels/kernels.h"'),
            ("src/dedup/a.cc", '  #  include "io/jsonl.h"'),
            ("src/kernels/a.cc", '#include "base/hash.h"'),
            ("src/kernels/a.cc", '#include "neardup/error.h"'),
            ("src/io/a.cc", '#include "cli/help.h"'),
            ("src/text/a.cc", '#include "utf8.h"'),
            ("src/text/a.cc", "#include <base/hash.h>"),
            ("apps/cli/main.cc", '#include "missing.h"'),
            ("include/neardup/a.h", '#include "base/hash.h"'),
            ("include/neardup/a.h", "#include <unicode/uchar.h>"),
            ("include/neardup/a.h", "#include <zlib.h>"),
            ("src/misc/a.cc", "#include <string>"),
        ]:
            with self.subTest(name=name, line=line):
                self.assertEqual(len(self.problems({name: line + "\n"})), 1)


if __name__ == "__main__":
    unittest.main()
