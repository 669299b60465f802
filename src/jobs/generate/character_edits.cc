// Edits of characters: misreadings, punctuation, width.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "jobs/generate/edit.h"
#include "text/utf8/utf8.h"

namespace neardup::generate_detail {
namespace {

struct Misreading {
  char32_t character;
  std::string_view read_as;
};

// By code point. What optical character recognition confuses: similar shapes.
constexpr auto kMisreadings = std::to_array<Misreading>({
    {U'0', "O"},   {U'1', "l"},   {U'2', "Z"},   {U'5', "S"},   {U'6', "b"},   {U'8', "B"},   {U'9', "g"},   {U'B', "8"},   {U'C', "G"},
    {U'D', "O"},   {U'E', "F"},   {U'G', "C"},   {U'I', "l"},   {U'O', "0"},   {U'Q', "O"},   {U'S', "5"},   {U'Z', "2"},   {U'a', "o"},
    {U'b', "h"},   {U'c', "e"},   {U'd', "cl"},  {U'e', "c"},   {U'f', "t"},   {U'g', "q"},   {U'h', "b"},   {U'i', "l"},   {U'l', "1"},
    {U'm', "rn"},  {U'n', "u"},   {U'o', "c"},   {U'q', "g"},   {U's', "5"},   {U't', "f"},   {U'u', "n"},   {U'v', "y"},   {U'w', "vv"},
    {U'y', "v"},   {U'z', "2"},   {U'丸', "九"}, {U'九', "丸"}, {U'了', "子"}, {U'人', "入"}, {U'今', "令"}, {U'令', "今"}, {U'休', "体"},
    {U'体', "休"}, {U'住', "往"}, {U'便', "使"}, {U'使', "便"}, {U'候', "侯"}, {U'入', "人"}, {U'八', "人"}, {U'几', "凡"}, {U'凡', "几"},
    {U'刀', "力"}, {U'力', "刀"}, {U'千', "干"}, {U'午', "牛"}, {U'卖', "买"}, {U'历', "厉"}, {U'口', "囗"}, {U'问', "间"}, {U'土', "士"},
    {U'士', "土"}, {U'大', "太"}, {U'天', "夭"}, {U'太', "大"}, {U'失', "矢"}, {U'子', "了"}, {U'己', "已"}, {U'已', "己"}, {U'干', "千"},
    {U'式', "武"}, {U'往', "住"}, {U'戊', "戌"}, {U'戌', "戊"}, {U'折', "拆"}, {U'拆', "折"}, {U'日', "曰"}, {U'未', "末"}, {U'末', "未"},
    {U'本', "木"}, {U'木', "本"}, {U'治', "冶"}, {U'海', "诲"}, {U'清', "请"}, {U'牛', "午"}, {U'王', "玉"}, {U'玉', "王"}, {U'由', "田"},
    {U'田', "由"}, {U'目', "日"}, {U'白', "自"}, {U'的', "旳"}, {U'自', "白"}, {U'见', "贝"}, {U'请', "清"}, {U'间', "问"}, {U'阳', "阴"},
    {U'阴', "阳"}, {U'鸟', "乌"},
});

std::string_view misread(char32_t character) {
  const auto found =
      std::find_if(kMisreadings.begin(), kMisreadings.end(), [&](const Misreading& each) { return each.character == character; });
  return found == kMisreadings.end() ? std::string_view() : found->read_as;
}

// ASCII without the blank, and its full-width forms in the same order.
constexpr char32_t kFirstAscii = U'!';
constexpr char32_t kLastAscii = U'~';
constexpr char32_t kFirstWide = U'！';
constexpr char32_t kLastWide = U'～';

}  // namespace

std::optional<Edited> misread_characters(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  struct Character {
    size_t begin;
    size_t end;
    std::string_view read_as;  // empty: lost
  };
  std::vector<Character> characters;
  std::vector<size_t> confusable;
  std::vector<size_t> others;
  for (size_t i = 0; i < text.size(); ++i) {
    for (size_t at = text[i].begin; at < text[i].end;) {
      const Decoded next = decode_quickly(text.text(), at);
      const std::string_view read_as = misread(next.code_point);
      (read_as.empty() ? others : confusable).push_back(characters.size());
      characters.push_back({at, at + next.length, read_as});
      at += next.length;
    }
  }
  const uint64_t count = edit.strength.of(characters.size());
  if (count >= characters.size()) return std::nullopt;
  std::vector<size_t> chosen;
  const size_t similar = std::min<uint64_t>(count, confusable.size());
  for (const size_t i : random.choose(similar, confusable.size())) chosen.push_back(confusable[i]);
  for (const size_t i : random.choose(count - similar, others.size())) chosen.push_back(others[i]);
  std::sort(chosen.begin(), chosen.end());
  Edited made{{}, count, characters.size()};
  size_t at = 0;
  for (const size_t i : chosen) {
    made.text += text.text().substr(at, characters[i].begin - at);
    made.text += characters[i].read_as;
    at = characters[i].end;
  }
  made.text += text.text().substr(at);
  return made;
}

std::optional<Edited> change_punctuation(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  if (text.size() < 2) return std::nullopt;
  const uint64_t gaps = text.size() - 1;
  const uint64_t count = edit.strength.of(gaps);
  if (count > gaps) return std::nullopt;
  Edited made{{}, count, gaps};
  size_t at = 0;
  for (const size_t i : random.choose(count, gaps)) {
    const std::string_view gap = text.gap(i + 1);
    made.text += text.text().substr(at, text[i].end - at);
    at = text[i + 1].begin;
    const bool blank = std::all_of(gap.begin(), gap.end(), [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
    if (blank) {
      made.text += text[i].single ? "，" : ",";
      made.text += gap.empty() && !text[i].single ? " " : gap;
    } else if (!text[i].single || !text[i + 1].single) {
      made.text += gap.find('\n') == std::string_view::npos ? ' ' : '\n';  // the words stay apart
    }
  }
  made.text += text.text().substr(at);
  return made;
}

std::optional<Edited> change_width(const Edit& edit, Random&) {
  // Full-width letters and digits occur among Chinese characters.
  if (!edit.original().unspaced()) return std::nullopt;
  const std::string_view text = edit.original().text();
  uint64_t narrow = 0;
  uint64_t wide = 0;
  uint64_t all = 0;
  for (size_t at = 0; at < text.size(); ++all) {
    const Decoded next = decode_quickly(text, at);
    narrow += next.code_point >= kFirstAscii && next.code_point <= kLastAscii;
    wide += next.code_point >= kFirstWide && next.code_point <= kLastWide;
    at += next.length;
  }
  if (narrow + wide == 0) return std::nullopt;
  const bool widen = narrow >= wide;
  Edited made{{}, widen ? narrow : wide, all};
  for (size_t at = 0; at < text.size();) {
    const Decoded next = decode_quickly(text, at);
    char32_t c = next.code_point;
    if (widen && c >= kFirstAscii && c <= kLastAscii)
      c += kFirstWide - kFirstAscii;
    else if (!widen && c >= kFirstWide && c <= kLastWide)
      c -= kFirstWide - kFirstAscii;
    append_utf8(c, made.text);
    at += next.length;
  }
  return made;
}

}  // namespace neardup::generate_detail
