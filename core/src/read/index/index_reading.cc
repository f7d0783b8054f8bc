#include "read/index/index_reading.h"

#include "store/store.h"

namespace entitable {

void IndexReading::Begin(const AccountState& state, TableId table) {
  table_ = table;
  head_ = state.head();
}

bool IndexReading::IsBroken(const AccountState& state) {
  if (table_ == kNoTable || head_ == state.head()) return false;
  if (state.recent().HaveChanged(WholeTable(table_), head_)) {
    End();
    ++broken_;
    return true;
  }
  head_ = state.head();
  return false;
}

}  // namespace entitable
