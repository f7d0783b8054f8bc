// All times are one number, the ticks since the year 1.  So comparing times is
// comparing numbers, and only texts need a calendar: years of 365 or 366 days
// are turned into days by arithmetic on eras, without a loop or a table.
//
// Reader reads forward and never looks back.  It notes a failure and goes on
// with zeros, so its callers need no branch after each part, and Parse() asks
// once.

#include "base/date_time.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/ascii.h"
#include "base/text_buffer.h"

namespace entitable {
namespace {

constexpr std::int64_t kTicksPerMillisecond = 10'000;
constexpr std::int64_t kTicksPerSecond = 10'000'000;
constexpr std::int64_t kTicksPerMinute = 60 * kTicksPerSecond;
constexpr std::int64_t kTicksPerHour = 60 * kTicksPerMinute;
constexpr std::int64_t kTicksPerDay = 24 * kTicksPerHour;

// 1970-01-01T00:00:00Z.
constexpr std::int64_t kUnixEpochTicks = 621'355'968'000'000'000;

constexpr int kFractionDigits = 7;

// The greatest offset from UTC in XML Schema part 2 (3.2.7.3).
constexpr std::int64_t kMaxZoneTicks = 14 * kTicksPerHour;

// The era of 400 years, which always has 146,097 days, is counted from March 1,
// so that a leap day comes last in its year.  Source: H. Hinnant,
// "chrono-Compatible Low-Level Date Algorithms", days_from_civil and back; the
// epoch is moved to 0001-01-01, day 306 after 0000-03-01.
constexpr std::int64_t kDaysPerEra = 146'097;
constexpr std::int64_t kDaysBeforeYearOne = 306;

constexpr std::int64_t DaysFromCivil(const CivilDate& date) {
  const std::int64_t year = date.year - (date.month <= 2);
  const std::int64_t era = year / 400;
  const std::int64_t year_of_era = year % 400;
  const std::int64_t month_from_march = (date.month + 9) % 12;
  const std::int64_t day_of_year =
      (153 * month_from_march + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysPerEra + day_of_era - kDaysBeforeYearOne;
}

constexpr CivilDate CivilFromDays(std::int64_t days) {
  days += kDaysBeforeYearOne;
  const std::int64_t era = days / kDaysPerEra;
  const std::int64_t day_of_era = days % kDaysPerEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 -
       day_of_era / 146'096) /
      365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t month = (month_from_march + 2) % 12 + 1;
  return {year_of_era + era * 400 + (month <= 2), month,
          day_of_year - (153 * month_from_march + 2) / 5 + 1};
}

static_assert(DaysFromCivil({1, 1, 1}) == 0);
static_assert(DaysFromCivil({1970, 1, 1}) * kTicksPerDay == kUnixEpochTicks);
static_assert(DaysFromCivil({1601, 1, 1}) * kTicksPerDay == kMinDateTime.ticks);

constexpr std::int64_t DaysInMonth(std::int64_t year, std::int64_t month) {
  if (month == 2) {
    const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return is_leap ? 29 : 28;
  }
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Reads the text from left to right.  After a missing part, failed stays true.
struct Reader {
  std::string_view rest;
  bool failed = false;

  bool Skip(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }

  void Expect(char c) { failed |= !Skip(c); }

  // Reads exactly `digits` digits.  The value must be within the limits.
  std::int64_t Number(std::size_t digits, std::int64_t min, std::int64_t max) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (rest.empty() || !IsAsciiDigit(rest.front())) {
        failed = true;
        return 0;
      }
      value = value * 10 + (rest.front() - '0');
      rest.remove_prefix(1);
    }
    failed |= value < min || value > max;
    return value;
  }

  // Reads one digit or more.  Digits after the seventh are ignored.
  std::int64_t FractionTicks() {
    std::int64_t ticks = 0;
    std::int64_t weight = kTicksPerSecond / 10;
    failed |= rest.empty() || !IsAsciiDigit(rest.front());
    while (!rest.empty() && IsAsciiDigit(rest.front())) {
      ticks += (rest.front() - '0') * weight;
      weight /= 10;
      rest.remove_prefix(1);
    }
    return ticks;
  }

  std::int64_t DateTicks() {
    const std::int64_t year = Number(4, 1, 9999);
    Expect('-');
    const std::int64_t month = Number(2, 1, 12);
    Expect('-');
    const std::int64_t day = Number(2, 1, DaysInMonth(year, month));
    return DaysFromCivil({year, month, day}) * kTicksPerDay;
  }

  std::int64_t HourAndMinuteTicks() {
    const std::int64_t hour = Number(2, 0, 23);
    Expect(':');
    return hour * kTicksPerHour + Number(2, 0, 59) * kTicksPerMinute;
  }

  std::int64_t TimeTicks() {
    std::int64_t ticks = HourAndMinuteTicks();
    if (Skip(':')) {
      ticks += Number(2, 0, 59) * kTicksPerSecond;
      if (Skip('.')) ticks += FractionTicks();
    }
    return ticks;
  }

  // The ticks to add to get UTC.
  std::int64_t ZoneTicks() {
    if (rest.empty() || Skip('Z')) return 0;
    const bool is_behind = Skip('-');
    if (!is_behind) Expect('+');
    const std::int64_t distance = HourAndMinuteTicks();
    failed |= distance > kMaxZoneTicks;
    return is_behind ? distance : -distance;
  }
};

// Writes into a buffer of known size.  A string that grows by each digit and
// colon would cost more than the arithmetic.
class TextWriter {
 public:
  // Writes at most nine digits, with leading zeros.
  void Digits(std::int64_t value, std::size_t width) {
    auto rest = static_cast<std::uint32_t>(value);
    for (std::size_t i = text_.size + width; i > text_.size; rest /= 10) {
      text_.chars[--i] = static_cast<char>('0' + rest % 10);
    }
    text_.size += width;
  }

