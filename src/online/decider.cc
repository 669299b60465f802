#include "online/decider.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <unordered_map>

#include "base/hash.h"
#include "base/limits.h"
#include "neardup/error.h"
#include "neardup/tools/printable.h"

namespace neardup {
namespace {

constexpr size_t kMaxIdBytes = 65'535;
constexpr size_t kLookedUpTogether = 32;  // texts
constexpr size_t kAhead = 3;              // texts between a prefetch and its use

std::string problem_of(const OnlineRequest& request) {
  if (request.id.empty() && request.insert) return "the id is empty";
  if (request.id.size() > kMaxIdBytes) return fmt::format("an id of {} bytes; expected at most {}", request.id.size(), kMaxIdBytes);
  if (request.text.size() > limits::kMaxTextBytes)
    return fmt::format("a text of {} bytes; expected at most {}", request.text.size(), limits::kMaxTextBytes);
  return {};
}

}  // namespace

// What a group has decided so far. Its documents are in tables of their own until their records are written: nobody else sees them.
struct Decider::Group {
  explicit Group(const OnlineSettings& settings) : rows(settings.layout(), kAllRows) {}

  uint64_t now = 0;
  Delta rows;
  Liveness liveness;
  std::vector<Prepared*> added;                // each is a document of the batch, in its order
  std::vector<const OnlineRequest*> requests;  // of added
  std::unordered_map<std::string_view, size_t> by_id;
  LogBatch batch;
  uint64_t needed = 0;  // sequences below it must be on the disk

