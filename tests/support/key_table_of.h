// key_table_of.h - a table of keys from a list.

#ifndef ENTITABLE_TESTS_SUPPORT_KEY_TABLE_OF_H_
#define ENTITABLE_TESTS_SUPPORT_KEY_TABLE_OF_H_

#include <string>
#include <vector>

#include "base/key_table.h"

namespace entitable {

// Numbered in the order of the list.
inline KeyTable KeyTableOf(const std::vector<std::string>& keys) {
  KeyTable table;
  for (const std::string& key : keys) table.FindOrAdd(key);
  return table;
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_KEY_TABLE_OF_H_
