// Speed of the text layer, in bytes of input per second: kernels, normalizers and tokenizers on texts that are made here.
#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "kernels/kernels.h"
#include "text/normalize/normalizer.h"
#include "text/normalize/normalizer_reference.h"
#include "text/tokens/tokenizer.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr size_t kTextBytes = 16384;

std::string random_word(std::mt19937_64& random) {
  std::string word;
  for (uint64_t length = 1 + random() % 9; length > 0; --length) word.push_back(static_cast<char>('a' + random() % 26));
  return word;
}

std::string english() {
  std::mt19937_64 random(1);
  std::string text;
  for (int words = 1; text.size() < kTextBytes; ++words) {
    std::string word = random_word(random);
    if (words % 12 == 1) word[0] = static_cast<char>(word[0] - 32);
    text += word;
    text += words % 12 == 0 ? "." : "";
    text += words % 14 == 0 ? "\n" : " ";
  }
  return text;
}

std::string source_code() {
  std::mt19937_64 random(2);
  std::string text;
  while (text.size() < kTextBytes) {
    text += std::string(4 * (random() % 5), ' ');
    for (uint64_t words = random() % 7; words > 0; --words) text += random_word(random) + (random() % 2 == 0 ? "(" : " = ");
    text += ";\n";
  }
  return text;
}

std::string chinese() {
  std::mt19937_64 random(3);
  std::string text;
  for (int count = 1; text.size() < kTextBytes; ++count) {
    append_utf8(static_cast<char32_t>(0x4E00 + random() % 0x1000), text);
    if (random() % 10 == 0) append_utf8(random() % 3 == 0 ? 0x3002 : 0xFF0C, text);  // full stop and full-width comma
    if (random() % 60 == 0) text += "\n";
  }
  return text;
}

// What the table of images cannot serve: letters with combining marks.
std::string decomposed() {
  std::mt19937_64 random(4);
  std::string text;
  while (text.size() < kTextBytes) {
    text += random_word(random);
    append_utf8(0x0301, text);
    text += ' ';
  }
  return text;
}

std::string text_of(int64_t kind) {
  switch (kind) {
    case 0:
      return english();
    case 1:
      return source_code();
    case 2:
      return chinese();
    default:
      return decomposed();
  }
}

constexpr const char* kTextNames[] = {"english", "code", "chinese", "decomposed"};

void count(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(bytes));
  state.SetLabel(kTextNames[state.range(0)]);
}

void normalize(benchmark::State& state, const Normalizer& normalizer) {
  const std::string text = text_of(state.range(0));
  RawVector<char> out;
  std::string piece;
  for (auto _ : state) {
    normalizer.normalize(text, out, piece);
    benchmark::DoNotOptimize(out.data());
  }
  count(state, text.size());
}

void BM_normalize_lower(benchmark::State& state) {
  normalize(state, *make_normalizer(NormalizerKind::kLower));
}
void BM_normalize_casefold(benchmark::State& state) {
  normalize(state, *make_normalizer(NormalizerKind::kCasefold));
}
void BM_normalize_reference(benchmark::State& state) {
  normalize(state, *make_reference_normalizer(NormalizerKind::kLower));
}
BENCHMARK(BM_normalize_lower)->DenseRange(0, 3);
BENCHMARK(BM_normalize_casefold)->DenseRange(0, 3);
BENCHMARK(BM_normalize_reference)->DenseRange(0, 3);

void tokenize(benchmark::State& state, const Tokenizer& tokenizer) {
  RawVector<char> text;
  std::string piece;
  make_normalizer(NormalizerKind::kLower)->normalize(text_of(state.range(0)), text, piece);
  TokenBuffer tokens;
  for (auto _ : state) {
    tokenizer.tokenize(view_of(text), tokens);
    benchmark::DoNotOptimize(tokens.starts.data());
  }
  count(state, text.size());
}

void BM_words(benchmark::State& state) {
  tokenize(state, *make_tokenizer(TokenizerKind::kWords));
}
void BM_chars(benchmark::State& state) {
  tokenize(state, *make_tokenizer(TokenizerKind::kChars));
}
BENCHMARK(BM_words)->DenseRange(0, 3);
BENCHMARK(BM_chars)->DenseRange(0, 3);

void BM_is_valid_utf8(benchmark::State& state) {
  const std::string text = text_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(is_valid_utf8(text));
  count(state, text.size());
}
BENCHMARK(BM_is_valid_utf8)->DenseRange(0, 3);

// The argument is the place in the list of kernels that this processor has.
const kernels::Kernels* unit(benchmark::State& state) {
  size_t available = 0;
  const kernels::Kernels* const* units = kernels::available(&available);
  const auto place = static_cast<size_t>(state.range(0));
  if (place < available) return units[place];
  state.SkipWithError("this processor has no such kernels");
  return nullptr;
}

void count_kernel(benchmark::State& state, const kernels::Kernels& kernels, size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(bytes));
  state.SetLabel(kernels.name);
}

void BM_kernel_fold_ascii(benchmark::State& state) {
  const kernels::Kernels* kernels = unit(state);
  if (kernels == nullptr) return;
  const std::string text = english();
  RawVector<char> out(text.size() + kernels::kTextBlock);
  for (auto _ : state) benchmark::DoNotOptimize(kernels->fold_ascii(text.data(), text.size(), out.data(), true).written);
  count_kernel(state, *kernels, text.size());
}
BENCHMARK(BM_kernel_fold_ascii)->DenseRange(0, 3);

void BM_kernel_fold_chinese(benchmark::State& state) {
  const kernels::Kernels* kernels = unit(state);
  if (kernels == nullptr) return;
  if (kernels->fold_chinese == nullptr) return state.SkipWithError("there is no such kernel for this instruction set");
  const std::string text = chinese();
  RawVector<char> out(text.size() + kernels::kTextBlock);
  for (auto _ : state) benchmark::DoNotOptimize(kernels->fold_chinese(text.data(), text.size(), out.data()).written);
  count_kernel(state, *kernels, text.size());
}
BENCHMARK(BM_kernel_fold_chinese)->DenseRange(0, 3);

void BM_kernel_ascii_words(benchmark::State& state) {
  const kernels::Kernels* kernels = unit(state);
  if (kernels == nullptr) return;
  const std::string text = english();
  RawVector<char> joined(text.size() + 2 * kernels::kTextBlock);
  RawVector<uint32_t> starts(text.size() / 2 + kernels::kTextBlock);
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernels->ascii_words(text.data(), text.size(), joined.data(), 0, starts.data()).tokens);
  }
  count_kernel(state, *kernels, text.size());
}
BENCHMARK(BM_kernel_ascii_words)->DenseRange(0, 3);

void BM_kernel_code_point_starts(benchmark::State& state) {
  const kernels::Kernels* kernels = unit(state);
  if (kernels == nullptr) return;
  const std::string text = chinese();
  RawVector<uint32_t> starts(text.size() + kernels::kTextBlock);
  for (auto _ : state) benchmark::DoNotOptimize(kernels->code_point_starts(text.data(), text.size(), starts.data()));
  count_kernel(state, *kernels, text.size());
}
BENCHMARK(BM_kernel_code_point_starts)->DenseRange(0, 3);

}  // namespace
}  // namespace neardup
