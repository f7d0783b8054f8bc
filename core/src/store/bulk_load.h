// bulk_load.h - writes the rows of a bulk load as a new sorted run.

#ifndef ENTITABLE_STORE_BULK_LOAD_H_
#define ENTITABLE_STORE_BULK_LOAD_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "entitable/limits.h"
#include "entitable/storage.h"
#include "model/entity.h"
#include "store/account_state.h"
#include "store/run_writer.h"

namespace entitable {

// The run becomes the newest one.  Its pages and the manifest must be stored
// together with the next log record, which tells of the load.
class BulkLoad {
 public:
  struct Output {
    std::vector<Put> pages;
    Bytes manifest;
    PageId first_directory;
    std::string last_key;
  };

  // Both must outlive it.
  BulkLoad(const AccountState& state, const StoreLimits& limits);

  // Keys must ascend.  The memtable must not have the row, because it hides
  // rows in pages.
  void Add(std::string_view sort_key, const EntityView& entity) {
    writer_.Add(sort_key, entity);
  }

  // After the last of at least one row.
  Output Finish(DateTime timestamp);

 private:
  const AccountState& state_;
  Manifest manifest_;
  Batch batch_;
  RunWriter writer_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_BULK_LOAD_H_
