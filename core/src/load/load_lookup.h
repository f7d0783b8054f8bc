// load_lookup.h - which rows of a step of an import are stored already.

#ifndef ENTITABLE_LOAD_LOAD_LOOKUP_H_
#define ENTITABLE_LOAD_LOAD_LOOKUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"
#include "base/poll.h"
#include "base/work_budget.h"
#include "load/load_rows.h"
#include "load/load_target.h"
#include "model/entity.h"
#include "store/store.h"

namespace entitable {

// A Bloom filter of the keys that an import has stored.
//
// Inserts must know whether a key exists.  Each step of an import adds a run,
// and a lookup in all of them would take longer with every step.  For nearly
// every new key, the filter tells that no earlier step stored it.
//
// It takes 4 MiB once the first key is added, however many keys follow.
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

// Looks up the rows of a step in the pages; those in the memtable are found
// when the step is planned.  What was found stays valid as long as the manifest
// does not change.
//
// Rows are looked up in key order, so they meet each page once.  With the
// filter, an import of new keys into a table that has others reads hardly any
// page: what no earlier step has stored can only be in the runs that were there
// before, and those are left out if their range of keys is another one.
class LoadLookup {
 public:
  // All must outlive this object.
  LoadLookup(LoadInput& input, LoadTarget& target, LoadCut& cut)
      : input_(input), target_(target), cut_(cut) {}

  // The keys that earlier steps of the import have stored.
  void Begin(const LoadedKeys& loaded) { loaded_ = &loaded; }

  // The most rows that one look-up can find, as far as that is known.
  std::size_t most_rows() const { return most_rows_; }

  // Looks up the rows before the limit, each in LoadRow::stored, and lowers the
  // limit if more was found than fits into memory.  Goes on where it had to
  // wait.  Fails with StorageDamaged.
  Poll<void> Continue(const AccountState& state, PageWindow& window,
                      WorkBudget& work);

  // The properties of a row that is stored.
  std::string_view PropertiesOf(const LoadRow& row) const {
    return found_[row.found].properties.bytes();
  }

  // The rows belong to another table.
  void Forget() { manifest_changes_.reset(); }

  // The first rows of the step were dropped, because they are stored.
  void KeepRest();

 private:
  void BeginAgainAfterChanges(const AccountState& state);
  Manifest OthersAmong(const Manifest& manifest);
  void Keep(LoadRow& row, Entity entity, WorkBudget& work);
  void HalveLimit();

  LoadInput& input_;
  LoadTarget& target_;
  LoadCut& cut_;
  const LoadedKeys* loaded_ = nullptr;

  // The manifest_changes() that LoadRow::stored and found_ come from.
  std::optional<std::uint64_t> manifest_changes_;
  std::vector<Entity> found_;
  std::size_t found_bytes_ = 0;

  // All rows before this one have been looked up, if they are before the limit
  // of the last look-up.
  std::size_t looked_up_ = 0;
  std::size_t looked_up_limit_ = 0;
  std::size_t most_rows_ = SIZE_MAX;
};

}  // namespace entitable

#endif  // ENTITABLE_LOAD_LOAD_LOOKUP_H_
