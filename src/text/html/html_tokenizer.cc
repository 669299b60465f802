#include "text/html/html_tokenizer.h"

#ifdef NEARDUP_HTML_LEXBOR

#include <lexbor/dom/dom.h>
#include <lexbor/html/html.h>

#include <algorithm>
#include <array>
#include <new>

namespace neardup {
namespace {

constexpr size_t kPiece = 1u << 16;
constexpr size_t kMaxNames = 1u << 12;  // in a table of this many rows
constexpr size_t kMaxAttributes = 1u << 10;

void require(lxb_status_t status) {
  if (status != LXB_STATUS_OK) throw std::bad_alloc();  // the tokenizer knows no other failure
}

// lexbor's number of a tag to ours.
HtmlTag tag_of(lxb_tag_id_t id) {
  static const auto tags_of_ids = [] {
    std::array<HtmlTag, LXB_TAG__LAST_ENTRY> tags{};
    for (lxb_tag_id_t i = 0; i < tags.size(); ++i) {
      size_t length = 0;
      const lxb_char_t* name = lxb_tag_name_by_id(i, &length);
      if (name != nullptr) tags[i] = html_tag({reinterpret_cast<const char*>(name), length});
    }
    return tags;
  }();
  if (id < tags_of_ids.size()) return tags_of_ids[id];
  size_t length = 0;
  const lxb_char_t* name = lxb_tag_name_by_id(id, &length);
  return html_tag({reinterpret_cast<const char*>(name), length});
}

// By the bytes of the page: the tokenizer may have dropped its entry of the name, see shrink().
bool is_hidden(const lxb_html_token_t& token) {
  constexpr std::string_view kName = "hidden";
  for (const lxb_html_token_attr_t* attribute = token.attr_first; attribute != nullptr; attribute = attribute->next) {
    if (attribute->name_end - attribute->name_begin != static_cast<std::ptrdiff_t>(kName.size())) continue;
    const auto same = [](char ours, lxb_char_t theirs) { return ours == (theirs | 0x20); };
    if (std::equal(kName.begin(), kName.end(), attribute->name_begin, same)) return true;
  }
  return false;
}

}  // namespace

struct HtmlTokenizer::State {
  lxb_html_tokenizer_t* tokenizer = lxb_html_tokenizer_create();
  HtmlText text;

  State() {
    if (tokenizer == nullptr) throw std::bad_alloc();
    require(lxb_html_tokenizer_init(tokenizer));
    // The list of errors would grow with their number; the tokenizer works without it.
    tokenizer->parse_errors = lexbor_array_obj_destroy(tokenizer->parse_errors, true);
    // Searching for duplicates takes quadratic time in the attributes, and none is read.
    lxb_html_tokenizer_keep_duplicate_set(tokenizer, true);
    // Larger allocations than the default, which would recur for every page.
    lexbor_mraw_destroy(tokenizer->mraw, true);
    tokenizer->mraw = lexbor_mraw_create();
    require(lexbor_mraw_init(tokenizer->mraw, kPiece));
    require(lxb_html_tokenizer_tags_make(tokenizer, kMaxNames));
    require(lxb_html_tokenizer_attrs_make(tokenizer, kMaxNames));
    lxb_html_tokenizer_callback_token_done_set(tokenizer, on_token, this);
  }
  ~State() {
    lxb_html_tokenizer_tags_destroy(tokenizer);
    lxb_html_tokenizer_attrs_destroy(tokenizer);
    lxb_html_tokenizer_destroy(tokenizer);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static lxb_html_token_t* on_token(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token, void* context) {
    State& state = *static_cast<State*>(context);
    if (token->tag_id == LXB_TAG__TEXT) {
      state.text.text({reinterpret_cast<const char*>(token->text_start), static_cast<size_t>(token->text_end - token->text_start)});
    } else if (token->tag_id >= LXB_TAG__BEGIN) {
      const HtmlTag tag = tag_of(token->tag_id);
      if ((token->type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0) {
        state.text.end(tag);
      } else if (state.text.start(tag, (token->type & LXB_HTML_TOKEN_TYPE_CLOSE_SELF) != 0, is_hidden(*token))) {
        lxb_html_tokenizer_set_state_by_tag(tokenizer, true, token->tag_id, LXB_NS_HTML);
      }
    } else if (token->tag_id == LXB_TAG__EM_COMMENT) {
      state.text.comment();
    }
    if (lexbor_dobject_allocated(tokenizer->dobj_token_attr) > kMaxAttributes) state.forget_attributes(nullptr);
    return token;
  }

  // Attributes are needed only until the end of their token. `last` is the one being written, if any; only it is kept.
  void forget_attributes(lxb_html_token_t* token) {
    lxb_html_token_attr_t last{};
    const bool inside = token != nullptr && token->attr_last != nullptr;
    if (inside) last = *token->attr_last;
    lexbor_dobject_clean(tokenizer->dobj_token_attr);
    lexbor_mraw_clean(tokenizer->mraw);
    if (!inside) return;
    auto* const kept = static_cast<lxb_html_token_attr_t*>(lexbor_dobject_calloc(tokenizer->dobj_token_attr));
    if (kept == nullptr) throw std::bad_alloc();
    *kept = last;
    kept->prev = kept->next = nullptr;
    token->attr_first = token->attr_last = kept;
  }

  // Called between two pieces. Names are only compared when they occur, so the tables may be emptied at any time.
  void shrink() {
    if (lexbor_dobject_allocated(tokenizer->tags->entries) > kMaxNames) lexbor_hash_clean(tokenizer->tags);
    if (lexbor_dobject_allocated(tokenizer->attrs->entries) > kMaxNames) lexbor_hash_clean(tokenizer->attrs);
    if (lexbor_dobject_allocated(tokenizer->dobj_token_attr) > kMaxAttributes) forget_attributes(tokenizer->token);
  }
};

HtmlTokenizer::HtmlTokenizer() : state_(std::make_unique<State>()) {}
HtmlTokenizer::~HtmlTokenizer() = default;

void HtmlTokenizer::visible_text(std::string_view page, std::string& out) {
  lxb_html_tokenizer_t* const tokenizer = state_->tokenizer;
  lxb_html_tokenizer_clean(tokenizer);
  state_->shrink();
  state_->text.begin(out);
  require(lxb_html_tokenizer_begin(tokenizer));
  for (size_t at = 0; at < page.size(); at += kPiece) {
    const std::string_view piece = page.substr(at, kPiece);
    require(lxb_html_tokenizer_chunk(tokenizer, reinterpret_cast<const lxb_char_t*>(piece.data()), piece.size()));
    state_->shrink();
  }
  require(lxb_html_tokenizer_end(tokenizer));
  state_->text.finish();
}

}  // namespace neardup

#else

namespace neardup {

struct HtmlTokenizer::State {};
HtmlTokenizer::HtmlTokenizer() = default;
HtmlTokenizer::~HtmlTokenizer() = default;
void HtmlTokenizer::visible_text(std::string_view, std::string& out) {
  out.clear();
}

}  // namespace neardup

#endif
