// Lists as JSON are the same bytes whether the entities are in the log or in
// pages.  What the bytes are is the subject of entity_writer_test.cc, for
// entities in the log.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

constexpr double kIdleMs = 60'000;

constexpr MetadataLevel kLevels[] = {
    MetadataLevel::kNone, MetadataLevel::kMinimal, MetadataLevel::kFull,
    MetadataLevel::kTyped};

// Each list of properties twice, so that the second row has the schema of the
// row before, with other values.
const std::vector<std::string> kMembers = {
    R"("Text":"a\"b","Whole":1,"Real":0.5)",
    R"("Text":"\u00e9\ud83d\ude00","Whole":-7,"Real":3.0)",
    R"("Real@odata.type":"Edm.Double","Real":"NaN","Text":"")",
    R"("Real@odata.type":"Edm.Double","Real":"-Infinity","Text":"x")",
    R"("\u00e9":true,"Long@odata.type":"Edm.Int64","Long":"9007199254740993")",
    R"("\u00e9":false,"Long@odata.type":"Edm.Int64","Long":"-1")",
    R"("At@odata.type":"Edm.DateTime","At":"2020-01-01T00:00:00.1234567Z",
       "Id@odata.type":"Edm.Guid","Id":"7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001",
       "Raw@odata.type":"Edm.Binary","Raw":"iVBORw==")",
    R"("At@odata.type":"Edm.DateTime","At":"1601-01-01T00:00:00Z",
       "Id@odata.type":"Edm.Guid","Id":"00000000-0000-0000-0000-000000000000",
       "Raw@odata.type":"Edm.Binary","Raw":"")",
    "",
    "",
    R"("Whole":"a text here","Real":2)",
};

class FeedOfPagesTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
    // The three rows of a transaction have the same timestamp.
    for (std::size_t i = 0; i < kMembers.size(); i += 3) {
      std::vector<OwnedOperation> parts;
      for (std::size_t k = i; k < std::min(i + 3, kMembers.size()); ++k) {
        const std::string row = "r'" + std::to_string(100 + k);
        parts.push_back(Insert("Tab", EntityBody("p q", row, kMembers[k])));
      }
      ASSERT_EQ(Outcome(host_.Do(Transaction(std::move(parts)))), "202");
    }
    ASSERT_EQ(ReadStoredPages(host_.storage()).rows, 0);
  }

  void Flush() {
    host_.set_clock(host_.clock() + 2 * kIdleMs);
    host_.Run();
    ASSERT_EQ(ReadStoredPages(host_.storage()).rows, kMembers.size() + 1);
  }

  std::vector<std::string> Lists() {
    std::vector<std::string> lists;
    for (const MetadataLevel level : kLevels) {
      for (const char* select :
           {"", "Real", "Text,Nope,Whole", "RowKey,At,Id", "Timestamp,Real"}) {
        With with{.level = level};
        if (*select != '\0') with.select = select;
        lists.push_back(Body(host_.Do(Query("Tab", with))));
      }
    }
    lists.push_back(
        Body(host_.Do(Query("Tab", {.format = WireFormat::kLines}))));
    return lists;
  }

  MemoryHost host_{std::make_shared<MemoryStorage>(), Profile::kDefault,
                   StoreLimits{.flush_records = 3, .idle_ms = kIdleMs}};
};

TEST_F(FeedOfPagesTest, HasTheBytesOfTheFeedOfTheLog) {
  const std::vector<std::string> of_log = Lists();
  Flush();

  const std::vector<std::string> of_pages = Lists();

  ASSERT_EQ(of_pages.size(), of_log.size());
  for (std::size_t i = 0; i < of_log.size(); ++i) {
    EXPECT_EQ(of_pages[i], of_log[i]);
  }
}

// Source: payloads of the spec, 4.4.
TEST_F(FeedOfPagesTest, AnnotatesEachDoubleByItsValue) {
  Flush();

  const std::string list = Body(host_.Do(Query(
      "Tab", {.level = MetadataLevel::kNone, .select = "Real", .top = "3"})));

  EXPECT_EQ(list, R"({"value":[{"Real":0.5},{"Real":3.0},{"Real":"NaN"}]})");
}

}  // namespace
}  // namespace entitable
