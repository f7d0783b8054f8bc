// loaded_keys.h - which keys an import has stored, as far as a few bits can
// tell.
//
// Inserts have to know whether a key is there.  To look it up in each run that
// earlier steps became would take longer with every step; these bits say of
// nearly every new key that none of them has it.

#ifndef ENTITABLE_ENGINE_LOADED_KEYS_H_
#define ENTITABLE_ENGINE_LOADED_KEYS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"
#include "store/manifest.h"

namespace entitable {

class LoadedKeys {
 public:
  void Add(std::string_view key);

  // False: it was never added.  True, of up to two million keys, is wrong once
  // in ten thousand times.
  bool MayHave(std::string_view key) const;

  // The run that begins with this directory page has no other keys.
  void AddRun(PageId first_directory) { runs_.push_back(first_directory); }
  bool HasRun(const Run& run) const;

 private:
  KeyedHash hash_;
  std::vector<std::uint64_t> bits_;
  std::vector<PageId> runs_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_LOADED_KEYS_H_
