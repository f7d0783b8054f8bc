// account_state.h - all that the log says, as of one record.

#ifndef ENTITABLE_STORE_ACCOUNT_STATE_H_
#define ENTITABLE_STORE_ACCOUNT_STATE_H_

#include <cstdint>

#include "base/date_time.h"
#include "entitable/page.h"
#include "entitable/result.h"
#include "store/catalogue.h"
#include "store/log_base.h"
#include "store/log_record.h"
#include "store/memtable.h"

namespace entitable {

class AccountState {
 public:
  explicit AccountState(const LogBase& base);

  // Takes the next record with the checksum of its envelope.  Fails with
  // StorageDamaged when it does not follow the last one, or changes what is not
  // there; the state is then of no further use.
  Result<void> Apply(LogRecord record, std::uint32_t crc);

  const Random128& store_id() const { return base_.store_id; }
  Bytes base_value() const { return EncodeLogBase(base_); }  // As stored.
  std::uint64_t head() const { return head_; }               // The last record.
  std::uint32_t head_crc() const { return head_crc_; }       // Its checksum.
  DateTime last_timestamp() const { return last_timestamp_; }

  const Catalogue& catalogue() const { return catalogue_; }
  const Memtable& entities() const { return entities_; }

 private:
  bool ApplyChange(TableCreated& change);
  bool ApplyChange(TableDropped& change);
  bool ApplyChange(EntityPut& change);
  bool ApplyChange(EntityDeleted& change);

  LogBase base_;
  std::uint64_t head_;
  std::uint32_t head_crc_;
  DateTime last_timestamp_;
  Catalogue catalogue_;
  Memtable entities_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_ACCOUNT_STATE_H_
