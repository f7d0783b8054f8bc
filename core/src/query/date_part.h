// date_part.h - the functions of OData that take a part of a DateTime.

#ifndef ENTITABLE_QUERY_DATE_PART_H_
#define ENTITABLE_QUERY_DATE_PART_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/date_time.h"

namespace entitable {

enum class DatePart : std::uint8_t {
  kYear,    // 1 to 9999.
  kMonth,   // 1 to 12.
  kDay,     // Of the month, 1 to 31.
  kHour,    // 0 to 23.
  kMinute,  // 0 to 59.
  kSecond,  // 0 to 59, without the fraction.
};

// The part with the name of a function: year, month, day, hour, minute, second.
// The case counts.
std::optional<DatePart> DatePartNamed(std::string_view name);
std::string_view DatePartName(DatePart part);

// In UTC.
std::int32_t PartOf(DateTime time, DatePart part);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_DATE_PART_H_
