import os
import pathlib
import subprocess
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
            "src/text/tokens/a.cc": '#include "text/tokens/a.h"\n#include "text/utf8/utf8.h"\n#include "base/hash.h"\n'
                                    '#include "kernels/kernels.h"\n#include <unicode/uchar.h>\n',
            "src/index/lsh/a.cc": '#include "sketch/minhash.h"\n#include "neardup/error.h"\n',
            "src/store/a.cc": '#include "index/hamming/flat.h"\n',
            "src/io/sql/mysql/a.cc": '#include "io/sql/sql_row.h"\n#include "io/bytes/retry.h"\n',
            "src/io/a.cc": '#include "io/sql/mysql/a.h"\n',
            "src/jobs/a.cc": '#include "dedup/engine.h"\n#include "neardup/dedup.h"\n',
            "src/jobs/files/a.cc": '#include "io/json/a.h"\n#include "jobs/a.h"\n',
            "apps/cli/main.cc": '#include "cli/help.h"\n#include "neardup/dedup.h"\n#include <CLI/CLI.hpp>\n',
            "include/neardup/dedup.h": '#include <string_view>\n#include "neardup/options.h"\n#include "neardup/tools/summary.h"\n',
            "include/neardup/tools/plan.h": '#include "neardup/tools/map_documents.h"\n',
        }), [])

    def test_right_is_not(self):
        problems = self.problems({"src/base/a.cc": '// a comment\n#include <string>\n#include "text/utf8/utf8.h"\n'})
        self.assertEqual(len(problems), 1)
        self.assertTrue(problems[0].startswith("src/base/a.cc:3: includes text/utf8/utf8.h"), problems)

    def test_each_of_these_is_a_problem(self):
        for name, line in [
            ("src/index/lsh/a.cc", '#include "store/segment.h"'),
            ("src/store/a.cc", '#include "dedup/engine.h"'),
            ("src/store/a.cc", '#include "kernels/kernels.h"'),
            ("src/dedup/a.cc", '#include "kernels/kernels.h"'),
            ("src/dedup/a.cc", '  #  include "io/json/line.h"'),  # siblings
            ("src/io/a.cc", '#include "dedup/engine.h"'),
            ("src/jobs/a.cc", '#include "io/json/line.h"'),
            ("src/kernels/a.cc", '#include "base/hash.h"'),
            ("src/kernels/a.cc", '#include "neardup/error.h"'),
            ("src/io/a.cc", '#include "cli/help.h"'),
            ("src/text/utf8/a.cc", '#include "utf8.h"'),
            ("src/text/utf8/a.cc", "#include <base/hash.h>"),
            ("src/text/utf8/a.cc", '#include "text/jieba/jieba_segmenter.h"'),  # a room on the right
            ("src/io/json/a.cc", '#include "io/files/line_batch.h"'),
            ("src/io/mongo/a.cc", '#include "io/open.h"'),  # the layer's own folder is its last room
            ("src/text/a.cc", "#include <string>"),  # not in a room
            ("src/text/other/a.cc", "#include <string>"),
            ("src/misc/a.cc", "#include <string>"),
            ("src/text/utf8/a.cc", '#include "neardup/recipe.h"'),  # a public header of sketch
            ("src/store/a.cc", '#include "neardup/io.h"'),
            ("src/jobs/a.cc", '#include "neardup/missing.h"'),
            ("apps/cli/main.cc", '#include "help.h"'),
            ("apps/cli/main.cc", '#include "io/json/line.h"'),
            ("include/neardup/dedup.h", '#include "base/hash.h"'),
            ("include/neardup/dedup.h", "#include <unicode/uchar.h>"),
            ("include/neardup/dedup.h", "#include <zlib.h>"),
            ("include/neardup/recipe.h", '#include "neardup/dedup.h"'),
            ("include/neardup/unknown.h", "#include <string>"),
            ("include/neardup/io.h", '#include "neardup/tools/input_kinds.h"'),  # of its layer, but not stable
            ("include/neardup/tools/reject_limit.h", '#include "neardup/tools/readable.h"'),
        ]:
            with self.subTest(name=name, line=line):
                self.assertEqual(len(self.problems({name: line + "\n"})), 1)

    def test_the_page_of_the_library_lists_the_stable_tools(self):
        page = (pathlib.Path(check_layers.__file__).parents[1] / "docs/library.md").read_text(encoding="utf-8")
        for name in check_layers.STABLE_TOOLS:
            self.assertIn(f"`{name}.h`", page)

    def test_symbols(self):
        """Objects of two layers: base must not need symbols of index, the reverse is allowed; objects outside the build do not count."""
        compiler = os.environ.get("CXX", "c++")
        upward = "int below() { return 1; }\nint above();\nint upward() { return above(); }\n"
        downward = "int below();\nint above() { return below(); }\n"
        for base, index in [("src/base/a.cc.o", "src/index/lsh/b.cc.o"),
                            ("Unity/unity_base_cxx.cxx.o", "Unity/unity_index-lsh_cxx.cxx.o")]:
            with self.subTest(base=base), tempfile.TemporaryDirectory() as directory:
                build = pathlib.Path(directory)
                removed = "src/base/removed.cc.o"
                for name, text in [(base, upward), (index, downward), (removed, upward.replace("below", "other").replace("upward", "another"))]:
                    target = build / "CMakeFiles/x.dir" / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    subprocess.run([compiler, "-x", "c++", "-c", "-o", target, "-"], input=text.encode(), check=True)
                (build / "build.ninja").write_text("".join(f"build CMakeFiles/x.dir/{name}: CXX a.cc\n" for name in (base, index)))
                problems = check_layers.check_objects(build)
                self.assertEqual(len(problems), 1, problems)
                self.assertIn(f"{base}: needs", problems[0])
                self.assertTrue(problems[0].endswith("defined in index"), problems)


if __name__ == "__main__":
    unittest.main()
