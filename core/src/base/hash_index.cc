#include "base/hash_index.h"

#include <cassert>
#include <cstring>

namespace entitable {
namespace {

constexpr std::size_t kFirstSlotCount = 16;

std::uint64_t Mix(std::uint64_t hash, std::uint64_t bits) {
  hash = (hash ^ bits) * 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio.
  return hash ^ hash >> 32;
}

}  // namespace

std::uint32_t HashOf(std::string_view bytes) {
  std::uint64_t hash = bytes.size();
  std::uint64_t word = 0;
  for (; bytes.size() >= sizeof word; bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    hash = Mix(hash, word);
  }
  word = 0;
  if (!bytes.empty()) std::memcpy(&word, bytes.data(), bytes.size());
  return static_cast<std::uint32_t>(Mix(hash, word));
}

std::size_t HashIndex::Next(Probe& probe) const {
  if (slots_.empty()) return kNone;
  while (true) {
    const std::size_t slot = slots_[probe.slot++ & (slots_.size() - 1)];
    if (slot == 0) return kNone;
    if (hashes_[slot - 1] == probe.hash) return slot - 1;
  }
}

void HashIndex::Add(std::uint32_t hash) {
  assert(hashes_.size() < kMaxSize);
  hashes_.push_back(hash);
  if (hashes_.size() * 2 > slots_.size()) {
    PlaceAll(slots_.empty() ? kFirstSlotCount : slots_.size() * 2);
  } else {
    Place(hashes_.size() - 1);
  }
}

void HashIndex::Truncate(std::size_t size) {
  if (size == hashes_.size()) return;
  hashes_.resize(size);
  PlaceAll(slots_.size());
}

void HashIndex::Place(std::size_t number) {
  std::size_t slot = hashes_[number];
  while (slots_[slot & (slots_.size() - 1)] != 0) ++slot;
  slots_[slot & (slots_.size() - 1)] = static_cast<std::uint16_t>(number + 1);
}

void HashIndex::PlaceAll(std::size_t slot_count) {
  slots_.assign(slot_count, 0);
  for (std::size_t i = 0; i < hashes_.size(); ++i) Place(i);
}

}  // namespace entitable
