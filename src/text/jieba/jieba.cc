#include "neardup/jieba.h"

#include "base/atomic_file.h"
#include "text/jieba/jieba_dictionary.h"
#include "text/jieba/jieba_dictionary_build.h"

namespace neardup {

DictionaryInfo build_jieba_dictionary(const DictionarySources& sources, const std::string& path) {
  jieba::Sources read;
  read.words = jieba::parse_words(jieba::read_source(sources.words), sources.words);
  if (!sources.idf.empty()) read.idf = jieba::parse_idf(jieba::read_source(sources.idf), sources.idf);
  if (!sources.stop_words.empty()) read.stop_words = jieba::parse_stop_words(jieba::read_source(sources.stop_words), sources.stop_words);
  if (!sources.hmm.empty()) read.hmm = jieba::read_hmm(sources.hmm);
  if (!sources.tags.empty()) read.tag_hmm = jieba::read_tag_hmm(sources.tags);
  AtomicFile file(path);
  file.append(jieba::build_dictionary(read));
  file.commit();
  return jieba_dictionary_info(path);
}

DictionaryInfo jieba_dictionary_info(const std::string& path) {
  DictionaryInfo info;
  info.path = path.empty() ? find_jieba_dictionary() : path;
  const JiebaDictionary dictionary = JiebaDictionary::open(info.path);
  const jieba::Tables& tables = dictionary.tables();
  info.id = dictionary.id();
  info.words = tables.words;
  info.total = tables.total;
  info.characters = tables.alphabet.size() - 1;
  info.slots = tables.slots.size();
  info.has_idf = dictionary.has_idf();
  info.has_hmm = dictionary.has_hmm();
  info.has_tags = dictionary.has_tags();
  for (const jieba::SectionInfo& section : dictionary.sections()) info.sections.emplace_back(section.name, section.bytes);
  info.bytes = dictionary.file_bytes();
  return info;
}

}  // namespace neardup
