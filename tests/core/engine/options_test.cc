// What an engine can be made with: engine.h, EngineOptions.

#include <gtest/gtest.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entitable/engine.h"
#include "host/memory.h"
#include "model/limits.h"
#include "support/engine_test.h"

namespace entitable {
namespace {

EngineOptions SomeOptions() { return {.session = {1}, .new_store_id = {2}}; }

// "made", or what is wrong.
std::string Made(EngineOptions options) {
  const auto engine = Engine::Create(std::move(options));
  if (engine) return "made";
  EXPECT_EQ(engine.error().code, ErrorCode::kInvalidInput);
  return engine.error().message;
}

// Tries what is just within the bounds, and what is just not.
template <typename T, typename Set>
void ExpectBounds(const std::string& name, const Bounds<T>& bounds, Set set) {
  const auto outcome = [&](T value) {
    EngineOptions options = SomeOptions();
    set(options) = value;
    return Made(std::move(options));
  };
  SCOPED_TRACE(name);
  EXPECT_EQ(outcome(bounds.least), "made");
  EXPECT_EQ(outcome(bounds.most), "made");
  EXPECT_TRUE(outcome(bounds.most + 1).starts_with(name + " is "));
  // Below zero an unsigned number is a very great one.
  EXPECT_TRUE(outcome(bounds.least - 1).starts_with(name + " is "));
  if constexpr (std::floating_point<T>) {
    EXPECT_NE(outcome(std::nan("")), "made");
    EXPECT_NE(outcome(std::numeric_limits<T>::infinity()), "made");
  }
}

#define EXPECT_BOUNDS(type, bounds, path, member) \
  ExpectBounds(                                   \
      #type "::" #member, type::bounds,           \
      [](EngineOptions & options) -> auto& { return options path.member; })

TEST(EngineOptionsTest, StayWithinTheBoundsOfEachLimit) {
  EXPECT_BOUNDS(StoreLimits, kCacheBytes, .store, cache_bytes);
  EXPECT_BOUNDS(StoreLimits, kFlushBytes, .store, flush_bytes);
  EXPECT_BOUNDS(StoreLimits, kFlushRecords, .store, flush_records);
  EXPECT_BOUNDS(StoreLimits, kWriteBufferBytes, .store, write_buffer_bytes);
  EXPECT_BOUNDS(StoreLimits, kPageBytes, .store, page_bytes);
  EXPECT_BOUNDS(StoreLimits, kStepPages, .store, step_pages);
  EXPECT_BOUNDS(StoreLimits, kIdleMs, .store, idle_ms);
  EXPECT_BOUNDS(StoreLimits, kLongIdleMs, .store, long_idle_ms);
  EXPECT_BOUNDS(StoreLimits, kImportBytes, .store, import_bytes);
  EXPECT_BOUNDS(WorkLimits, kSliceUnits, .work, slice_units);
  EXPECT_BOUNDS(WorkLimits, kPageUnits, .work, page_units);
  EXPECT_BOUNDS(WorkLimits, kListBytes, .work, list_bytes);
  EXPECT_BOUNDS(EngineOptions, kMaxWaitingBytes, , max_waiting_bytes);
}

TEST(EngineOptionsTest, SayWhatIsWrong) {
  EngineOptions options = SomeOptions();
  options.store.page_bytes = 256 * 1024;
  EXPECT_EQ(Made(options),
            "StoreLimits::page_bytes is 262144, which is not between 256 and "
            "61440.");
}

// The unflushed records, the longest request, and its commit; a quarter is left
// for pages.
TEST(EngineOptionsTest, FitIntoTheLeastMemory) {
  EngineOptions options = SomeOptions();
  options.FitIntoMemory(EngineOptions::kLeastMemoryBytes);

  EXPECT_EQ(Made(options), "made");
  EXPECT_LE(options.store.write_buffer_bytes + 2 * kMaxBodyBytes +
                GroupMemory(kMaxBodyBytes),
            EngineOptions::kLeastMemoryBytes / 4 * 3);
  EXPECT_GE(options.max_waiting_bytes, kMaxBodyBytes + kMaxBodyBytes / 4);
  EXPECT_LE(4 * options.store.flush_bytes, options.store.write_buffer_bytes);
}

TEST(EngineOptionsTest, StayAsTheyAreInMuchMemory) {
  const EngineOptions before = SomeOptions();
  EngineOptions options = before;
  options.FitIntoMemory(SIZE_MAX);
  EXPECT_EQ(options.store.cache_bytes, before.store.cache_bytes);
  EXPECT_EQ(options.store.write_buffer_bytes, before.store.write_buffer_bytes);
  EXPECT_EQ(options.store.import_bytes, before.store.import_bytes);
  EXPECT_EQ(options.max_waiting_bytes, before.max_waiting_bytes);
  EXPECT_EQ(options.work.list_bytes, before.work.list_bytes);
}

TEST(EngineOptionsTest, HaveAnAccountName) {
  const auto outcome = [](const std::string& account) {
    EngineOptions options = SomeOptions();
    options.account = account;
    return Made(options);
  };
  for (const std::string& name :
       {std::string("abc"), std::string(24, 'z'), std::string("0a9")}) {
    EXPECT_EQ(outcome(name), "made") << name;
  }
  for (const std::string& name :
       {std::string(), std::string("ab"), std::string(25, 'a'),
        std::string("Abc"), std::string("a-b"), std::string("abc "),
        std::string("ab\xC3\xA9"), std::string("abc\"")}) {
    EXPECT_TRUE(outcome(name).starts_with("EngineOptions::account ")) << name;
  }
}

TEST(EngineOptionsTest, HaveAnAbsoluteAddress) {
  const auto outcome = [](const std::string& base_url) {
    EngineOptions options = SomeOptions();
    options.base_url = base_url;
    return Made(options);
  };
  for (const char* url : {"http://a", "https://a.b:1/c", "x+y-1.z://h"}) {
    EXPECT_EQ(outcome(url), "made") << url;
  }
  for (const char* url :
       {"", "a", "://a", "http://", "http:///", "http://a/", "http:/a",
        "http://a b", "http://a\rb", "http://a?b", "http://a#b", "ht tp://a"}) {
    EXPECT_TRUE(outcome(url).starts_with("EngineOptions::base_url ")) << url;
  }
}

// Two engines that had none would take each other's commits for their own.
TEST(EngineOptionsTest, HaveRandomBytes) {
  EXPECT_EQ(Made({.session = {}, .new_store_id = {1}}),
            "EngineOptions::session has no random bytes.");
  EXPECT_EQ(Made({.session = {1}, .new_store_id = {}}),
            "EngineOptions::new_store_id has no random bytes.");
}

// ------------------------------------------------------------- what they do

std::string Digits(int i) { return std::to_string(1000 + i); }

std::vector<std::string> AllRows() {
  std::vector<std::string> rows;
  for (int i = 0; i < 60; ++i) rows.push_back(Digits(i));
  return rows;
}

// Imports, changes and reads rows, and reads them again from the storage.
void ExpectToWork(const StoreLimits& store, const WorkLimits& work) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault, store,
                  work);
  const auto body = [](int i) {
    return EntityBody("p", Digits(i), "\"T\":\"" + std::string(700, 't') + '"');
  };
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += body(i) + "\n";
  ASSERT_EQ(Outcome(host.Do(Import("Tab", lines))), "202");
  for (int i = 40; i < 60; ++i) {
    ASSERT_EQ(Outcome(host.Do(Insert("Tab", body(i)))), "201");
  }
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(Outcome(host.Do(Get("Tab", "p", Digits(7)))), "200");
    ASSERT_EQ(Outcome(host.Do(Count("Tab"))), "200");
    std::vector<std::string> rows;
    OwnedOperation query = Query("Tab");
    for (int pages = 0; pages < 1000; ++pages) {
      const auto page = host.Do(query);
      ASSERT_TRUE(page) << page.error().message;
      for (const auto& row : TextsOf("RowKey", page->body)) rows.push_back(row);
      if (!page->next_row_key) break;
      query.with.next_partition_key = page->next_partition_key;
      query.with.next_row_key = page->next_row_key;
    }
    EXPECT_EQ(rows, AllRows());
    host.Restart();
  }
}