  void Put(char c) { text_.chars[text_.size++] = c; }

  void Time(std::int64_t ticks) {
    const std::int32_t seconds = DateTime{ticks}.SecondOfDay();
    Digits(seconds / 3'600, 2);
    Put(':');
    Digits(seconds / 60 % 60, 2);
    Put(':');
    Digits(seconds % 60, 2);
  }

  void Fraction(std::int64_t ticks) {
    const std::int64_t fraction = ticks % kTicksPerSecond;
    if (fraction == 0) return;
    Put('.');
    Digits(fraction, kFractionDigits);
    while (text_.chars[text_.size - 1] == '0') --text_.size;
  }

  const DateTimeText& text() const { return text_; }

 private:
  DateTimeText text_;
};

}  // namespace

DateTime DateTime::FromUnixMilliseconds(double milliseconds) {
  constexpr std::int64_t kFirstMilliseconds =
      (kMinDateTime.ticks - kUnixEpochTicks) / kTicksPerMillisecond;
  constexpr std::int64_t kEndMilliseconds =
      (kMaxDateTime.ticks + 1 - kUnixEpochTicks) / kTicksPerMillisecond;
  constexpr auto kFirst = static_cast<double>(kFirstMilliseconds);
  constexpr auto kEnd = static_cast<double>(kEndMilliseconds);
  if (!(milliseconds >= kFirst)) return kMinDateTime;  // Also for NaN.
  if (milliseconds >= kEnd) return kMaxDateTime;
  // A double cannot hold the ticks of today exactly, but it can hold each of
  // these two parts.
  const double whole = std::floor(milliseconds);
  const double fraction = milliseconds - whole;
  return {kUnixEpochTicks +
          static_cast<std::int64_t>(whole) * kTicksPerMillisecond +
          static_cast<std::int64_t>(fraction * kTicksPerMillisecond)};
}

std::optional<DateTime> DateTime::Parse(std::string_view text) {
  Reader reader{text};
  std::int64_t ticks = reader.DateTicks();
  if (reader.Skip('T')) ticks += reader.TimeTicks();
  ticks += reader.ZoneTicks();
  if (reader.failed || !reader.rest.empty()) return std::nullopt;
  if (ticks < 0 || ticks > kMaxDateTime.ticks) return std::nullopt;
  return DateTime{ticks};
}

CivilDate DateTime::Date() const { return CivilFromDays(ticks / kTicksPerDay); }

std::int32_t DateTime::SecondOfDay() const {
  return static_cast<std::int32_t>(ticks % kTicksPerDay / kTicksPerSecond);
}

DateTimeText DateTime::ToText() const {
  const CivilDate date = Date();
  TextWriter writer;
  writer.Digits(date.year, 4);
  writer.Put('-');
  writer.Digits(date.month, 2);
  writer.Put('-');
  writer.Digits(date.day, 2);
  writer.Put('T');
  writer.Time(ticks);
  writer.Fraction(ticks);
  writer.Put('Z');
  return writer.text();
}

void DateTime::AppendTo(TextBuffer& out) const { out.append(ToText().view()); }

std::string DateTime::ToString() const { return std::string(ToText().view()); }

std::string DateTime::ToLongString() const {
  constexpr std::size_t kFractionStart = 20;
  std::string text = ToString();
  text.pop_back();
  if (text.size() < kFractionStart) text.push_back('.');
  text.resize(kFractionStart + kFractionDigits, '0');
  return text + 'Z';
}

std::string DateTime::ToErrorString() const {
  const CivilDate date = Date();
  TextWriter writer;
  writer.Digits(date.month, 2);
  writer.Put('/');
  writer.Digits(date.day, 2);
  writer.Put('/');
  writer.Digits(date.year, 4);
  writer.Put(' ');
  writer.Time(ticks);
  return std::string(writer.text().view());
}

}  // namespace entitable
