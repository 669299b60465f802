#include <algorithm>

#include "base/atomic_file.h"
#include "features/document_frequency.h"
#include "features/frequency_writer.h"
#include "features/idf.h"
#include "neardup/tools/frequencies.h"

namespace neardup {

void merge_frequencies(const Options& options, std::span<const std::string> inputs, const std::string& output, uint32_t least_frequency) {
  std::vector<DocumentFrequencyTable> tables;
  tables.reserve(inputs.size());
  std::vector<NamedTable> named;
  for (const std::string& path : inputs) {
    tables.push_back(DocumentFrequencyTable::open(path));
    named.push_back({path, tables.back()});
  }
  AtomicFile file(output);
  FrequencyWriter writer(least_frequency, options.temp_dir);
  const uint64_t documents = merge_tables(named, writer);
  writer.finish(tables.empty() ? std::string_view() : tables.front().description(), documents, file);
  for (const DocumentFrequencyTable& table : tables) table.check_file();
  file.commit();
}

FrequencyInfo read_frequencies(const std::string& path, size_t top) {
  const DocumentFrequencyTable table = DocumentFrequencyTable::open(path);
  std::vector<size_t> order(table.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const size_t most = std::min(top, order.size());
  const auto counts = table.counts();
  // The hashes ascend, so that the index decides between equals.
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](size_t a, size_t b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  const auto idf = [&](uint32_t frequency) { return static_cast<double>(table.idf_of_frequency(frequency)) / kIdfOne; };
  FrequencyInfo info{.id = table.id(),
                     .documents = table.documents(),
                     .tokens = table.size(),
                     .least_frequency = table.least_frequency(),
                     .description = std::string(table.description()),
                     .unseen_idf = idf(0),
                     .top = {}};
  for (size_t i = 0; i < most; ++i) info.top.push_back({table.hashes()[order[i]], counts[order[i]], idf(counts[order[i]])});
  table.check_file();
  return info;
}

}  // namespace neardup
