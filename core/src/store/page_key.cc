#include "store/page_key.h"

#include "store/key_block.h"

namespace entitable {

// Continues from the last row, unless a restart lies in between: decoding can
// begin there, too.
const std::string& PageKey::Read(const LeafPage& page, std::size_t row) {
  if (next_row_ == row + 1) return key_;
  const std::size_t restart = row / kKeysPerRestart * kKeysPerRestart;
  if (next_row_ <= restart || next_row_ > row) {
    next_ = page.KeyOf(row, key_);
  } else {
    for (; next_row_ <= row; ++next_row_) KeyBlock::Next(next_, key_);
  }
  next_row_ = row + 1;
  return key_;
}

}  // namespace entitable
