#include "support/model_check/storage_rules.h"

#include <algorithm>
#include <string>

#include "store/log_base.h"
#include "store/root.h"
#include "support/stored_pages.h"

namespace entitable::model_check {
namespace {

// So that no other tab has to wait long.
constexpr std::ptrdiff_t kMaxPagesOfBatch = 12;

LogBase BaseOf(const MemoryStorage& storage) {
  const auto base = storage.values().find(ValueKey::Base());
  if (base == storage.values().end()) return {};
  return DecodeLogBase(base->second).value_or(LogBase{});
}

std::optional<Violation> CheckLog(const MemoryStorage& storage) {
  const auto& values = storage.values();
  auto record =
      values.lower_bound(ValueKey::Record(BaseOf(storage).first_record));
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

bool IsVoid(const Batch& batch, const MemoryStorage& storage) {
  const std::uint64_t base = BaseOf(storage).number;
  return std::ranges::any_of(batch.puts, [base](const Put& put) {
    return put.key.kind == ValueKey::Kind::kRecord && put.key.number <= base;
  });
}

bool PutsRecord(const Batch& batch) {
  return std::ranges::any_of(batch.puts, [](const Put& put) {
    return put.key.kind == ValueKey::Kind::kRecord;
  });
}

std::uint64_t RecordsInPages(const MemoryStorage& storage) {
  const std::uint64_t base = BaseOf(storage).number;
  const auto root = storage.values().find(ValueKey::Root());
  if (root == storage.values().end()) return base;
  return std::max(base, DecodeRoot(root->second).value_or(Root{}).needs);
}

std::optional<Violation> StorageRules::Check(const Batch& batch,
                                             const MemoryStorage& storage) {
  const auto is_page = [](const Put& put) {
    return put.key.kind == ValueKey::Kind::kPage;
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
  const StoredPages pages = LookAtPages(storage);
  if (pages.flaws.empty()) return std::nullopt;
  return Violation{"every page has its one place", pages.flaws.front()};
}

}  // namespace entitable::model_check
