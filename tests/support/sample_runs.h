// sample_runs.h - sorted runs of small pages, and the rows they were made of.

#ifndef ENTITABLE_TESTS_SUPPORT_SAMPLE_RUNS_H_
#define ENTITABLE_TESTS_SUPPORT_SAMPLE_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "model/entity.h"
#include "store/manifest.h"
#include "store/page_cache.h"
#include "support/memory_storage.h"

namespace entitable {

// The naive counterpart of a run: by sort key, the number that is all that a
// row has.  None: a tombstone.
using SampleRows = std::map<std::string, std::optional<std::int32_t>>;

// The entity with this number, as the property "N".  Every number from 0 on has
// a text of another length beside it.
Entity NumberedEntity(std::int32_t number);

// The states that the rows have together.  The newest rows come first.
SampleRows NewestOf(std::span<const SampleRows> rows);

// Draws keys of one small pool of two tables, so that runs have keys in common.
class SampleSource {
 public:
  explicit SampleSource(std::uint64_t seed) : random_(seed) {}

  std::size_t Below(std::size_t limit) { return random_() % limit; }
  bool OneIn(std::size_t chances) { return Below(chances) == 0; }
  std::mt19937_64& random() { return random_; }

  // In the order of the pool; Key(kKeys) follows all of them.
  static constexpr std::size_t kKeys = 300;
  static std::string Key(std::size_t i);
  std::string NextKey() { return Key(Below(kKeys)); }

  // At least one row of a part of the pool, of a greater or smaller share of
  // its keys.  Some rows are tombstones.  In one of three, all numbers are
  // equal, so that zone maps can decide.
  SampleRows NextRows();

 private:
  std::mt19937_64 random_;
};

// The runs of a manifest, in a storage.
class SampleRuns {
 public:
  // In front of all others.  Rows before `begin` are obsolete, as in the input
  // of a compaction: their pages are gone.
  void Add(SampleRows rows, std::size_t page_bytes,
           const std::string& begin = {});

  // The newest first.
  const std::vector<SampleRows>& rows() const { return rows_; }
  // Each with a version of its own.
  const Manifest& manifest() const { return manifest_; }
  const std::vector<Run>& runs() const { return manifest_.runs; }

  // Puts all pages that the window misses into the cache.
  void Supply(PageWindow& window, PageCache& cache) const;

  // At least one of them, in any order.
  void SupplySome(PageWindow& window, PageCache& cache,
                  SampleSource& random) const;

 private:
  void DeleteLeavesBefore(const Run& run);

  Manifest manifest_{.version = 1, .next_table = 3};
  std::vector<SampleRows> rows_;
  MemoryStorage storage_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_SAMPLE_RUNS_H_
