#include "support/sample_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "store/run_writer.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// Into the cache, as the engine does it.
void Insert(const MemoryStorage& storage, PageId id, PageCache& cache) {
  const auto value = storage.values().find(ValueKey::Page(id));
  if (value == storage.values().end()) {
    ADD_FAILURE() << "page " << id << " was asked for, but is gone";
    return;
  }
  auto page = DecodePage(value->second);
  ASSERT_TRUE(page.has_value());
  cache.Insert(id, *std::move(page));
}

}  // namespace

Entity NumberedEntity(std::int32_t number) {
  Entity entity{{kMinDateTime.ticks + number}, {}};
  entity.properties.Append("N", Value::Int32(number));
  const std::string text(static_cast<std::size_t>(number % 20), 't');
  entity.properties.Append("T", Value::String(text));
  return entity;
}

SampleRows NewestOf(std::span<const SampleRows> rows) {
  SampleRows newest;
  // Keeps what is there.
  for (const SampleRows& one : rows) newest.insert(one.begin(), one.end());
  return newest;
}

std::string SampleSource::Key(std::size_t i) {
  const TableId table = i < kKeys / 2 ? 1 : 2;
  const std::string partition(1, static_cast<char>('a' + i / 30));
  return MakeSortKey(table, {partition, std::to_string(1000 + i)});
}

SampleRows SampleSource::NextRows() {
  const std::size_t from = Below(kKeys);
  const std::size_t end = from + 1 + Below(kKeys - from);
  const std::size_t share = std::size_t{1} << Below(5);
  const std::size_t deleted_percent = OneIn(2) ? 0 : Below(101);
  const bool is_constant = OneIn(3);
  const auto constant = static_cast<std::int32_t>(Below(10));
  SampleRows rows;
  while (rows.empty()) {
    for (std::size_t i = from; i < end; ++i) {
      if (!OneIn(share)) continue;
      std::optional<std::int32_t>& row = rows[Key(i)];
      const auto number = static_cast<std::int32_t>(Below(10));
      if (Below(100) >= deleted_percent) row = is_constant ? constant : number;
    }
  }
  return rows;
}

void SampleRuns::Add(SampleRows rows, std::size_t page_bytes,
                     const std::string& begin) {
  const StoreLimits limits{.page_bytes = page_bytes};
  Batch batch;
  RunWriter writer(limits, manifest_.next_page, batch);
  for (const auto& [key, number] : rows) {
    if (number) {
      writer.Add(key, NumberedEntity(*number));
    } else {
      writer.AddTombstone(key);
    }
  }
  std::vector<PageEntry> directories = writer.Finish();
  storage_.Store(batch);
  ++manifest_.version;
  manifest_.runs.insert(manifest_.runs.begin(),
                        {.begin = begin,
                         .end = writer.last_key(),
                         .directories = std::move(directories)});
  DeleteLeavesBefore(manifest_.runs.front());
  rows.erase(rows.begin(), rows.lower_bound(begin));
  rows_.insert(rows_.begin(), std::move(rows));
}

void SampleRuns::DeleteLeavesBefore(const Run& run) {
  for (const PageEntry& above : run.directories) {
    const auto page =
        DirectoryPage::Decode(storage_.values().at(ValueKey::Page(above.page)));
    const std::size_t kept = FindPageEntry(page->leaves, run.begin);
    for (std::size_t i = 0; i < kept; ++i) {
      storage_.values().erase(ValueKey::Page(page->leaves[i].page));
    }
  }
}

void SampleRuns::Supply(PageWindow& window, PageCache& cache) const {
  for (const PageId id : window.TakeMissing()) Insert(storage_, id, cache);
}

void SampleRuns::SupplySome(PageWindow& window, PageCache& cache,
                            SampleSource& random) const {
  std::vector<PageId> missing = window.TakeMissing();
  ASSERT_FALSE(missing.empty());
  std::shuffle(missing.begin(), missing.end(), random.random());
  missing.resize(1 + random.Below(missing.size()));
  for (const PageId id : missing) Insert(storage_, id, cache);
}

}  // namespace entitable
