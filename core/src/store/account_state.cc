#include "store/account_state.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace entitable {
namespace {

std::unexpected<Error> Damaged(std::string message) {
  return Fail(ErrorCode::kStorageDamaged, std::move(message));
}

}  // namespace

AccountState::AccountState(const LogBase& base)
    : base_(base),
      head_(base.number),
      head_crc_(base.crc),
      last_timestamp_(base.last_timestamp) {}

Result<void> AccountState::Apply(LogRecord record, std::uint32_t crc) {
  if (record.number != head_ + 1) return Damaged("The log has a gap.");
  if (record.previous_crc != head_crc_) {
    return Damaged("A record of the log does not continue the one before it.");
  }
  for (Change& change : record.changes) {
    if (!std::visit([this](auto& one) { return ApplyChange(one); }, change)) {
      return Damaged("A record of the log changes what is not there.");
    }
  }
  head_ = record.number;
  head_crc_ = crc;
  last_timestamp_ = std::max(last_timestamp_, record.last_timestamp);
  return {};
}

bool AccountState::ApplyChange(TableCreated& change) {
  return catalogue_.Create(change.table, change.name);
}

bool AccountState::ApplyChange(TableDropped& change) {
  entities_.EraseTable(change.table);
  return catalogue_.Drop(change.table);
}

bool AccountState::ApplyChange(EntityPut& change) {
  if (change.table >= catalogue_.next_id()) return false;
  entities_.Put(change.table, std::move(change.key), std::move(change.entity));
  return true;
}

bool AccountState::ApplyChange(EntityDeleted& change) {
  entities_.Erase(change.table, change.key.view());
  return true;
}

}  // namespace entitable
