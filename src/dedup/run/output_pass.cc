#include "dedup/run/output_pass.h"

#include <algorithm>
#include <string>
#include <vector>

#include "dedup/pass/ordered_pipeline.h"
#include "neardup/error.h"

namespace neardup {
namespace {

// The bytes of one batch for one sink, cut where the source changes.
struct Written {
  struct Section {
    uint32_t source;
    size_t end;
  };
  std::string bytes;
  std::vector<Section> sections;

  void clear() {
    bytes.clear();
    sections.clear();
  }
  void mark(uint32_t source) {
    if (sections.empty() || sections.back().source != source) sections.push_back({source, 0});
    sections.back().end = bytes.size();
  }
};

}  // namespace

void run_output_pass(const RunContext& context, const DocumentTable& table, const Verdicts& verdicts, std::span<Sink* const> sinks) {
  const bool parsed = std::any_of(sinks.begin(), sinks.end(), [](const Sink* sink) { return sink->needs_parsed(); });
  const bool raw = std::any_of(sinks.begin(), sinks.end(), [](const Sink* sink) { return sink->needs_raw(); });
  const Batch::Need need = parsed ? Batch::Need::kParsed : raw ? Batch::Need::kRaw : Batch::Need::kPlace;
  std::vector<std::vector<Written>> slots(batch_slots(context.source, context.threads), std::vector<Written>(sinks.size()));
  // A batch that ends in the reference corpus is completely in it.
  const auto is_written = [&](uint64_t ordinal) {
    return table.documents(ordinal) > 0 && !table.reference(table.first_document(ordinal) + table.documents(ordinal) - 1);
  };
  for_each_batch(
      context.source, context.threads, context.monitor, "output",
      [&](Batch& batch, uint64_t ordinal) {
        if (is_written(ordinal)) batch.fetch(need);
      },
      [&](uint32_t, Batch& batch, uint64_t ordinal, size_t index) {
        for (Written& written : slots[index]) written.clear();
        if (!is_written(ordinal)) return;
        const uint32_t records = batch.read(
            need,
            [&](uint32_t i) {
              const uint32_t document = table.document(ordinal, i);
              return document != kNoDocument && !table.reference(document);
            },
            [&](uint32_t i, Record record) {
              const uint32_t document = table.document(ordinal, i);
              record.where = table.place(document);
              record.id = table.id(document);
              record.has_id = table.has_id(document);
              const Verdict verdict = verdicts.of(document);
              for (size_t s = 0; s < sinks.size(); ++s) {
                sinks[s]->format(record, verdict, slots[index][s].bytes);
                slots[index][s].mark(record.where.source);
              }
            });
        if (records != table.records(ordinal)) {
          throw Error(ErrorCode::kInput, "the input changed while it was read: a second reading found another number of records");
        }
      },
      [&](Batch&, uint64_t ordinal, size_t index) -> uint64_t {
        for (size_t s = 0; s < sinks.size(); ++s) {
          const Written& written = slots[index][s];
          size_t begin = 0;
          for (const Written::Section& section : written.sections) {
            sinks[s]->append(section.source, std::string_view(written.bytes).substr(begin, section.end - begin));
            begin = section.end;
          }
        }
        return table.records(ordinal);
      },
      table.batch_count());
}

}  // namespace neardup
