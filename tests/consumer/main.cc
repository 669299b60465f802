// A user's program: three documents in, the two that are not near-duplicates out.
#include <neardup/dedup.h>
#include <neardup/error.h>
#include <neardup/io.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: consumer DIRECTORY\n");
    return 2;
  }
  const std::string input = std::string(argv[1]) + "/in.jsonl";
  const std::string output = std::string(argv[1]) + "/kept.jsonl";
  const std::string first = R"({"id": "a", "text": "It was the best of times, it was the worst of times, it was the age of wisdom"})";
  const std::string second = R"({"id": "b", "text": "IT WAS the best of times, it was the worst of times: it was the age of wisdom!"})";
  const std::string third = R"({"id": "c", "text": "Call me Ishmael. Some years ago, never mind how long precisely, having little money"})";
  std::ofstream(input, std::ios::binary) << first << '\n' << second << '\n' << third << '\n';

  try {
    const neardup::Options options;
    const auto source = neardup::open_source({input}, {});
    const auto sink = neardup::make_document_sink(output, neardup::Which::kKept, *source);
    neardup::DedupRun run;
    run.source = source.get();
    run.sinks = {sink.get()};
    const neardup::Summary summary = neardup::dedup(options, run);

    std::ifstream kept(output, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(kept), std::istreambuf_iterator<char>()};
    const bool right = summary.read == 3 && summary.kept == 2 && summary.removed == 1 && bytes == first + '\n' + third + '\n';
    std::printf("%s", summary.to_text().c_str());
    return right ? 0 : 1;
  } catch (const neardup::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
