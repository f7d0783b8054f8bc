#include "engine/options.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/json_writer.h"

namespace entitable {
namespace {

Error Wrong(std::string_view name, std::string_view what) {
  std::string text(name);
  return Fail(ErrorCode::kInvalidInput, text.append(what));
}

// NaN is outside all bounds.
template <typename T>
Result<void> Check(std::string_view name, T value, const Bounds<T>& bounds) {
  if (value >= bounds.least && value <= bounds.most) return {};
  std::string what = " is ";
  if constexpr (std::integral<T>) {
    AppendUnsigned(value, what);
    what.append(", which is ");
  }
  what.append("not between ");
  AppendDecimal(static_cast<std::int64_t>(bounds.least), what);
  what += " and ";
  AppendDecimal(static_cast<std::int64_t>(bounds.most), what);
  return Wrong(name, what += '.');
}

// A limit beyond its bounds is refused and not corrected.  Otherwise the host
// would not learn that it has another limit than it asked for.
Result<void> CheckLimits(const StoreLimits& limits) {
  using Limits = StoreLimits;
  ENTITABLE_TRY(Check("StoreLimits::cache_bytes", limits.cache_bytes,
                      Limits::kCacheBytes));
  ENTITABLE_TRY(Check("StoreLimits::flush_bytes", limits.flush_bytes,
                      Limits::kFlushBytes));
  ENTITABLE_TRY(Check("StoreLimits::flush_records", limits.flush_records,
                      Limits::kFlushRecords));
  ENTITABLE_TRY(Check("StoreLimits::write_buffer_bytes",
                      limits.write_buffer_bytes, Limits::kWriteBufferBytes));
  ENTITABLE_TRY(
      Check("StoreLimits::page_bytes", limits.page_bytes, Limits::kPageBytes));
  ENTITABLE_TRY(
      Check("StoreLimits::step_pages", limits.step_pages, Limits::kStepPages));
  ENTITABLE_TRY(Check("StoreLimits::idle_ms", limits.idle_ms, Limits::kIdleMs));
  ENTITABLE_TRY(Check("StoreLimits::long_idle_ms", limits.long_idle_ms,
                      Limits::kLongIdleMs));
  return Check("StoreLimits::import_bytes", limits.import_bytes,
               Limits::kImportBytes);
}

Result<void> CheckLimits(const WorkLimits& limits) {
  ENTITABLE_TRY(Check("WorkLimits::slice_units", limits.slice_units,
                      WorkLimits::kSliceUnits));
  ENTITABLE_TRY(Check("WorkLimits::page_units", limits.page_units,
                      WorkLimits::kPageUnits));
  return Check("WorkLimits::list_bytes", limits.list_bytes,
               WorkLimits::kListBytes);
}

constexpr bool IsLowerLetter(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsAccountName(std::string_view name) {
  return name.size() >= 3 && name.size() <= 24 &&
         std::ranges::all_of(
             name, [](char c) { return IsLowerLetter(c) || IsDigit(c); });
}

bool IsInScheme(char c) {
  return IsLowerLetter(c) || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '+' ||
         c == '-' || c == '.';
}

// Bytes beyond ASCII are allowed.
bool IsInAddress(char c) {
  return static_cast<unsigned char>(c) > ' ' && c != '\x7F' && c != '?' &&
         c != '#';
}

bool IsBaseUrl(std::string_view url) {
  const std::size_t colon = std::min(url.find("://"), url.size());
  const std::string_view scheme = url.substr(0, colon);
  const std::string_view rest = url.substr(std::min(colon + 3, url.size()));
  return !scheme.empty() && std::ranges::all_of(scheme, IsInScheme) &&
         !rest.empty() && std::ranges::all_of(rest, IsInAddress) &&
         !rest.ends_with('/');
}

bool IsZero(const Random128& bytes) { return bytes == Random128{}; }

}  // namespace

// A quarter is for pages, which are dropped first, and an eighth for unflushed
// records: the records of one large commit may take as much again.
void EngineOptions::FitIntoMemory(std::size_t bytes) {
  const auto lower = [bytes](std::size_t& limit, std::size_t part) {
    limit = std::min(limit, bytes / part);
  };
  lower(store.cache_bytes, 4);
  lower(store.write_buffer_bytes, 8);
  lower(store.import_bytes, 64);
  lower(work.list_bytes, 64);
  lower(max_waiting_bytes, 6);
  max_group_memory = bytes / 8 * 5;
}

Result<void> CheckOptions(const EngineOptions& options) {
  if (!IsAccountName(options.account)) {
    return Wrong(
        "EngineOptions::account",
        " is not 3 to 24 lower-case letters and digits: " + options.account);
  }
  if (!IsBaseUrl(options.base_url)) {
    return Wrong("EngineOptions::base_url",
                 " is not an absolute address without a slash at the end: " +
                     options.base_url);
  }
  if (IsZero(options.session)) {
    return Wrong("EngineOptions::session", " has no random bytes.");
  }
  if (IsZero(options.new_store_id)) {
    return Wrong("EngineOptions::new_store_id", " has no random bytes.");
  }
  ENTITABLE_TRY(CheckLimits(options.store));
  ENTITABLE_TRY(CheckLimits(options.work));
  return Check("EngineOptions::max_waiting_bytes", options.max_waiting_bytes,
               EngineOptions::kMaxWaitingBytes);
}

}  // namespace entitable
