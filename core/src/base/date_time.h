// date_time.h - points in time as 100 ns ticks, and their texts.

#ifndef ENTITABLE_BASE_DATE_TIME_H_
#define ENTITABLE_BASE_DATE_TIME_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace entitable {

class TextBuffer;

// Always UTC; no leap seconds.
struct DateTime {
  // 100 ns since 0001-01-01T00:00:00Z, 0 to 3,155,378,975,999,999,999 (the last
  // tick of the year 9999).
  std::int64_t ticks = 0;

  // From the milliseconds since 1970 of a host clock; anything outside the
  // years 1601 to 9999, NaN included, is brought to the nearest end.
  static DateTime FromUnixMilliseconds(double milliseconds);

  // YYYY-MM-DD[Thh:mm[:ss[.f+]]][Z|±hh:mm].  Without a zone it means UTC;
  // digits after the seventh of the fraction are cut.  Nothing for any other
  // text, a day or time that does not exist, a zone more than 14:00 from UTC,
  // or one that leads out of the years 1 to 9999.  The years before 1601 are
  // read: refusing them needs their value.
  static std::optional<DateTime> Parse(std::string_view text);

  // YYYY-MM-DDThh:mm:ss[.f{1,7}]Z without trailing zeros in the fraction.
  std::string ToString() const;
  void AppendTo(TextBuffer& out) const;

  // The same with all seven digits of the fraction.
  std::string ToLongString() const;

  // MM/dd/yyyy HH:mm:ss, the form used in the service's range error.
  std::string ToErrorString() const;

  auto operator<=>(const DateTime&) const = default;
};

// 1601-01-01T00:00:00Z, the first value that the service stores.
inline constexpr DateTime kMinDateTime{504'911'232'000'000'000};
// 9999-12-31T23:59:59.9999999Z, the last one.
inline constexpr DateTime kMaxDateTime{3'155'378'975'999'999'999};

// A year before.  Timestamps rise tick by tick from the last one, whatever the
// clock says, and none may become one that cannot be read back: so neither
// clocks nor archives give later ones.
inline constexpr DateTime kLatestClock{
    kMaxDateTime.ticks - std::int64_t{365} * 24 * 3600 * 10'000'000};

}  // namespace entitable

#endif  // ENTITABLE_BASE_DATE_TIME_H_
