#include "store/opening_pages.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "base/fields.h"
#include "base/visit.h"
#include "store/envelope.h"
#include "store/manifest.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {
namespace {

constexpr EnvelopeKind kKind{"ETOP", 1};

// Of the value.  It is written again and again, so it is no longer than a page.
constexpr std::size_t kMaxBytes = kMaxLeafBytes;

Bytes BytesOf(const DirectoryPage& page) { return page.Encode(); }
Bytes BytesOf(const LeafPage& page) { return page.value(); }

class OpeningPages {
 public:
  OpeningPages(const Batch& batch, PageCache& cache, const Random128& store_id)
      : batch_(batch), cache_(cache), value_(kEnvelopeBytes, '\0') {
    FieldWriter(value_).Raw(store_id);
  }

  // The first directory page of a run, and the leaf pages of the catalogue,
  // which are the first ones below it.
  void AddFirst(const Run& run) {
    if (run.directories.empty()) return;
    const PagePtr first = Add(run.directories.front().page);
    if (first == nullptr) return;
    const auto* directory = std::get_if<DirectoryPage>(first.get());
    if (directory == nullptr) return;
    for (const PageEntry& leaf : directory->leaves) {
      if (leaf.first_key >= catalogue_.end) return;
      Add(leaf.page);
    }
  }

  void AddOthers(const Run& run) {
    for (std::size_t i = 1; i < run.directories.size(); ++i) {
      Add(run.directories[i].page);
    }
  }

  Bytes Finish() {
    SealInPlace(kKind, value_);
    return std::move(value_);
  }

 private:
  // Returns the page; null if it is in no memory.
  PagePtr Add(PageId id) {
    PagePtr page = Find(id);
    if (page == nullptr) return nullptr;
    const Bytes copy =
        Visit([](const auto& one) { return BytesOf(one); }, *page);
    if (value_.size() + copy.size() <= kMaxBytes) {
      FieldWriter io(value_);
      io.Varint(id);
      io.Text(copy);
    }
    return page;
  }

  PagePtr Find(PageId id) {
    const auto put =
        std::ranges::find(batch_.puts, ValueKey::Page(id), &Put::key);
    if (put == batch_.puts.end()) return cache_.Find(id).page;
    auto page = DecodePage(*put->value);
    return page ? *std::move(page) : nullptr;
  }

  const Batch& batch_;
  PageCache& cache_;
  const SortRange catalogue_ = WholeTable(kCatalogue);
  Bytes value_;
};

// Whether no flush is due after this one, or the compaction has ended.
bool IsAtRest(const AccountState& state, const StoreLimits& limits,
              const BackgroundStep& step, const Manifest& manifest) {
  if (step.checkpoint) {
    std::size_t records = 0;
    std::size_t bytes = 0;
    for (const UnflushedRecord& record : state.unflushed()) {
      if (record.number <= manifest.number) continue;
      ++records;
      bytes += record.value->size();
    }
    return records < limits.flush_records && bytes < limits.flush_bytes;
  }
  return std::ranges::all_of(manifest.runs, [](const Run& run) {
    return run.role == CompactionRole::kNone;
  });
}

}  // namespace

void AddOpeningPages(const AccountState& state, const StoreLimits& limits,
                     PageCache& cache, BackgroundStep& step) {
  const auto manifest = DecodeManifest(step.manifest);
  if (!manifest || !IsAtRest(state, limits, step, *manifest)) return;
  OpeningPages pages(step.batch, cache, manifest->store_id);
  for (const Run& run : manifest->runs) pages.AddFirst(run);
  for (const Run& run : manifest->runs) pages.AddOthers(run);
  step.batch.puts.push_back({kOpeningPagesKey, Share(pages.Finish())});
}

void AcceptOpeningPages(const std::optional<Bytes>& value,
                        const Random128& store_id, PageCache& cache) {
  if (!value) return;
  const auto envelope = Unseal(kKind, *value);
  if (!envelope) return;
  FieldReader io(envelope->body);
  Random128 stored_id{};
  io.Raw(stored_id);
  if (stored_id != store_id) return;
  while (!io.at_end() && !io.failed()) {
    PageId id = 0;
    std::string_view copy;
    io.Varint(id);
    io.Text(copy);
    if (io.failed()) return;
    if (auto page = DecodePage(Bytes(copy))) cache.Insert(id, *std::move(page));
  }
}

}  // namespace entitable
