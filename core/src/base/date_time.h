// date_time.h - points in time in ticks of 100 ns, and their texts.

#ifndef ENTITABLE_BASE_DATE_TIME_H_
#define ENTITABLE_BASE_DATE_TIME_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace entitable {

class TextBuffer;

struct DateTimeText {
  char chars[28];  // The length of "YYYY-MM-DDThh:mm:ss.fffffffZ".
  std::size_t size = 0;

  std::string_view view() const { return {chars, size}; }
};

// A day of the Gregorian calendar.  Month and day count from 1.
struct CivilDate {
  std::int64_t year;
  std::int64_t month;
  std::int64_t day;

  bool operator==(const CivilDate&) const = default;
};

// Always UTC, without leap seconds.
struct DateTime {
  // 100 ns ticks since 0001-01-01T00:00:00Z, 0 to 3,155,378,975,999,999,999
  // (the last tick of the year 9999).
  std::int64_t ticks = 0;

  // Converts the milliseconds since 1970 of a host's clock.  A time outside the
  // years 1601 to 9999, or NaN, becomes the nearest allowed time.
  static DateTime FromUnixMilliseconds(double milliseconds);

  // YYYY-MM-DD[Thh:mm[:ss[.f+]]][Z|±hh:mm].  No zone means UTC.  Digits of the
  // fraction after the seventh are ignored.  Nothing for other texts, for a day
  // or time that does not exist, for a zone more than 14:00 from UTC, or for a
  // result outside the years 1 to 9999.  Years before 1601 are accepted here,
  // because the check that rejects them needs the value.
  static std::optional<DateTime> Parse(std::string_view text);

  CivilDate Date() const;

  // Whole seconds since the start of the day, 0 to 86,399.
  std::int32_t SecondOfDay() const;

  // YYYY-MM-DDThh:mm:ss[.f{1,7}]Z without trailing zeros in the fraction.
  std::string ToString() const;
  void AppendTo(TextBuffer& out) const;

  // The same, without an allocation.
  DateTimeText ToText() const;

  // Like ToString(), but with all seven digits of the fraction.
  std::string ToLongString() const;

  // MM/dd/yyyy HH:mm:ss, as in the service's range error.
  std::string ToErrorString() const;

  auto operator<=>(const DateTime&) const = default;
};

// 1601-01-01T00:00:00Z, the first time that the service stores.
inline constexpr DateTime kMinDateTime{504'911'232'000'000'000};
// 9999-12-31T23:59:59.9999999Z, the last one.
inline constexpr DateTime kMaxDateTime{3'155'378'975'999'999'999};

// One year earlier.  Each timestamp is later than the last one, whatever the
// clock says, and every timestamp must stay readable.  So clocks and archives
// may not give later times than this.
inline constexpr DateTime kLatestClock{
    kMaxDateTime.ticks - std::int64_t{365} * 24 * 3600 * 10'000'000};

}  // namespace entitable

#endif  // ENTITABLE_BASE_DATE_TIME_H_
