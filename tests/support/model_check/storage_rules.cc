#include "support/model_check/storage_rules.h"

#include <algorithm>
#include <string>

#include "store/checkpoint.h"
#include "store/manifest.h"
#include "store/opening_pages.h"
#include "support/repair.h"
#include "support/stored_pages.h"

namespace entitable::model_check {
namespace {

// So that no other tab has to wait long.
constexpr std::ptrdiff_t kMaxPagesOfBatch = 12;

Checkpoint CheckpointOf(const MemoryStorage& storage) {
  const auto checkpoint = storage.values().find(ValueKey::Checkpoint());
  if (checkpoint == storage.values().end()) return {};
  return DecodeCheckpoint(checkpoint->second).value_or(Checkpoint{});
}

std::optional<Violation> CheckLog(const MemoryStorage& storage) {
  const auto& values = storage.values();
  auto record =
      values.lower_bound(ValueKey::Record(CheckpointOf(storage).first_record));
  if (record == values.end()) return std::nullopt;
  std::uint64_t number = record->first.number;
  for (;
       record != values.end() && record->first.kind == ValueKey::Kind::kRecord;
       ++record, ++number) {
    if (record->first.number == number) continue;
    return Violation{"the log has no gap", std::to_string(number)};
  }
  return std::nullopt;
}

}  // namespace

bool IsOrphan(const Batch& batch, const MemoryStorage& storage) {
  const std::uint64_t checkpoint = CheckpointOf(storage).number;
  return std::ranges::any_of(batch.puts, [checkpoint](const Put& put) {
    return put.key.kind == ValueKey::Kind::kRecord &&
           put.key.number <= checkpoint;
  });
}

bool PutsRecord(const Batch& batch) {
  return std::ranges::any_of(batch.puts, [](const Put& put) {
    return put.key.kind == ValueKey::Kind::kRecord;
  });
}

std::uint64_t RecordsInPages(const MemoryStorage& storage) {
  const std::uint64_t checkpoint = CheckpointOf(storage).number;
  const auto manifest = storage.values().find(ValueKey::Manifest());
  if (manifest == storage.values().end()) return checkpoint;
  return std::max(checkpoint,
                  DecodeManifest(manifest->second).value_or(Manifest{}).needs);
}

std::optional<Violation> StorageRules::Check(const Batch& batch,
                                             const MemoryStorage& storage) {
  const auto is_page = [](const Put& put) {
    return put.key.kind == ValueKey::Kind::kPage && put.key != kOpeningPagesKey;
  };
  if (std::ranges::count_if(batch.puts, is_page) > kMaxPagesOfBatch) {
    return Violation{"a batch is small"};
  }
  for (const Put& put : batch.puts) {
    if (!is_page(put) || used_pages_.insert(put.key.number).second) continue;
    return Violation{"the number of a page is never used twice",
                     std::to_string(put.key.number)};
  }
  return CheckLog(storage);
}

std::optional<Violation> CheckAtEnd(const MemoryStorage& storage) {
  const StoredPages pages = ReadStoredPages(storage);
  if (!pages.flaws.empty()) {
    return Violation{"every page has its one place", pages.flaws.front()};
  }
  const auto verifier = VerifyAll(storage);
  for (const Finding& finding : verifier.findings()) {
    if (finding.kind != ValueKind::kIndex) continue;
    return Violation{"a complete index has the entries of its table",
                     finding.message};
  }
  return std::nullopt;
}

}  // namespace entitable::model_check
