// Speed of the HTML parser alone, what html_v1 is measured against: pages through lexbor's parser, which makes a tree, or through its
// tokenizer, whose tokens are not used.
//
// usage: html_limit FIELD parser|tokenizer < IN.jsonl ; one thread, processor time, the fastest of three rounds counts.
#include <cstdio>

#ifdef NEARDUP_BENCH_LEXBOR

#include <lexbor/html/html.h>

#include <algorithm>
#include <boost/json.hpp>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

namespace {

// The state after a start tag is the one thing that the tokenizer leaves to its user: raw text in scripts, styles and the like.
lxb_html_token_t* on_token(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token, void*) {
  if (token->tag_id >= LXB_TAG__BEGIN && (token->type & LXB_HTML_TOKEN_TYPE_CLOSE) == 0) {
    lxb_html_tokenizer_set_state_by_tag(tokenizer, true, token->tag_id, LXB_NS_HTML);
  }
  return token;
}

bool tokenize(lxb_html_tokenizer_t* tokenizer, const std::string& page) {
  lxb_html_tokenizer_clean(tokenizer);
  return lxb_html_tokenizer_begin(tokenizer) == LXB_STATUS_OK &&
         lxb_html_tokenizer_chunk(tokenizer, reinterpret_cast<const lxb_char_t*>(page.data()), page.size()) == LXB_STATUS_OK &&
         lxb_html_tokenizer_end(tokenizer) == LXB_STATUS_OK;
}

bool parse(lxb_html_document_t* document, const std::string& page) {
  lxb_html_document_clean(document);
  return lxb_html_document_parse(document, reinterpret_cast<const lxb_char_t*>(page.data()), page.size()) == LXB_STATUS_OK;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: html_limit FIELD parser|tokenizer < IN.jsonl\n");
    return 2;
  }
  std::vector<std::string> pages;
  uint64_t bytes = 0;
  for (std::string line; std::getline(std::cin, line);) {
    pages.emplace_back(boost::json::parse(line).at(argv[1]).as_string());
    bytes += pages.back().size();
  }
  const bool tree = std::string(argv[2]) == "parser";
  lxb_html_document_t* const document = lxb_html_document_create();
  lxb_html_tokenizer_t* const tokenizer = lxb_html_tokenizer_create();
  if (document == nullptr || tokenizer == nullptr || lxb_html_tokenizer_init(tokenizer) != LXB_STATUS_OK) return 1;
  if (lxb_html_tokenizer_tags_make(tokenizer, 128) != LXB_STATUS_OK || lxb_html_tokenizer_attrs_make(tokenizer, 128) != LXB_STATUS_OK)
    return 1;
  lxb_html_tokenizer_callback_token_done_set(tokenizer, on_token, nullptr);
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const auto begin = std::clock();
    for (const std::string& page : pages) {
      if (!(tree ? parse(document, page) : tokenize(tokenizer, page))) return 1;
    }
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  std::printf("{\"documents\":%zu,\"bytes_in\":%llu,\"seconds\":%.6f}\n", pages.size(), static_cast<unsigned long long>(bytes), best);
  lxb_html_tokenizer_tags_destroy(tokenizer);
  lxb_html_tokenizer_attrs_destroy(tokenizer);
  lxb_html_tokenizer_destroy(tokenizer);
  lxb_html_document_destroy(document);
  return 0;
}

#else

int main() {
  std::fprintf(stderr, "html_limit: built without lexbor\n");
  return 1;
}

#endif
