// key_block.h - sort keys in ascending order, each stored as what differs from
// the one before.
//
//   keys  = { entry }
//   entry = shared:varint text
//
// The key is the first `shared` bytes of the key before, as many as both have
// in common, then the text.  Every 16th entry, the first among them, shares
// nothing and is a restart: where it begins, counted from the first entry,
// stands in an array of its own.

#ifndef ENTITABLE_STORE_KEY_BLOCK_H_
#define ENTITABLE_STORE_KEY_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "model/column.h"

namespace entitable {

inline constexpr std::size_t kKeysPerRestart = 16;

constexpr std::size_t RestartCount(std::size_t keys) {
  return (keys + kKeysPerRestart - 1) / kKeysPerRestart;
}

class KeyBlockWriter {
 public:
  // At most what bytes() will be after this key: as if it shared nothing, with
  // two lengths of up to two bytes and a restart.
  std::size_t BytesWith(std::string_view key) const {
    return bytes() + key.size() + 6;
  }

  // After the last one, in order.
  void Add(std::string_view key);

  // The entries and the restarts.
  std::size_t bytes() const { return entries_.size() + 2 * restarts_.size(); }

  const std::string& last_key() const { return last_key_; }
  const std::string& entries() const { return entries_; }
  const std::vector<std::uint64_t>& restarts() const { return restarts_; }

  void Clear();

 private:
  std::size_t SharedWith(std::string_view key) const;

  std::string entries_;
  std::vector<std::uint64_t> restarts_;
  std::string last_key_;
  std::size_t count_ = 0;
};

// A view.
class KeyBlock {
 public:
  KeyBlock() = default;
  KeyBlock(std::string_view entries, PackedArray restarts, std::size_t count)
      : entries_(entries), restarts_(restarts), count_(count) {}

  // Whether the bytes follow the grammar, with the keys in order and the
  // restarts at their places.  The functions below take it for granted.
  bool IsSound() const;

  // Of a block with any.
  std::string_view first() const { return RestartKey(0); }

  // The first key that is not before this one; their count when none is.
  std::size_t LowerBound(std::string_view key) const { return Seek(key).row; }

  // Which is this one.
  std::optional<std::size_t> Find(std::string_view key) const {
    const Place place = Seek(key);
    return place.is_equal ? std::optional(place.row) : std::nullopt;
  }

  // Replaces what is in `key`.  Returns where Next() goes on from there.
  Decoder KeyOf(std::size_t row, std::string& key) const;

  // Turns the key of one row into that of the next, from nothing into that of
  // the first:
  //   Decoder rest = block.Begin();
  //   for (std::string key; KeyBlock::Next(rest, key);) ...
  // False, and nothing happens, behind the last.
  Decoder Begin() const { return Decoder(entries_); }
  static bool Next(Decoder& rest, std::string& key);

 private:
  struct Entry {
    std::size_t shared;
    std::string_view rest;
  };

  // The first key that is not before another, and whether it is that one.
  struct Place {
    std::size_t row;
    bool is_equal;
  };

  Place Seek(std::string_view key) const;
  static Entry TakeEntry(Decoder& entries);
  Decoder FromRestart(std::size_t restart) const;
  std::string_view RestartKey(std::size_t restart) const;

  std::string_view entries_;
  PackedArray restarts_;
  std::size_t count_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_KEY_BLOCK_H_
