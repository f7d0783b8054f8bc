// key_table_of.h - a table of keys from a list, and back.

#ifndef ENTITABLE_TESTS_SUPPORT_KEY_TABLE_OF_H_
#define ENTITABLE_TESTS_SUPPORT_KEY_TABLE_OF_H_

#include <cstddef>
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

inline std::vector<std::string> KeysOf(const KeyTable& table) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < table.size(); ++i) keys.emplace_back(table[i]);
  return keys;
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_KEY_TABLE_OF_H_
