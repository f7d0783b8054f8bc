// Entity group transactions: cases 436 to 477 of the spec, as far as they are
// not about HTTP.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/limits.h"
#include "support/engine_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

// Partition p of the table Tab.
class TransactionTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  void GivenRow(const std::string& row_key) { Given(InsertRow(row_key)); }

  static OwnedOperation InsertRow(const std::string& row_key,
                                  std::string_view members = "") {
    return Insert("Tab", EntityBody("p", row_key, members));
  }

  Keys Rows() { return RowKeysOf(host_, Query("Tab")); }

  // The outcome; all or nothing is checked by Do().
  std::string Run(std::vector<OwnedOperation> parts) {
    return Do(Transaction(std::move(parts)));
  }
};

// Cases 436 and 437.
TEST_F(TransactionTest, AnswersEachOperationAsIfItWereAlone) {
  const auto answer = host_.Do(Transaction(
      {Insert("Tab", EntityBody("p", "1"), {.echo = false}),
       Insert("Tab", EntityBody("p", "2"), {.level = MetadataLevel::kNone})}));

  ASSERT_EQ(Outcome(answer), "202");
  EXPECT_EQ(answer->body, "");
  ASSERT_EQ(answer->parts.size(), 2U);
  EXPECT_EQ(answer->parts[0].status, 204);
  EXPECT_EQ(answer->parts[0].body, "");
  EXPECT_EQ(answer->parts[0].etag, EtagOf(Get("Tab", "p", "1")));
  EXPECT_EQ(answer->parts[1].status, 201);
  EXPECT_EQ(answer->parts[1].body,
            R"({"PartitionKey":"p","RowKey":"2",)"
            R"("Timestamp":"2024-01-02T03:04:05.6780001Z"})");
}

// Cases 438, 439 and 477; data model of the spec, 1.6: one stamp for all.
TEST_F(TransactionTest, DoesEveryKindOfWriteAtOnce) {
  GivenRow("0");
  GivenRow("5");

  const auto answer = host_.Do(Transaction(
      {InsertRow("1"), InsertRow("2"), Merge("Tab", "p", "3", R"({"A":1})"),
       Replace("Tab", "p", "4", R"({"A":1})"),
       Merge("Tab", "p", "5", R"({"A":2})", {.if_match = "*"}),
       Delete("Tab", "p", "0")}));

  ASSERT_EQ(Outcome(answer), "202");
  Keys statuses;
  for (const Response& part : answer->parts) {
    statuses.push_back(std::to_string(part.status));
  }
  EXPECT_EQ(statuses, (Keys{"201", "201", "204", "204", "204", "204"}));
  EXPECT_EQ(Rows(), (Keys{"1", "2", "3", "4", "5"}));
  for (int row = 1; row <= 5; ++row) {
    const auto& part = answer->parts[static_cast<std::size_t>(row) - 1];
    EXPECT_EQ(part.etag, EtagOf(Get("Tab", "p", std::to_string(row))));
    EXPECT_EQ(part.etag, answer->parts[0].etag);
  }
  EXPECT_EQ(answer->parts[5].etag, "");
}

// Cases 440, 441, 447 to 451.
TEST_F(TransactionTest, ChangesNothingWhenAnyOperationFails) {
  GivenRow("1");
  const std::string old_etag = EtagOf(Get("Tab", "p", "1"));
  Given(Merge("Tab", "p", "1", "{}"));
  const OwnedOperation stale =
      Replace("Tab", "p", "1", "{}", {.if_match = old_etag});
  const OwnedOperation merge_missing =
      Merge("Tab", "p", "9", "{}", {.if_match = "*"});

  EXPECT_EQ(Run({InsertRow("2"), InsertRow("1")}),
            "409 EntityAlreadyExists at 1");
  EXPECT_EQ(Run({InsertRow("1")}), "409 EntityAlreadyExists at 0");
  EXPECT_EQ(Run({Delete("Tab", "p", "9")}), "404 ResourceNotFound at 0");
  EXPECT_EQ(Run({InsertRow("2"), Delete("Tab", "p", "9")}),
            "404 ResourceNotFound at 1");
  EXPECT_EQ(Run({InsertRow("2"), InsertRow("3"), merge_missing}),
            "404 ResourceNotFound at 2");
  EXPECT_EQ(Run({stale}), "412 UpdateConditionNotSatisfied at 0");
  EXPECT_EQ(Run({InsertRow("2"), stale}),
            "412 UpdateConditionNotSatisfied at 1");
  EXPECT_EQ(Rows(), Keys{"1"});
  EXPECT_EQ(MessageOf(Transaction({InsertRow("1")})),
            "The specified entity already exists.");
}

