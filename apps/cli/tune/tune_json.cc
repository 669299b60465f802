#include "cli/tune/tune_json.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "cli/terminal/text_format.h"
#include "cli/tune/tune_names.h"

namespace neardup::cli {
namespace {

template <typename Row, typename Format>
std::string list_of(const std::vector<Row>& rows, const Format& format) {
  std::string out = "[";
  for (const Row& row : rows) {
    if (out.size() > 1) out += ',';
    out += format(row);
  }
  return out + ']';
}

std::string kinds_json(const std::array<double, kPairKinds>& kinds) {
  std::string out = "{";
  for (size_t i = 0; i < kinds.size(); ++i) {
    out += fmt::format(R"({}{}:{:.6g})", i == 0 ? "" : ",", json_quote(name_of(static_cast<PairKind>(i))), kinds[i]);
  }
  return out + '}';
}

std::string corpus_json(const TuneCorpus& corpus) {
  std::string scripts;
  for (size_t i = 0; i < corpus.scripts.size(); ++i) {
    scripts += fmt::format(R"({}"{}":{:.6g})", i == 0 ? "" : ",", kScriptNames[i], corpus.scripts[i]);
  }
  return fmt::format(
      R"({{"documents":{},"characters":{},"empty":{},"median_length":{},"lengths":{},"sampled":{},"scripts":{{{}}},"html":{:.6g},)"
      R"("code":{:.6g},"short_texts":{:.6g},"line_characters":{:.6g},"lines":{}}})",
      corpus.documents, corpus.characters, corpus.empty, corpus.median_length,
      list_of(corpus.lengths, [](const TuneCorpus::LengthBin& bin) { return fmt::format("[{},{},{}]", bin.from, bin.to, bin.documents); }),
      corpus.sampled, scripts, corpus.html, corpus.code, corpus.short_texts, corpus.line_characters,
      list_of(corpus.lines, [](const TuneCorpus::Line& line) {
        return fmt::format(R"({{"text":{},"documents":{:.6g}}})", json_quote(line.text), line.documents);
      }));
}

std::string example_json(const TunePairs::Example& example) {
  return fmt::format(R"({{"id_a":{},"id_b":{},"similarity":{:.6f},"kind":{},"excerpt":{}}})", json_quote(example.id_a),
                     json_quote(example.id_b), example.similarity, json_quote(name_of(example.kind)), json_quote(example.excerpt));
}

std::string band_json(const TunePairs::Band& band) {
  return fmt::format(R"({{"from":{:.2f},"to":{:.2f},"pairs":{:.6g},"texts":{:.6g},"examined":{},"kinds":{},"examples":{}}})", band.from,
                     band.to, band.pairs, band.documents, band.examined, kinds_json(band.kinds), list_of(band.examples, example_json));
}

std::string renamed_json(const TunePairs::RenamedCopies& renamed) {
  return fmt::format(R"({{"only_renamed":{:.6g},"near_pairs":{:.6g},"examined":{},"copies":{},"same_literals":{:.6g},"pairs":{:.6g}}})",
                     renamed.only_renamed, renamed.near_pairs, renamed.examined, renamed.copies, renamed.same_literals, renamed.pairs);
}

std::string pairs_json(const TunePairs& pairs) {
  return fmt::format(
      R"({{"documents":{},"texts":{},"whole_corpus":{},"exact_copies":{:.6g},"recipe":{},"pairs":{},"examined":{},"kinds":{},)"
      R"("block_characters":{:.6g},"bands":{},"templates":{},"renamed":{}}})",
      pairs.documents, pairs.texts, pairs.whole_corpus, pairs.exact_copies, json_quote(pairs.recipe), pairs.pairs, pairs.examined,
      kinds_json(pairs.kinds), pairs.block_characters, list_of(pairs.bands, band_json),
      list_of(pairs.templates,
              [](const TunePairs::Template& frame) {
                return fmt::format(R"({{"texts":{},"excerpt":{}}})", frame.documents, json_quote(frame.excerpt));
              }),
      renamed_json(pairs.renamed));
}

std::string advice_json(const TuneAdvice& advice) {
  return fmt::format(
      R"({{"recipe":{},"clean":{},"threshold":{},"min_length":{},"densities":{},"reasons":{},"notes":{}}})", json_quote(advice.recipe),
      json_quote(advice.clean), advice.threshold.value(), advice.min_length,
      list_of(advice.densities,
              [](const TuneAdvice::Density& band) { return fmt::format("[{:.2f},{},{:.4f}]", band.from, band.pairs, band.cohesion); }),
      list_of(advice.reasons,
              [](const TuneAdvice::Reason& reason) {
                return fmt::format(R"({{"option":{},"text":{}}})", json_quote(reason.option), json_quote(reason.text));
              }),
      list_of(advice.notes, [](const std::string& note) { return json_quote(note); }));
}

std::string removals_json(const TuneExpected::Removals& removals) {
  return fmt::format(R"("low":{:.6g},"likely":{:.6g},"high":{:.6g})", removals.low, removals.likely, removals.high);
}

}  // namespace

std::string expected_json(const TuneExpected& expected) {
  return fmt::format(R"({{{},"exact":{:.6g},"sources":{}}})", removals_json(expected.all), expected.exact,
                     list_of(expected.sources, [](const TuneExpected::Source& source) {
                       return fmt::format(R"({{"source":{},"documents":{},"sampled":{},{}}})", json_quote(source.name), source.documents,
                                          source.sampled, removals_json(source.removals));
                     }));
}

std::string tune_json(const TuneResult& result) {
  return fmt::format(R"({{"corpus":{},"pairs":{},"advice":{},"expected":{}}})"
                     "\n",
                     corpus_json(result.corpus), pairs_json(result.pairs), advice_json(result.advice), expected_json(result.expected));
}

}  // namespace neardup::cli