TEST(EngineOptionsTest, LetAnEngineWorkWithTheLeastOfEachLimit) {
  const StoreLimits least{.cache_bytes = StoreLimits::kCacheBytes.least,
                          .flush_bytes = StoreLimits::kFlushBytes.least,
                          .flush_records = StoreLimits::kFlushRecords.least,
                          .page_bytes = StoreLimits::kPageBytes.least,
                          .step_pages = StoreLimits::kStepPages.least,
                          .idle_ms = StoreLimits::kIdleMs.least,
                          .long_idle_ms = StoreLimits::kLongIdleMs.least,
                          .import_bytes = StoreLimits::kImportBytes.least};
  ExpectToWork(least, {.slice_units = WorkLimits::kSliceUnits.least,
                       .page_units = WorkLimits::kPageUnits.least});
}

TEST(EngineOptionsTest, LetAnEngineWorkWithTheMostOfEachLimit) {
  const StoreLimits most{.cache_bytes = StoreLimits::kCacheBytes.most,
                         .flush_bytes = StoreLimits::kFlushBytes.most,
                         .flush_records = StoreLimits::kFlushRecords.most,
                         .page_bytes = StoreLimits::kPageBytes.most,
                         .step_pages = StoreLimits::kStepPages.most,
                         .idle_ms = StoreLimits::kIdleMs.most,
                         .long_idle_ms = StoreLimits::kLongIdleMs.most,
                         .import_bytes = StoreLimits::kImportBytes.most};
  ExpectToWork(most, {.slice_units = WorkLimits::kSliceUnits.most,
                      .page_units = WorkLimits::kPageUnits.most});
}

}  // namespace
}  // namespace entitable
