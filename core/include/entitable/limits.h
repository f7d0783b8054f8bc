// limits.h - how much memory, storage and work an engine takes at a time.

#ifndef ENTITABLE_LIMITS_H_
#define ENTITABLE_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace entitable {

// The least and greatest allowed value of a limit.
template <typename T>
struct Bounds {
  T least;
  T most;
};

// The greatest memory limit, in bytes: a quarter of a 4 GiB address space.
inline constexpr std::size_t kMaxLimitBytes =
    std::size_t{1} << (sizeof(std::size_t) > 4 ? 40 : 30);

// When the engine does background work (flush and compaction), and how much of
// the store it keeps in memory.  The allowed values precede each limit;
// Engine::Create() rejects all others.
struct StoreLimits {
  // The size of the page cache, in bytes.
  static constexpr Bounds<std::size_t> kCacheBytes = {0, kMaxLimitBytes};
  std::size_t cache_bytes = std::size_t{64} << 20;

  // The engine flushes the log into pages when the unflushed records exceed one
  // of these limits, in bytes or in records.
  static constexpr Bounds<std::size_t> kFlushBytes = {1,
                                                      std::size_t{256} << 20};
  std::size_t flush_bytes = std::size_t{1} << 20;
  static constexpr Bounds<std::size_t> kFlushRecords = {1, 1'000'000};
  std::size_t flush_records = 1000;

  // Writes wait for a flush when the unflushed records take this much memory.
  static constexpr Bounds<std::size_t> kWriteBufferBytes = {4, kMaxLimitBytes};
  std::size_t write_buffer_bytes = std::size_t{64} << 20;

  // The size of a page in bytes, and the number of pages that one compaction
  // step writes.  The defaults suit common storages.  A step is one task of
  // the host.  Short steps let a web page draw its frames in time.
  static constexpr Bounds<std::size_t> kPageBytes = {256,
                                                     std::size_t{60} * 1024};
  std::size_t page_bytes = std::size_t{60} * 1024;
  static constexpr Bounds<std::size_t> kStepPages = {1, 256};
  std::size_t step_pages = 5;

  // Background work waits until no write has come for this time, because it
  // would delay the next write.  Urgent work does not wait
  // (docs/internals/store-protocol.md).  While there are reads and no writes,
  // this is also the least time between two steps, unless the store has very
  // many runs.  Milliseconds, up to a day.
  static constexpr Bounds<double> kIdleMs = {0, 86'400'000};
  double idle_ms = 0;

  // After this time without a write, the engine also flushes a log that would
  // fill only one page, because queries examine every row of the log.
  // Milliseconds, up to a day.
  static constexpr Bounds<double> kLongIdleMs = {0, 86'400'000};
  double long_idle_ms = 200;

  // How many bytes of entities an import stores in one step.
  static constexpr Bounds<std::size_t> kImportBytes = {1,
                                                       std::size_t{64} << 20};
  std::size_t import_bytes = std::size_t{4} << 20;
};

// How much work reads and imports do at a time, in units
// (docs/internals/queries.md).  One unit takes about 100 ns on the benchmark
// machine.  At most about a day.
struct WorkLimits {
  // Their work together between one Yield and the next: about 10 ms.
  static constexpr Bounds<std::uint64_t> kSliceUnits = {1, 864'000'000'000};
  std::uint64_t slice_units = 100'000;

  // The work for one page of a list of entities or tables.  A page that costs
  // more ends early, perhaps empty, with a continuation token; the service does
  // the same after five seconds.  Counts, changes and tables as archive lines
  // have no pages.
  static constexpr Bounds<std::uint64_t> kPageUnits = {1, 864'000'000'000};
  std::uint64_t page_units = 1'000'000;

  // A page of a list of entities ends early when it is longer than this, in
  // bytes.  Otherwise 1,000 entities of 1 MiB would become a text of 1 GiB. The
  // service also ends pages early for its own reasons.
  static constexpr Bounds<std::size_t> kListBytes = {1, std::size_t{4} << 20};
  std::size_t list_bytes = std::size_t{4} << 20;
};

// The memory that any single step of a read or commit may take, for example for
// an answer of 4 MiB that grows by doubling.
inline constexpr std::size_t kStepBytes = std::size_t{16} << 20;

}  // namespace entitable

#endif  // ENTITABLE_LIMITS_H_
