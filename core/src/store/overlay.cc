#include "store/overlay.h"

#include <variant>

#include "base/coding.h"
#include "store/change.h"
#include "store/log_record.h"
#include "store/sort_key.h"

namespace entitable {

Overlay::Overlay(AccountState& state, BytesView record)
    : state_(state), version_(state.version_) {
  state.version_ = --state.overlay_version_;
  if (record.size() <= kRecordHeadBytes) return;
  for (Decoder rest(record.substr(kRecordHeadBytes)); !rest.at_end();) {
    const ChangeInRecord change = ReadCheckedChange(rest);
    if (const auto* put = std::get_if<PutInRecord>(&change)) {
      Put(put->table, put->key, put->entity);
    } else if (const auto* gone = std::get_if<DeletionInRecord>(&change)) {
      Put(gone->table, gone->key, std::nullopt);
    }
  }
}

Overlay::~Overlay() {
  for (auto row = hidden_.rbegin(); row != hidden_.rend(); ++row) {
    state_.memtable_.Exchange(row->first, row->second);
  }
  state_.version_ = version_;
}

void Overlay::Put(TableId table, EntityKeyView key,
                  std::optional<EntityView> entity) {
  std::string sort_key = MakeSortKey(table, key);
  auto before =
      state_.memtable_.Exchange(sort_key, MemRow{state_.head() + 1, entity});
  hidden_.emplace_back(std::move(sort_key), before);
}

}  // namespace entitable
