#include "query/date_part.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace entitable {
namespace {

// In the order of DatePart.
constexpr std::string_view kNames[] = {"year", "month",  "day",
                                       "hour", "minute", "second"};

}  // namespace

std::optional<DatePart> DatePartNamed(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<DatePart>(found - kNames);
}

std::string_view DatePartName(DatePart part) {
  return kNames[static_cast<std::size_t>(part)];
}

std::int32_t PartOf(DateTime time, DatePart part) {
  switch (part) {
    case DatePart::kYear:
      return static_cast<std::int32_t>(time.Date().year);
    case DatePart::kMonth:
      return static_cast<std::int32_t>(time.Date().month);
    case DatePart::kDay:
      return static_cast<std::int32_t>(time.Date().day);
    case DatePart::kHour:
      return time.SecondOfDay() / 3'600;
    case DatePart::kMinute:
      return time.SecondOfDay() / 60 % 60;
    case DatePart::kSecond:
      break;
  }
  return time.SecondOfDay() % 60;
}

}  // namespace entitable
