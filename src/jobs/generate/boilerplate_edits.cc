// Edits that add what pages have around their text.
#include <algorithm>

#include "jobs/generate/edit.h"

namespace neardup::generate_detail {
namespace {

struct Boilerplate {
  std::string_view spaced;
  std::string_view unspaced;
};

constexpr Boilerplate kBeforeText{
    "Home\nNews\nProducts\nSupport\nAbout us\nContact\nSign in\nCreate an account\n"
    "You are here: home, archive, all articles\nSkip to the main content\nSearch this site\n"
    "Subscribe to our newsletter and read the most important stories every morning\n"
    "This page was printed from our web site; the online version may be newer\n"
    "Listen to this article\nShare by mail\nSave for later\nText size\n",
    "首页\n新闻\n产品\n服务支持\n关于我们\n联系方式\n登录\n注册账号\n"
    "您现在的位置是网站首页文章列表\n跳到正文\n站内搜索\n"
    "订阅电子周刊每天早上阅读重要消息\n本页由网站打印网上的版本可能更新\n"
    "收听本文\n分享给朋友\n收藏\n字号大小\n",
};
constexpr Boilerplate kAfterText{
    "All rights reserved. No part of this page may be reproduced without written permission of the publisher.\n"
    "Terms of use\nPrivacy policy\nCookie settings\nImprint\nAdvertise with us\nJobs\nSite map\n"
    "Was this page helpful? Tell us what we can improve.\n"
    "More on this topic\nMost read this week\nLeave a comment\nYour mail address will not be published\n"
    "Follow us for updates\nBack to top\n",
    "版权所有未经出版者书面许可不得转载本页内容\n使用条款\n隐私政策\n网站地图\n广告合作\n招聘信息\n"
    "本页对您有帮助吗欢迎提出改进意见\n相关文章\n本周热门\n发表评论\n您的邮箱地址不会公开\n"
    "关注我们获取更新\n返回顶部\n",
};

// So many words: of the boilerplate, which is the same in all copies, and when that is used up, passages of other documents.
std::string words_around(const Edit& edit, const Boilerplate& boilerplate, uint64_t count, Random& random) {
  const TextUnits words(edit.original().unspaced() ? boilerplate.unspaced : boilerplate.spaced);
  const size_t fixed = std::min<uint64_t>(count, words.size());
  std::string made(words.range(0, fixed));
  if (fixed < count) {
    made += '\n';
    made += edit.donors.passages(edit.document, count - fixed, random);
  }
  return made;
}

}  // namespace

std::optional<Edited> add_prefix(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  const uint64_t count = edit.strength.of(text.size());
  std::string made = words_around(edit, kBeforeText, count, random);
  made += '\n';
  made += text.text();
  return Edited{std::move(made), count, text.size()};
}

std::optional<Edited> add_suffix(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  const uint64_t count = edit.strength.of(text.size());
  std::string made(text.text());
  made += '\n';
  made += words_around(edit, kAfterText, count, random);
  return Edited{std::move(made), count, text.size()};
}

}  // namespace neardup::generate_detail
