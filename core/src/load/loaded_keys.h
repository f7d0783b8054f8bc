// loaded_keys.h - a Bloom filter of the keys that an import has stored.
//
// Inserts must know whether a key exists.  Each step of an import adds a run,
// and a lookup in all of them would take longer with every step.  For nearly
// every new key, the filter tells that no earlier step stored it.

#ifndef ENTITABLE_LOAD_LOADED_KEYS_H_
#define ENTITABLE_LOAD_LOADED_KEYS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"
#include "store/store.h"

namespace entitable {

class LoadedKeys {
 public:
  std::uint64_t HashOf(std::string_view key) const { return hash_.Of(key); }

  // Takes the hash of a key.
  void Add(std::uint64_t hash);

  // False: no key with this hash was added.  True is wrong in one of ten
  // thousand cases, for up to two million keys.
  bool MayHave(std::uint64_t hash) const;

  // The run that begins with this directory page has only keys that were added.
  void AddRun(PageId first_directory) { runs_.push_back(first_directory); }
  bool HasRun(const Run& run) const;

 private:
  KeyedHash hash_;
  std::vector<std::uint64_t> bits_;
  std::vector<PageId> runs_;
};

}  // namespace entitable

#endif  // ENTITABLE_LOAD_LOADED_KEYS_H_
