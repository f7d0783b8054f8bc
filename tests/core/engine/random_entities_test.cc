// Random entities, written and read back: the answers are those of the spec,
// byte for byte, at every level of metadata.  ENTITABLE_RANDOM_ENTITIES: how
// many, by default 1,000.

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/random_entity.h"

namespace entitable {
namespace {

constexpr std::pair<MetadataLevel, AnswerLevel> kLevels[] = {
    {MetadataLevel::kNone, AnswerLevel::kNone},
    {MetadataLevel::kMinimal, AnswerLevel::kMinimal},
    {MetadataLevel::kFull, AnswerLevel::kFull},
    {MetadataLevel::kTyped, AnswerLevel::kTyped}};

constexpr char kTable[] = "Pets";

// A host with the table, and nothing in it.
std::unique_ptr<MemoryHost> NewHost() {
  auto host = std::make_unique<MemoryHost>();
  EXPECT_EQ(Outcome(host->Do(NewTable(kTable))), "201");
  return host;
}

// The time in W/"datetime'...'".
std::string TimeOf(std::string_view etag) {
  std::string time(etag.substr(12, etag.size() - 14));
  for (auto at = time.find("%3A"); at != time.npos; at = time.find("%3A")) {
    time.replace(at, 3, ":");
  }
  return time;
}

std::string Read(MemoryHost& host, const RandomEntity& entity,
                 MetadataLevel level) {
  return Body(host.Do(Get(kTable, Utf8(entity.partition_key),
                          Utf8(entity.row_key), {.level = level})));
}

void ExpectAnswers(MemoryHost& host, const RandomEntity& entity,
                   const std::string& time) {
  for (const auto& [level, answered] : kLevels) {
    ASSERT_EQ(Read(host, entity, level),
              AnsweredBody(entity, answered, kTable, time));
  }
}

// What a client read, another store takes, and then answers the same.
void ExpectCopyIsEqual(MemoryHost& host, const RandomEntity& entity) {
  for (const MetadataLevel level :
       {MetadataLevel::kMinimal, MetadataLevel::kFull, MetadataLevel::kTyped}) {
    const auto copy = NewHost();
    ASSERT_EQ(Outcome(copy->Do(Insert(kTable, Read(host, entity, level)))),
              "201");
    for (const auto& [asked, _] : kLevels) {
      ASSERT_EQ(Read(*copy, entity, asked), Read(host, entity, asked));
    }
  }
}

void ExpectRoundTrip(RandomEntity entity, const std::string& body) {
  const auto host = NewHost();
  const auto inserted = host->Do(Insert(kTable, body));
  ASSERT_EQ(Outcome(inserted), "201");
  CopyDoubles(inserted->body, entity);
  const std::string time = TimeOf(inserted->etag);
  ASSERT_EQ(inserted->body,
            AnsweredBody(entity, AnswerLevel::kMinimal, kTable, time));
  ExpectAnswers(*host, entity, time);
  host->Restart();
  ExpectAnswers(*host, entity, time);
  ExpectCopyIsEqual(*host, entity);
}

TEST(RandomEntitiesTest, AreReadBackByteForByte) {
  SCOPED_TRACE(testing::Message() << "ENTITABLE_SEED=" << TestSeed());
  RandomEntities random(TestSeed());
  const std::size_t wanted = WantedRuns("ENTITABLE_RANDOM_ENTITIES", 1'000);
  for (std::size_t i = 0; i < wanted && !HasFailure(); ++i) {
    const RandomEntity entity = random.Next();
    const std::string body = random.SentBody(entity);
    SCOPED_TRACE(body);
    ExpectRoundTrip(entity, body);
  }
}

}  // namespace
}  // namespace entitable