  [[nodiscard]] std::optional<size_t> index_of(uint64_t sequence) const {
    const auto found = std::ranges::lower_bound(added, sequence, {}, [](const Prepared* of) { return of->head().sequence; });
    if (found == added.end() || (*found)->head().sequence != sequence) return std::nullopt;
    return static_cast<size_t>(found - added.begin());
  }
};

void Decider::prepare_requests(std::span<const OnlineRequest> requests, uint64_t now, uint64_t end, WorkContext& context,
                               std::vector<PreparedRequest>& out) const {
  out.resize(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    out[i].request = &requests[i];
    out[i].problem = problem_of(requests[i]);
    out[i].match.reset();
    out[i].keeper_id.clear();
    if (out[i].problem.empty()) prepare(settings_, requests[i].id, requests[i].text, context.prepare, out[i].text);
  }
  // A few at a time: whoever adds documents waits meanwhile.
  for (size_t begin = 0; begin < out.size(); begin += kLookedUpTogether) {
    const std::span<PreparedRequest> some = std::span(out).subspan(begin, std::min(kLookedUpTogether, out.size() - begin));
    parts_.see(now, [&](Visible visible) {
      visible.end = std::min(visible.end, end);
      for (size_t i = 0; i < std::min(kAhead, some.size()); ++i) prefetch(visible, some[i], context);
      for (size_t i = 0; i < some.size(); ++i) {
        if (i + kAhead < some.size()) prefetch(visible, some[i + kAhead], context);
        if (!some[i].problem.empty()) continue;
        some[i].looked_up_to = visible.end;
        some[i].generation = visible.generation;
        some[i].match = find(visible, some[i].text, context);
      }
    });
    for (PreparedRequest& request : some) {
      read_keeper(request, context);
      const bool stored = !request.match && request.problem.empty() && request.request->insert && settings_.spec().texts;
      if (stored && request.request->text.size() >= kPackedAtOnce) pack_text(request.request->text, request.text.packed);
    }
  }
}

// Among the documents of the parts.
std::optional<Match> Decider::find(const Visible& visible, const Prepared& text, WorkContext& context) const {
  return context.finder.find(
      visible, text, [&](uint64_t sequence, const RecordPlace& place) { return context.features(sequence, place); },
      [&](Fingerprint128 code, const auto& visit) { parts_.near_codes(code, context.hamming, visit); });
}

void Decider::prefetch(const Visible& visible, const PreparedRequest& request, const WorkContext& context) {
  if (request.problem.empty()) context.finder.prefetch(visible, request.text);
}

void Decider::read_keeper(PreparedRequest& request, WorkContext& context) const {
  if (request.match) context.read_id(request.match->sequence, request.match->place, request.keeper_id);
}

OnlineAnswer Decider::answer_of(const PreparedRequest& request) {
  if (!request.problem.empty()) return {.outcome = OnlineOutcome::kInvalid, .problem = request.problem};
  if (!request.match) return {.decision = Decision::kKeep, .reason = request.text.is_short() ? Reason::kShort : Reason::kUnique};
  return {.decision = Decision::kRemove,
          .reason = request.match->exact ? Reason::kExactCopy : Reason::kNearDuplicate,
          .keeper_id = request.keeper_id,
          .sequence = request.match->sequence,
          .similarity = request.match->similarity};
}

uint64_t Decider::now() const {
  const std::lock_guard lock(deciding_);
  return clock_;
}

uint64_t Decider::advance(uint64_t now) {
  const std::lock_guard lock(deciding_);
  clock_ = std::max(clock_, now);
  return clock_;
}

void Decider::pause(const std::function<void()>& work) {
  const std::lock_guard lock(deciding_);
  work();
}

uint64_t Decider::decide(std::span<PreparedRequest> requests, WorkContext& context, std::span<OnlineAnswer> answers) {
  const std::lock_guard lock(deciding_);
  Group group(settings_);
  group.now = clock_;
  return decide_all(group, [&] {
    for (size_t i = 0; i < requests.size(); ++i) {
      if (i + kAhead < requests.size()) {
        const PreparedRequest& later = requests[i + kAhead];
        parts_.see(group.now, [&](Visible visible) {
          visible.from = later.looked_up_to;
          prefetch(visible, later, context);
        });
      }
      decide_one(requests[i], context, group, answers[i]);
    }
  });
}

// Until the group is written, nothing but it knows what it decided: if it fails, it is as if it had never begun.
uint64_t Decider::decide_all(Group& group, const std::function<void()>& decide) {
  sync_.require_sound();
  const uint64_t begin = next_;
  try {
    decide();
  } catch (...) {
    next_ = begin;
    throw;
  }
  write(group);
  return group.needed;
}

void Decider::decide_one(PreparedRequest& request, WorkContext& context, Group& group, OnlineAnswer& answer) {
  if (request.problem.empty()) {
    if (request.request->insert && decide_known(request, context, group, answer)) return;
    look_again(request, context, group);
  }
  answer = answer_of(request);
  if (request.match) group.needed = std::max(group.needed, request.match->sequence + 1);
  if (!request.problem.empty() || !request.request->insert) return;
  if (!request.match) return keep(request, group, answer);
  if (request.request->touch) touch(request, group);
}

// True if the id decides.
bool Decider::decide_known(PreparedRequest& request, WorkContext& context, Group& group, OnlineAnswer& answer) {
  const auto in_group = group.by_id.find(request.request->id);
  std::optional<RowHead> known;
  if (in_group != group.by_id.end()) {
    known = group.added[in_group->second]->head();
    if (!group.liveness.alive(*known, group.now)) known.reset();
  } else {
    known = find_id(request.request->id, group.now, context, &group.liveness);
  }
  if (!known) return false;
  if (known->exact() == request.text.head().exact()) {
    answer = {.outcome = OnlineOutcome::kRepeated,
              .decision = Decision::kKeep,
              .reason = known->is_short != 0 ? Reason::kShort : Reason::kUnique,
              .sequence = known->sequence};
    group.needed = std::max(group.needed, known->sequence + 1);
    return true;
  }
  if (!request.request->replace) {
    answer = {.outcome = OnlineOutcome::kConflict,
              .sequence = known->sequence,
              .problem = fmt::format("the id '{}' has another text", printable(request.request->id))};
    group.needed = std::max(group.needed, known->sequence + 1);
    return true;
  }
  erase(known->sequence, group);
  return false;
}

// True if the match that was found still counts.
bool Decider::is_current(const Visible& visible, PreparedRequest& request) {
  Match& match = *request.match;
  if (request.generation != visible.generation) {
    // A row that a merge left out is forgotten, and nothing else says that it was removed.
    const std::optional<RowHead> row = Finder::row_of(visible.parts, match.sequence);
    if (!row) return false;
    match.expires = row->expires;
    match.place = place_of(*row);
  }
  return visible.alive(match.sequence, match.expires);
}

// The first match among all that is decided now.
void Decider::look_again(PreparedRequest& request, WorkContext& context, Group& group) const {
  const std::optional<Match> before = request.match;
  parts_.see(group.now, [&](Visible visible) {
    visible.changes = &group.liveness;
    if (request.match) {
      if (is_current(visible, request)) return;
      request.looked_up_to = 0;
      request.match.reset();
    }
    if (request.looked_up_to >= visible.end) return;
    visible.from = request.looked_up_to;
    request.match = find(visible, request.text, context);
  });
  if (request.match) {
    if (!before || request.match->sequence != before->sequence) read_keeper(request, context);
    return;
  }
  if (group.added.empty()) return;
  const TablePart part = group.rows.part();
  const Visible visible{.parts = {&part, 1}, .liveness = &group.liveness, .hot = nullptr, .now = group.now};
  request.match = context.finder.find(
      visible, request.text,
      [&](uint64_t sequence, const RecordPlace&) -> std::span<const uint64_t> { return group.added[*group.index_of(sequence)]->features; },
      [&](Fingerprint128 code, const auto& visit) {
        for (const Prepared* const other : group.added) {
          if (other->is_short()) continue;
          const uint32_t distance = hamming_distance(code, other->code);
          if (distance <= settings_.spec().max_distance) visit(other->head().sequence, distance);
        }
      });
  if (request.match) request.keeper_id = group.requests[*group.index_of(request.match->sequence)]->id;
}

void Decider::keep(PreparedRequest& request, Group& group, OnlineAnswer& answer) {
  RowHead head = request.text.head();
  head.sequence = next_++;
  head.expires = expiry_of(*request.request, group.now);
  RowLayout::set_head(head, request.text.row.data());
  StoredDocument document{.sequence = head.sequence,
                          .time = group.now,
                          .expires = head.expires,
                          .exact = head.exact(),
                          .is_short = head.is_short != 0,
                          .id = request.request->id};
  set_contents(settings_, request.request->text, request.text, document);
  group.batch.put(document);
  group.rows.add(request.text.row, [](const RowHead&) { return false; });
  group.by_id[request.request->id] = group.added.size();
  group.added.push_back(&request.text);
  group.requests.push_back(request.request);
  group.needed = next_;
  answer.sequence = head.sequence;
}

// A document of this group, or one that was decided before.
void Decider::erase(uint64_t sequence, Group& group) {
  group.batch.put(StoreEvent{.sequence = next_++, .kind = StoreEvent::Kind::kDelete, .target = sequence, .time = group.now});
  group.needed = next_;
  group.liveness.remove(sequence);
}

// Records do not change: the event and the state of the next file say it.
void Decider::touch(const PreparedRequest& request, Group& group) {
  const uint64_t sequence = request.match->sequence;
  const uint64_t expires = expiry_of(*request.request, group.now);
  const uint64_t current = parts_.see(group.now, [&](Visible visible) {
    visible.changes = &group.liveness;
    // A merge may have given the row another expiry since it was found. A document of this group is in no part.
    const std::optional<RowHead> row = Finder::row_of(visible.parts, sequence);
    return visible.expiry(sequence, row ? row->expires : request.match->expires);
  });
  if (current >= expires) return;
  group.liveness.set_expiry(sequence, expires);
  group.batch.put(
      StoreEvent{.sequence = next_++, .kind = StoreEvent::Kind::kTouch, .target = sequence, .time = group.now, .expires = expires});
  group.needed = next_;
}

void Decider::write(Group& group) {
  if (group.batch.empty()) return;
  // A batch that is not known to be whole, or rows that do not show it, must not be followed by others.
  try {
    log_.write(group.batch, next_, sync_.durable());
    sync_.note_written(next_);
    std::vector<const Prepared*> added;
    for (size_t i = 0; i < group.added.size(); ++i) {
      Prepared& document = *group.added[i];
      RowHead head = document.head();
      const RecordPlace place = log_.place(group.batch, i);
      head.place = place.place;
      head.record_bytes = place.bytes;
      RowLayout::set_head(head, document.row.data());
      if (!group.liveness.removed(head.sequence)) added.push_back(&document);
    }
    parts_.apply(added, group.liveness, next_);
  } catch (const std::exception& error) {
    sync_.fail(error.what());
    throw;
  }
}

std::optional<RowHead> Decider::find_id(std::string_view id, uint64_t now, WorkContext& context, const Liveness* changes) const {
  const uint64_t id_hash = hash64(id);
  std::vector<RowHead> found;
  parts_.see(now, [&](Visible visible) {
    visible.changes = changes;
    const uint32_t table = settings_.layout().id_table();
    for (const TablePart& part : visible.parts) {
      part.visit(table, RowLayout::id_key(id_hash), [&](uint32_t row) {
        RowHead head = RowLayout::head(part.row(row));
        if (head.id_hash != id_hash || !visible.has(head)) return;
        head.expires = visible.expiry(head.sequence, head.expires);
        found.push_back(head);
      });
    }
  });
  for (const RowHead& head : found) {
    if (log_.read(place_of(head), context.space).id == id) return head;
  }
  return std::nullopt;
}

uint64_t Decider::remove(std::span<const std::string_view> ids, uint64_t now, WorkContext& context, std::vector<bool>& deleted) {
  const std::lock_guard lock(deciding_);
  clock_ = std::max(clock_, now);
  Group group(settings_);
  group.now = clock_;
  deleted.assign(ids.size(), false);
  return decide_all(group, [&] {
    for (size_t i = 0; i < ids.size(); ++i) {
      const std::optional<RowHead> head = find_id(ids[i], group.now, context, &group.liveness);
      if (!head) continue;
      erase(head->sequence, group);
      deleted[i] = true;
    }
  });
}

uint64_t Decider::expiry_of(const OnlineRequest& request, uint64_t now) const noexcept {
  if (request.expires_ms) return *request.expires_ms;
  const uint64_t ttl = settings_.spec().ttl_ms;
  return ttl == 0 || ttl > RowHead::kNever - now ? RowHead::kNever : now + ttl;
}

}  // namespace neardup
