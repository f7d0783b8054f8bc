// sync_rows.h - rows for tests of sync.

#ifndef ENTITABLE_TESTS_SUPPORT_SYNC_ROWS_H_
#define ENTITABLE_TESTS_SUPPORT_SYNC_ROWS_H_

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "model/etag.h"
#include "sync/state.h"

namespace entitable::sync {

// Properties of type Int32.
inline RowValue Row(
    std::initializer_list<std::pair<std::string_view, std::int32_t>> values) {
  PropertyList list;
  for (const auto& [name, number] : values) {
    list.Append(name, Value::Int32(number));
  }
  return list;
}

inline const RowValue kAbsent = std::nullopt;

// The ETag of a time, in seconds after a day of 2026.
inline std::string EtagOf(std::int64_t seconds) {
  constexpr std::int64_t kStart = 639'026'112'000'000'000;
  return FormatEtag({kStart + seconds * 10'000'000});
}

inline RemoteRow RemoteOf(std::int64_t seconds, const RowValue& value) {
  return Version{EtagOf(seconds), *value};
}

// For messages of failed tests.
inline std::string TextOf(const RowValue& row) {
  if (!row) return "absent";
  std::string text = "{";
  PropertyCursor cursor(*row);
  while (const auto property = cursor.Next()) {
    text.append(property->name).append("=");
    text += property->value.type() == EdmType::kInt32
                ? std::to_string(property->value.int32())
                : std::string(EdmTypeName(property->value.type()));
    text += " ";
  }
  return text + "}";
}

}  // namespace entitable::sync

#endif  // ENTITABLE_TESTS_SUPPORT_SYNC_ROWS_H_
