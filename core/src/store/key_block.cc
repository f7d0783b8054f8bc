#include "store/key_block.h"

#include <algorithm>
#include <cassert>

#include "base/text_buffer.h"
#include "base/utf.h"

namespace entitable {
namespace {

// Its value was checked to fit.
std::size_t ReadSoundVarint(const char*& at) {
  std::size_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    value |= std::size_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
}

}  // namespace

std::size_t KeyBlockWriter::SharedWith(std::string_view key) const {
  return count_ % kKeysPerRestart == 0 ? 0 : CommonPrefixLength(last_key_, key);
}

void KeyBlockWriter::Add(std::string_view key) {
  assert(count_ == 0 || last_key_ < key);
  const std::size_t shared = SharedWith(key);
  if (count_++ % kKeysPerRestart == 0) restarts_.push_back(entries_.size());
  AppendVarint(shared, entries_);
  AppendText(key.substr(shared), entries_);
  last_key_.assign(key);
}

void KeyBlockWriter::Clear() {
  entries_.clear();
  restarts_.clear();
  last_key_.clear();
  count_ = 0;
}

// Without the checks of Decoder, because the block is sound.
KeyBlock::Entry KeyBlock::ReadEntry(const char*& at) {
  const std::size_t shared = ReadSoundVarint(at);
  const std::size_t size = ReadSoundVarint(at);
  const std::string_view rest(at, size);
  at += size;
  return {shared, rest};
}

std::string_view KeyBlock::RestartKey(std::size_t restart) const {
  const char* at = Restart(restart);
  return ReadEntry(at).rest;
}

bool KeyBlock::IsSound(std::string& last) const {
  Decoder entries(entries_);
  last.clear();
  for (std::size_t row = 0; row < count_; ++row) {
    const std::size_t at = entries_.size() - entries.rest().size();
    const std::uint64_t shared_bytes = entries.ReadVarint();
    const std::string_view rest = entries.ReadText();
    if (entries.failed() || shared_bytes > last.size()) return false;
    const auto shared = static_cast<std::size_t>(shared_bytes);
    const bool is_restart = row % kKeysPerRestart == 0;
    if (is_restart && (shared != 0 || restarts_[row / kKeysPerRestart] != at)) {
      return false;
    }
    // Both keys begin with the shared bytes, so the rest decides the order.
    // The shared prefix must be the longest one, so the rests differ in their
    // first byte.
    const std::string_view last_rest = std::string_view(last).substr(shared);
    if (row > 0 && rest <= last_rest) return false;
    if (!is_restart && rest.substr(0, 1) == last_rest.substr(0, 1)) {
      return false;
    }
    last.resize(shared);
    last += rest;
  }
  return entries.at_end();
}

KeyBlock::Found KeyBlock::Seek(std::string_view key) const {
  std::size_t low = 0;
  std::size_t high = RestartCount(count_);
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const int order = RestartKey(middle).compare(key);
    if (order == 0) return {middle * kKeysPerRestart, true};
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return {0, false};

  // The key of the restart is less than the wanted key.  From there on,
  // `matched` is the length of the common prefix of the wanted key and the last
  // entry, which is still less.
  std::size_t matched = 0;
  const char* at = Restart(low - 1);
  const std::size_t end = std::min(low * kKeysPerRestart, count_);
  for (std::size_t row = (low - 1) * kKeysPerRestart; row < end; ++row) {
    const auto [shared, rest] = ReadEntry(at);
    // If the entry shares fewer bytes with the last entry than the wanted key
    // does, it differs where the last entry equals the wanted key, and is
    // greater.  If it shares more, it compares with the wanted key like the
    // last entry, and is still less.
    if (shared < matched) return {row, false};
    if (shared > matched) continue;
    const std::string_view wanted = key.substr(matched);
    const std::size_t common = CommonPrefixLength(rest, wanted);
    if (rest.substr(common) >= wanted.substr(common)) {
      return {row, rest == wanted};
    }
    matched += common;
  }
  return {end, false};
}

std::string_view KeyBlock::KeyOf(std::size_t row, std::string& key) const {
  key.clear();
  std::string_view rest(Restart(row / kKeysPerRestart), entries_.end());
  for (std::size_t i = 0; i <= row % kKeysPerRestart; ++i) Next(rest, key);
  return rest;
}

bool KeyBlock::Next(std::string_view& rest, std::string& key) {
  if (rest.empty()) return false;
  const char* at = rest.data();
  const Entry entry = ReadEntry(at);
  rest = {at, rest.end()};
  const std::size_t size = entry.shared + entry.rest.size();
  // The library of GCC 12 may give more room than asked for.
  key.resize_and_overwrite(size, [&](char* bytes, std::size_t /*room*/) {
    CopyShort(entry.rest, bytes + entry.shared);
    return size;
  });
  return true;
}

}  // namespace entitable
