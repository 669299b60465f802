// The streams of libbz2.a (Bzip2Static.cmake), which it writes to only if its own state is corrupt.
#include <cstdio>

extern "C" {
[[gnu::visibility("hidden")]] FILE* neardup_bzip2_stderr = stderr;
[[gnu::visibility("hidden")]] FILE* neardup_bzip2_stdout = stdout;
[[gnu::visibility("hidden")]] FILE* neardup_bzip2_stdin = stdin;
}
