// HammingBulk: entries wait in spools; commit() makes a segment of them.
#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "neardup/error.h"
#include "store/hamming_live.h"
#include "store/spool.h"

namespace neardup {

template <typename Code>
struct HammingBulk<Code>::State {
  State(HammingLive<Code>& store, const HammingStoreBuild& options)
      : live(store),
        build(options),
        share(options.memory / 16),
        codes(share, options.temp_dir),
        ids(share, options.temp_dir),
        texts(share, options.temp_dir),
        ends(share, options.temp_dir) {}

  // What went into a failed commit may be half there.
  void require_usable() const {
    if (!failed) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("the index '{}': a commit of these entries failed; they must be added again, by a new bulk", live.folder()));
  }
  uint64_t add(Code code, uint64_t id) {
    codes.add(code);
    ids.add(id);
    ++entries;
    return id;
  }

  HammingLive<Code>& live;
  HammingStoreBuild build;
  uint64_t share;  // of the memory, to each spool
  uint64_t entries = 0;
  bool failed = false;
  Spool codes;
  Spool ids;    // with names: ascending
  Spool texts;  // the names, one after the other
  Spool ends;   // of the names
};

template <typename Code>
HammingBulk<Code>::HammingBulk(HammingStore<Code>& store, const HammingStoreBuild& build)
    : state_(std::make_unique<State>(store.state_->live, build)) {
  state_->live.require_writing();
}
template <typename Code>
HammingBulk<Code>::~HammingBulk() = default;
template <typename Code>
HammingBulk<Code>::HammingBulk(HammingBulk&&) noexcept = default;
template <typename Code>
HammingBulk<Code>& HammingBulk<Code>::operator=(HammingBulk&&) noexcept = default;

template <typename Code>
uint64_t HammingBulk<Code>::add(Code code) {
  state_->require_usable();
  state_->live.require_writing(false);
  return state_->add(code, state_->live.take_id());
}

template <typename Code>
void HammingBulk<Code>::add(Code code, uint64_t id) {
  state_->require_usable();
  state_->live.require_writing(false);
  state_->live.note_id(id);
  state_->add(code, id);
}

template <typename Code>
uint64_t HammingBulk<Code>::add(Code code, std::string_view name) {
  state_->require_usable();
  state_->live.require_writing(true);
  const uint64_t id = state_->live.take_id();
  state_->texts.append(name.data(), name.size());
  state_->ends.add(state_->texts.size());
  return state_->add(code, id);
}

template <typename Code>
uint64_t HammingBulk<Code>::size() const noexcept {
  return state_->entries;
}

template <typename Code>
void HammingBulk<Code>::commit() {
  State& state = *state_;
  HammingLive<Code>& live = state.live;
  state.require_usable();
  if (state.entries == 0) return live.flush(state.build);
  state.failed = true;  // until it is done
  const auto ids = state.ids.template values<uint64_t>();
  WriteNames write_names;
  if (live.spec().names) {
    write_names = [&](NameWriter& writer) {
      const auto texts = state.texts.bytes();
      const auto ends = state.ends.template values<uint64_t>();
      uint64_t begin = 0;
      for (size_t i = 0; i < ids.size(); ++i) {
        writer.add(ids[i], {texts.data() + begin, ends[i] - begin});
        begin = ends[i];
      }
    };
  }
  HammingStoreBuild rest = state.build;
  if (rest.memory != 0) {  // what is in files by now takes none
    for (Spool* const spool : {&state.codes, &state.ids, &state.texts, &state.ends}) {
      std::ignore = spool->bytes();
      rest.memory -= spool->waiting_bytes();
    }
  }
  const std::string name = live.new_segment();
  write_hamming_segment<Code>(live.folder() + "/" + name, live.spec(), state.codes.template values<Code>(), ids, write_names, rest);
  live.publish(name, std::nullopt, {}, state.build);
  state_ = std::make_unique<State>(live, state.build);
}

template class HammingBulk<Fingerprint64>;
template class HammingBulk<Fingerprint128>;

}  // namespace neardup
