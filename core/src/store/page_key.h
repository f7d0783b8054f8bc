// page_key.h - the key of one row of a page, decoded when it is asked for.

#ifndef ENTITABLE_STORE_PAGE_KEY_H_
#define ENTITABLE_STORE_PAGE_KEY_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "store/leaf_page.h"

namespace entitable {

// Rows are mostly asked for in their order: decoding continues from the last
// one.
class PageKey {
 public:
  // Valid until the next call.
  const std::string& Read(const LeafPage& page, std::size_t row);

  // The next call is about another page.
  void Forget() { next_row_ = 0; }

 private:
  std::string key_;  // Of the row before `next_row_`.
  std::size_t next_row_ = 0;
  std::string_view next_;  // The entries from there on.
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_PAGE_KEY_H_
