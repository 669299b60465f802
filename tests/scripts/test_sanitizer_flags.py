"""The sanitizer build keeps 64-byte variables aligned, whatever compiler it falls back to."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import unittest

from configuring import ROOT, configure

# Counts frames in which a variable of 64 bytes is not aligned. The guard of -fstack-protector-strong shifts what is on the stack, as spilled
# registers do.
PROBE = """
#include <cstdint>
#include <cstdio>
__attribute__((noinline)) void use(void* p) { asm volatile("" ::"r"(p) : "memory"); }
__attribute__((noinline)) int off(void* p) {
  auto a = reinterpret_cast<uintptr_t>(p);
  asm volatile("" : "+r"(a));
  return a % 64 != 0;
}
template <int N> __attribute__((noinline)) int frame() {
  char small[N];
  alignas(64) char vector[64];
  use(small);
  use(vector);
  return off(vector);
}
template <int... N> int count() { return (frame<N>() + ...); }
int main() { std::printf("%d", count<1, 8, 16, 32, 48, 64, 96, 128, 200, 333>()); }
"""


class SanitizerFlags(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def flags(self, compiler):
        """The options for sanitizers that the library is compiled with."""
        build = self.dir / "build"
        configure(build, f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug", "-DNEARDUP_SANITIZE=address,undefined")
        entries = json.loads((build / "compile_commands.json").read_text())
        command = next(shlex.split(entry["command"]) for entry in entries if entry["file"].endswith("src/kernels/avx512.cc"))
        return [word for word in command if word.startswith(("-fsanitize", "-fno-sanitize", "-fno-omit", "--param"))]

    def check(self, compiler):
        flags = self.flags(compiler)
        self.assertIn("-fsanitize=address,undefined", flags)
        (self.dir / "probe.cc").write_text(PROBE)
        subprocess.run([compiler, "-std=c++20", "-O1", "-fstack-protector-strong", *flags, "probe.cc", "-o", "probe"], cwd=self.dir, timeout=120,
                       check=True)
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]
        environment = next(preset["environment"] for preset in presets if preset["name"] == "base")
        self.assertIn("detect_stack_use_after_return=1", environment["ASAN_OPTIONS"])
        ran = subprocess.run(["./probe"], cwd=self.dir, env=os.environ | environment, stdout=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(ran.stdout, "0", f"frames with a misaligned vector, by {compiler}")

    def test_gcc(self):
        self.check(shutil.which("g++"))

    def test_clang(self):
        self.check(shutil.which("clang++-16"))


if __name__ == "__main__":
    unittest.main()