TEST_F(TransactionTest, ReportsTheFirstOfSeveralFailures) {
  GivenRow("1");

  EXPECT_EQ(Run({InsertRow("2"), Delete("Tab", "p", "8"), InsertRow("1")}),
            "404 ResourceNotFound at 1");
}

// Cases 442 and 443.
TEST_F(TransactionTest, HoldsAtMostAHundredOperations) {
  std::vector<OwnedOperation> parts;
  for (int i = 0; i < 101; ++i) {
    parts.push_back(InsertRow(std::to_string(1'000 + i)));
  }
  EXPECT_EQ(Run(parts), "400 InvalidInput at 99");
  EXPECT_EQ(MessageOf(Transaction(parts)),
            "The batch request operation exceeds the maximum 100 changes per "
            "change set.");

  parts.pop_back();
  const auto answer = host_.Do(Transaction(parts));
  ASSERT_EQ(Outcome(answer), "202");
  EXPECT_EQ(answer->parts.size(), 100U);
  EXPECT_EQ(Rows().size(), 100U);
}

// Cases 444 to 446.
TEST_F(TransactionTest, KeepsToOneTableOnePartitionAndEachEntityOnce) {
  Given(NewTable("Other"));

  EXPECT_EQ(Run({InsertRow("1"), Insert("Tab", EntityBody("q", "1"))}),
            "400 CommandsInBatchActOnDifferentPartitions at 1");
  EXPECT_EQ(Run({InsertRow("1"), InsertRow("2"),
                 Insert("Other", EntityBody("p", "3"))}),
            "400 CommandsInBatchActOnDifferentPartitions at 2");
  EXPECT_EQ(Run({InsertRow("1"), Merge("Tab", "p", "1", "{}")}),
            "400 InvalidDuplicateRow at 1");
  EXPECT_EQ(Run({InsertRow("1"), InsertRow("2"), Delete("Tab", "p", "1")}),
            "400 InvalidDuplicateRow at 2");
  EXPECT_EQ(Run({InsertRow("1"), Insert("TAB", EntityBody("p", "2"))}), "202");

  EXPECT_EQ(MessageOf(Transaction(
                {InsertRow("3"), Insert("Tab", EntityBody("q", "1"))})),
            "All commands in a batch must operate on same entity group.");
  EXPECT_EQ(MessageOf(Transaction({InsertRow("3"), InsertRow("3")})),
            "The batch request contains multiple changes with same row key. An "
            "entity can appear only once in a batch request.");
}

// Cases 452 to 456.
TEST_F(TransactionTest, NamesTheOperationThatBreaksARule) {
  EXPECT_EQ(Run({Insert("Nope", EntityBody("p", "1"))}),
            "404 TableNotFound at 0");
  EXPECT_EQ(Run({Insert("Tab", R"({"PartitionKey":"p"})")}),
            "400 PropertiesNeedValue at 0");
  EXPECT_EQ(Run({InsertRow("a#b")}), "400 OutOfRangeInput at 0");
  EXPECT_EQ(Run({InsertRow("1", "\"S\":\"" + std::string(65'536, 's') + "\"")}),
            "400 PropertyValueTooLarge at 0");
  EXPECT_EQ(Run({Merge("Tab", "p", "a/b", "{}")}), "400 InvalidInput at 0");
  EXPECT_EQ(MessageOf(Transaction({Merge("Tab", "p", "a/b", "{}")})),
            "Bad Request - Error in query syntax.");
  EXPECT_EQ(Run({InsertRow("1"), Insert("Tab", "[]")}),
            "400 InvalidInput at 1");
  EXPECT_EQ(Run({InsertRow("1"), Delete("Tab", "p", "2", {})}),
            "400 InvalidInput at 1");
  EXPECT_EQ(Run({InsertRow("1"), Replace("Tab", "p", "\xFF", "{}")}),
            "400 InvalidInput at 1");
}

// Operations of the spec, 2.12, rule 12: an operation that no data can help
// outranks one that the data refuses.
TEST_F(TransactionTest, ChecksAllOperationsBeforeItReadsData) {
  GivenRow("1");

  EXPECT_EQ(Run({InsertRow("1"), InsertRow("2"), InsertRow("2")}),
            "400 InvalidDuplicateRow at 2");
  EXPECT_EQ(Run({Insert("Nope", EntityBody("p", "1")), Insert("Nope", "!")}),
            "400 InvalidInput at 1");
}

// Case 459; operations of the spec, 2.12, rule 2.
TEST_F(TransactionTest, HoldsWritesOfEntitiesOnly) {
  for (const auto& other :
       {Get("Tab", "p", "1"), Query("Tab"), NewTable("Shops"), DropTable("Tab"),
        FindTable("Tab"), ListTables(), Transaction({})}) {
    EXPECT_EQ(Run({InsertRow("1"), other}), "400 InvalidInput at 1");
    EXPECT_EQ(Run({other}), "400 InvalidInput at 0");
  }
}

// Case 462.
TEST_F(TransactionTest, MayBeEmpty) {
  const auto answer = host_.Do(Transaction({}));

  ASSERT_EQ(Outcome(answer), "202");
  EXPECT_TRUE(answer->parts.empty());
}

// Case 463.
TEST_F(TransactionTest, LimitsTheSizeOfAllBodiesTogether) {
  std::vector<OwnedOperation> parts;
  for (int i = 0; i < 5; ++i) {
    parts.push_back(InsertRow(std::to_string(i)));
    parts.back().body.insert(0, std::size_t{1} << 20, ' ');
  }

  EXPECT_EQ(Run(parts), "413 RequestBodyTooLarge");
  parts.resize(3);
  EXPECT_EQ(Run(parts), "202");
}

// Case 476.
TEST_F(TransactionTest, IsSeenAsAWholeOrNotAtAll) {
  const RequestId request =
      host_.Submit(Transaction({InsertRow("1"), InsertRow("2")}));

  for (;;) {
    const Step wish = host_.NextWish();
    MemoryHost reader(host_.shared_storage());
    const std::size_t seen = RowKeysOf(reader, Query("Tab")).size();
    EXPECT_TRUE(seen == 0 || seen == 2) << seen;
    if (const auto* read = std::get_if<Read>(&wish)) {
      host_.Fulfil(*read);
    } else if (const auto* commit = std::get_if<Commit>(&wish)) {
      EXPECT_EQ(seen, 0U);
      host_.Fulfil(*commit);
    } else {
      break;
    }
  }

  EXPECT_EQ(Outcome(host_.Await(request)), "202");
  EXPECT_EQ(Rows(), (Keys{"1", "2"}));
}

TEST_F(TransactionTest, SeesWhatEarlierRequestsOfTheSameCommitDid) {
  const RequestId first = host_.Submit(InsertRow("1"));
  const RequestId second =
      host_.Submit(Transaction({InsertRow("2"), Delete("Tab", "p", "1")}));
  const RequestId third = host_.Submit(Transaction({InsertRow("2")}));

  EXPECT_EQ(Outcome(host_.Await(first)), "201");
  EXPECT_EQ(Outcome(host_.Await(second)), "202");
  EXPECT_EQ(Outcome(host_.Await(third)), "409 EntityAlreadyExists at 0");
  EXPECT_EQ(Rows(), Keys{"2"});
}

}  // namespace
}  // namespace entitable
