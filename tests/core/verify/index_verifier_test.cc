// What a verifier finds of indexes that do not fit their entities, and what
// becomes of indexes in a repaired store.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/checkpoint.h"
#include "store/envelope.h"
#include "store/log_record.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/repair.h"

namespace entitable {
namespace {

constexpr TableId kTable = 1;

constexpr StoreLimits kSmallPages{
    .flush_bytes = 4'000, .flush_records = 10, .page_bytes = 600};

class IndexVerifierTest : public testing::Test {
 protected:
  void SetUp() override {
    Do(NewTable("Tab"));
    Do(SetIndexes("Tab", "A;B,A desc"));
    for (int i = 0; i < 200; ++i) {
      const std::string number = std::to_string(i);
      Do(Insert("Tab",
                EntityBody("p", number, "\"A\":" + number + ",\"B\":\"b\"")));
    }
    for (int i = 0; i < 200; i += 3) {
      Do(Merge("Tab", "p", std::to_string(i), R"({"A":-1})"));
    }
    for (int i = 1; i < 200; i += 9) {
      Do(Delete("Tab", "p", std::to_string(i)));
    }
  }

  void Do(const OwnedOperation& operation) {
    const auto answer = host_.Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }

  // A commit of an engine that does not keep indexes.
  void AppendRecord(std::vector<Change> changes) {
    auto& values = host_.storage().values();
    const auto checkpoint = DecodeCheckpoint(values.at(ValueKey::Checkpoint()));
    ASSERT_TRUE(checkpoint.has_value());
    LogRecord record;
    record.changes = std::move(changes);
    record.number = checkpoint->number + 1;
    record.previous_crc = checkpoint->crc;
    record.last_timestamp = checkpoint->last_timestamp;
    for (; values.contains(ValueKey::Record(record.number)); ++record.number) {
      const Bytes& value = values.at(ValueKey::Record(record.number));
      record.previous_crc = EnvelopeCrc(value);
      record.last_timestamp = DecodeLogRecord(value)->last_timestamp;
    }
    values[ValueKey::Record(record.number)] = EncodeLogRecord(record);
  }

  static std::vector<std::string> Messages(const Verifier& verifier) {
    std::vector<std::string> messages;
    for (const Finding& finding : verifier.findings()) {
      messages.push_back(finding.message);
    }
    return messages;
  }

  MemoryHost host_{std::make_shared<MemoryStorage>(), Profile::kDefault,
                   kSmallPages};
};

TEST_F(IndexVerifierTest, FindsNothingIfAllEntriesAreThere) {
  EXPECT_EQ(Messages(VerifyAll(host_.storage())), std::vector<std::string>());
}

TEST_F(IndexVerifierTest, FindsNothingWhileAnIndexIsBuilt) {
  MemoryHost host;
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  for (int i = 0; i < 700; ++i) {
    host.Submit(Insert("Tab", EntityBody("p", std::to_string(i), "\"A\":1")));
  }
  host.Run();
  ASSERT_EQ(Body(host.Do(SetIndexes("Tab", "A"))),
            R"({"entities":500,"complete":false})");

  EXPECT_EQ(Messages(VerifyAll(host.storage())), std::vector<std::string>());
}

// Changes of the table alone.
TEST_F(IndexVerifierTest, CountsWhatIsMissingAndWhatBelongsToNoEntity) {
  PropertyList properties;
  properties.Append("A", Value::Int32(5));
  AppendRecord({EntityPut{kTable, {"p", "new"}, {kMinDateTime, properties}},
                EntityDeleted{kTable, {"p", "2"}},
                EntityDeleted{kTable, {"p", "5"}}});

  const Verifier verifier = VerifyAll(host_.storage());
  EXPECT_EQ(Messages(verifier),
            (std::vector<std::string>{
                "The index A of the table Tab lacks 1 entry, and has 2 that "
                "belong to no entity.",
                "The index B,A desc of the table Tab lacks 1 entry, and has 2 "
                "that belong to no entity."}));
  EXPECT_EQ(verifier.findings().front().kind, ValueKind::kIndex);
  EXPECT_FALSE(verifier.findings().front().is_lossy);
}

TEST_F(IndexVerifierTest, FindsThatACoveringIndexHasAnOlderState) {
  ASSERT_EQ(Outcome(host_.Do(SetIndexes("Tab", "A|C"))), "202");
  ASSERT_EQ(Messages(VerifyAll(host_.storage())), std::vector<std::string>());
  PropertyList properties;
  properties.Append("A", Value::Int32(5));
  properties.Append("C", Value::String("new"));
  AppendRecord({EntityPut{kTable, {"p", "5"}, {kMinDateTime, properties}}});

  EXPECT_EQ(Messages(VerifyAll(host_.storage())),
            (std::vector<std::string>{
                "The index A of the table Tab lacks 1 entry, and has 1 that "
                "belongs to no entity."}));
}

TEST_F(IndexVerifierTest, RepairedStoresAreReadWithoutTheirOldIndexes) {
  ASSERT_TRUE(Body(host_.Do(Count("Tab", "A eq 5"))).contains("\"index\""));
  const std::string found = Body(host_.Do(Query("Tab", {.filter = "A eq 5"})));

  MemoryHost repaired(Repair(host_.storage()).storage);
  EXPECT_FALSE(Body(repaired.Do(Count("Tab", "A eq 5"))).contains("\"index\""));
  EXPECT_EQ(Body(repaired.Do(Query("Tab", {.filter = "A eq 5"}))), found);
}

TEST_F(IndexVerifierTest, RepairedStoresBuildTheirIndexesAgain) {
  // Rows without entries, which a repair brings back.
  PropertyList properties;
  properties.Append("A", Value::Int32(5));
  AppendRecord({EntityPut{kTable, {"p", "new"}, {kMinDateTime, properties}}});
  MemoryHost repaired(Repair(host_.storage()).storage);
  EXPECT_EQ(Messages(VerifyAll(repaired.storage())),
            std::vector<std::string>());

  ASSERT_EQ(Body(repaired.Do(SetIndexes("Tab", "A;B,A desc"))),
            R"({"entities":178,"complete":true})");
  repaired.Restart();
  const std::string counted = Body(repaired.Do(Count("Tab", "A eq 5")));
  EXPECT_TRUE(counted.contains("\"index\"")) << counted;
  EXPECT_TRUE(counted.contains("\"count\":2")) << counted;
  EXPECT_EQ(Messages(VerifyAll(repaired.storage())),
            std::vector<std::string>());
}

}  // namespace
}  // namespace entitable
