#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "load/load_lookup.h"
#include "support/random.h"

namespace entitable {
namespace {

std::string Key(std::uint64_t number) {
  return "partition\x01row-" + std::to_string(number);
}

TEST(LoadedKeysTest, HasNothingAtFirst) {
  const LoadedKeys keys;
  EXPECT_FALSE(keys.MayHave(keys.HashOf("")));
  EXPECT_FALSE(keys.MayHave(keys.HashOf(Key(1))));
}

// A key that is forgotten would be inserted a second time.
TEST(LoadedKeysTest, NeverForgetsAKeyAndSeldomMakesOneUp) {
  constexpr std::uint64_t kKeys = 500'000;
  const std::uint64_t first = TestSeed() % 1'000'000'007;
  SCOPED_TRACE(TestSeed());
  LoadedKeys keys;
  const auto hash = [&](std::uint64_t i) {
    return keys.HashOf(Key(first + i));
  };
  for (std::uint64_t i = 0; i < kKeys; ++i) keys.Add(hash(i));

  std::uint64_t forgotten = 0;
  std::uint64_t made_up = 0;
  for (std::uint64_t i = 0; i < kKeys; ++i) {
    if (!keys.MayHave(hash(i))) ++forgotten;
    if (keys.MayHave(hash(kKeys + i))) ++made_up;
  }

  EXPECT_EQ(forgotten, 0U);
  EXPECT_LE(made_up, kKeys / 10'000);
}

TEST(LoadedKeysTest, KnowsTheRunsOfItsKeys) {
  entitable::Run run;
  run.directories.push_back({});
  run.directories.back().page = 7;
  LoadedKeys keys;
  EXPECT_FALSE(keys.HasRun(run));

  keys.AddRun(7);

  EXPECT_TRUE(keys.HasRun(run));
  run.directories.back().page = 8;
  EXPECT_FALSE(keys.HasRun(run));
  EXPECT_FALSE(keys.HasRun(entitable::Run{}));
}

}  // namespace
}  // namespace entitable
