// Transactions of the account: what they read, what counts as a change of it,
// and that they are stored as a whole.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

constexpr char kConflict[] = "409 TransactionConflict";

// As a host keeps one.
class OpenTransaction {
 public:
  explicit OpenTransaction(MemoryHost& host) : host_(&host) {}

  // The answer to a read.
  Result<Response> Read(OwnedOperation read) {
    read.with.position = position_;
    read.with.ranges = ranges_;
    read.parts = writes_;
    auto answer = host_->Do(read);
    if (answer) {
      position_ = answer->position;
      ranges_ += answer->ranges;
    }
    return answer;
  }

  OpenTransaction& Write(OwnedOperation write) {
    writes_.push_back(std::move(write));
    return *this;
  }

  OwnedOperation End() const {
    return AccountTransaction(writes_, position_, ranges_);
  }

  std::optional<std::uint64_t> position() const { return position_; }
  const std::string& ranges() const { return ranges_; }

 private:
  MemoryHost* host_;
  std::optional<std::uint64_t> position_;
  std::string ranges_;
  std::vector<OwnedOperation> writes_;
};

OwnedOperation Row(const std::string& table, const std::string& row_key,
                   std::string_view members = "") {
  return Insert(table, EntityBody("p", row_key, members));
}

class AccountTransactionTest : public EngineTest {
 protected:
  void SetUp() override {
    Given(NewTable("Tab"));
    Given(NewTable("Other"));
    for (const char* row : {"b", "d"}) Given(Row("Tab", row, R"("A":1)"));
  }

  // That end of a transaction that has read what `read` reads, if something was
  // done in between.
  std::string After(const OwnedOperation& read,
                    const std::vector<OwnedOperation>& done) {
    OpenTransaction transaction(host_);
    EXPECT_LT(Outcome(transaction.Read(read)), "405");
    for (const OwnedOperation& one : done) Given(one);
    transaction.Write(Merge("Other", "p", "mark", R"({"B":1})"));
    return Do(transaction.End());
  }

  OpenTransaction Begin() { return OpenTransaction(host_); }
};

// -------------------------------------------------------------------- writing

TEST_F(AccountTransactionTest, StoresWritesOfSeveralTablesAndPartitions) {
  auto transaction = Begin();
  transaction.Write(Row("Tab", "x", R"("A":1)"))
      .Write(Insert("Other", EntityBody("q", "y", R"("A":2)")))
      .Write(Merge("Tab", "p", "b", R"({"C":3})", {.if_match = "*"}))
      .Write(Delete("Tab", "p", "d"));

  const auto answer = host_.Do(transaction.End());

  ASSERT_EQ(Outcome(answer), "202");
  EXPECT_EQ(RowKeysOf(host_, Query("Tab")), (Keys{"b", "x"}));
  EXPECT_EQ(Stored("Tab", "p", "b"), R"("A":1,"C":3)");
  EXPECT_EQ(Stored("Other", "q", "y"), R"("A":2)");
  for (const auto& get :
       {Get("Tab", "p", "x"), Get("Other", "q", "y"), Get("Tab", "p", "b")}) {
    EXPECT_EQ(EtagOf(get), answer->etag);
  }
}

TEST_F(AccountTransactionTest, IsOneRecordOfTheLog) {
  const std::size_t values = host_.storage().values().size();
  auto transaction = Begin();
  for (int i = 0; i < 300; ++i) {
    transaction.Write(Insert(
        i % 2 == 0 ? "Tab" : "Other",
        EntityBody("p" + std::to_string(i % 7), "r" + std::to_string(i))));
  }

  ASSERT_EQ(Do(transaction.End()), "202");

  EXPECT_EQ(host_.storage().values().size(), values + 1);
}

TEST_F(AccountTransactionTest, StoresNothingIfOneWriteFails) {
  const auto with = [this](OwnedOperation last) {
    auto transaction = Begin();
    transaction.Write(Row("Other", "x")).Write(Row("Tab", "x"));
    return Do(transaction.Write(std::move(last)).End());
  };

  EXPECT_EQ(with(Row("Tab", "b")), "409 EntityAlreadyExists");
  EXPECT_EQ(with(Delete("Tab", "p", "no")), "404 ResourceNotFound");
  EXPECT_EQ(with(Merge("Tab", "p", "b", "{}", {.if_match = "W/\"x\""})),
            "412 UpdateConditionNotSatisfied");
  EXPECT_EQ(with(Row("Missing", "x")), "404 TableNotFound");
  EXPECT_EQ(with(Row("Tab", "a/b")), "400 OutOfRangeInput");
  EXPECT_EQ(RowKeysOf(host_, Query("Tab")), (Keys{"b", "d"}));
  EXPECT_EQ(RowKeysOf(host_, Query("Other")), Keys());
}

TEST_F(AccountTransactionTest, EachWriteSeesThoseBeforeIt) {
  auto transaction = Begin();
  transaction.Write(Row("Tab", "x", R"("A":1)"))
      .Write(Merge("Tab", "p", "x", R"({"B":2})", {.if_match = "*"}))
      .Write(Delete("Tab", "p", "b"))
      .Write(Row("Tab", "b", R"("C":3)"))
      .Write(Row("Tab", "gone"))
      .Write(Delete("Tab", "p", "gone"));

  ASSERT_EQ(Do(transaction.End()), "202");

  EXPECT_EQ(Stored("Tab", "p", "x"), R"("A":1,"B":2)");
  EXPECT_EQ(Stored("Tab", "p", "b"), R"("C":3)");
  EXPECT_EQ(RowKeysOf(host_, Query("Tab")), (Keys{"b", "d", "x"}));
  transaction.Write(Row("Tab", "d"));
  EXPECT_EQ(Do(transaction.End()), "409 EntityAlreadyExists");
}

TEST_F(AccountTransactionTest, KeepsIndexes) {
  Given(SetIndexes("Tab", "A"));
  auto transaction = Begin();
  transaction.Write(Row("Tab", "x", R"("A":7)"))
      .Write(Merge("Tab", "p", "x", R"({"A":8})", {.if_match = "*"}))
      .Write(Merge("Tab", "p", "b", R"({"A":8})", {.if_match = "*"}));

  ASSERT_EQ(Do(transaction.End()), "202");

  EXPECT_NE(Body(host_.Do(Count("Tab", "A eq 8"))).find(R"("access":"index")"),
            std::string::npos);
  EXPECT_EQ(RowKeysOf(host_, Query("Tab", {.filter = "A eq 8"})),
            (Keys{"b", "x"}));
  EXPECT_EQ(RowKeysOf(host_, Query("Tab", {.filter = "A eq 7"})), Keys());
}

TEST_F(AccountTransactionTest, TakesFourMebibytesAndSaysWhatIsTooMuch) {
  const std::string text = "\"T\":\"" + std::string(30'000, 'x') + "\"";
  const auto of_rows = [&](int rows) {
    auto transaction = Begin();
    for (int i = 0; i < rows; ++i) {
      transaction.Write(Row("Tab", "r" + std::to_string(i), text));
    }
    return transaction.End();
  };

  EXPECT_EQ(Do(of_rows(140)), "202");
  Given(DropTable("Tab"));
  Given(NewTable("Tab"));
  EXPECT_EQ(Do(of_rows(290)), "413 RequestBodyTooLarge");
  const std::string message = MessageOf(of_rows(290));
  EXPECT_NE(message.find("8388608"), std::string::npos) << message;
  EXPECT_NE(message.find("Use several transactions."), std::string::npos);
}

TEST_F(AccountTransactionTest, RefusesReadsThatAreNone) {
  EXPECT_EQ(Do(AccountTransaction({Row("Tab", "x")}, 1, "no ranges")),
            "400 InvalidInput");
}

// --------------------------------------------------------- what is a conflict

TEST_F(AccountTransactionTest, ConflictsIfARowItHasReadHasChanged) {
  const auto read = Get("Tab", "p", "b");
  const auto missing = Get("Tab", "p", "c");

  EXPECT_EQ(After(read, {}), "202");
  EXPECT_EQ(After(read, {Merge("Tab", "p", "b", R"({"A":2})")}), kConflict);
  EXPECT_EQ(After(read, {Merge("Tab", "p", "d", R"({"A":2})")}), "202");
  EXPECT_EQ(After(read, {Row("Tab", "c")}), "202");
  EXPECT_EQ(After(missing, {Merge("Tab", "p", "c", R"({"A":2})")}), kConflict);
  EXPECT_EQ(After(read, {Delete("Tab", "p", "b")}), kConflict);
  EXPECT_EQ(After(missing, {Delete("Tab", "p", "c")}), kConflict);
  EXPECT_EQ(After(missing, {Row("Other", "c")}), "202");
}

TEST_F(AccountTransactionTest, ConflictsIfARangeItHasListedHasChanged) {
  const auto list =
      Query("Tab", {.filter = "PartitionKey eq 'p' and RowKey ge 'b' and "
                              "RowKey lt 'd' and A eq 5"});
  const auto ordered = Ordered("Tab", "A", {.filter = "PartitionKey eq 'q'"});
  const auto all = Query("Tab", {.filter = "A eq 5", .top = "1"});

  EXPECT_EQ(After(list, {}), "202");
  EXPECT_EQ(After(list, {Row("Tab", "a")}), "202");
  EXPECT_EQ(After(list, {Merge("Tab", "p", "d", R"({"A":5})")}), "202");
  EXPECT_EQ(After(list, {Row("Tab", "c")}), kConflict);
  EXPECT_EQ(After(list, {Delete("Tab", "p", "b")}), kConflict);
  EXPECT_EQ(After(ordered, {Row("Tab", "e")}), "202");
  EXPECT_EQ(After(ordered, {Insert("Tab", EntityBody("q", "1"))}), kConflict);
  EXPECT_EQ(After(all, {Row("Other", "e")}), "202");
  EXPECT_EQ(After(all, {Insert("Tab", EntityBody("z", "1"))}), kConflict);
}

TEST_F(AccountTransactionTest, ConflictsIfMoreThanRowsOfATableHasChanged) {
  const auto read = Get("Tab", "p", "b");
  const auto other = Get("Other", "p", "b");

  EXPECT_EQ(After(read, {DropTable("Tab")}), kConflict);
  EXPECT_EQ(After(other, {NewTable("Tab")}), "202");
  EXPECT_EQ(After(read, {DropTable("Tab"), NewTable("Tab")}), kConflict);
  std::string lines;
  for (int i = 0; i < 3'000; ++i) {
    lines += EntityBody("z", "r" + std::to_string(i)) + "\n";
  }
  EXPECT_EQ(After(other, {Import("Tab", lines)}), "202");
  EXPECT_EQ(
      After(read, {DropTable("Tab"), NewTable("Tab"), Import("Tab", lines)}),
      kConflict);
  // Nobody has changed a row, but an index is none of what was read.
  EXPECT_EQ(After(read, {SetIndexes("Tab", "A")}), "202");
}

TEST_F(AccountTransactionTest, ConflictsIfChangesAreTooOldToBeKnown) {
  std::vector<OwnedOperation> many;
  for (int i = 0; i < 40; ++i) {
    std::vector<OwnedOperation> parts;
    for (int n = 0; n < 100; ++n) {
      parts.push_back(Merge("Tab", "a-partition-with-a-long-name",
                            std::to_string(100 * i + n), "{}"));
    }
    many.push_back(Transaction(std::move(parts)));
  }

  EXPECT_EQ(After(Get("Tab", "p", "b"), many), kConflict);
  // Those of other tables are no matter.
  EXPECT_EQ(After(Get("Other", "p", "b"), many), "202");
}

TEST_F(AccountTransactionTest, ConflictsWithWritesOfTheSameGroup) {
  auto reader = Begin();
  ASSERT_TRUE(reader.Read(Get("Tab", "p", "b")));
  ASSERT_TRUE(reader.Read(Get("Other", "p", "x")));
  const auto mark = [](int i) {
    return Merge("Other", "p", std::to_string(i), "{}");
  };
  const auto beside = [&](const OwnedOperation& other, int i) {
    auto transaction = reader;
    transaction.Write(mark(i));
    const RequestId first = host_.Submit(other);
    const RequestId second = host_.Submit(transaction.End());
    EXPECT_LT(Outcome(host_.Await(first)), "3");
    return Outcome(host_.Await(second));
  };

  EXPECT_EQ(beside(Merge("Tab", "p", "d", "{}"), 1), "202");
  EXPECT_EQ(beside(Merge("Tab", "p", "b", "{}"), 2), kConflict);
  reader = Begin();
  ASSERT_TRUE(reader.Read(Get("Tab", "p", "b")));
  EXPECT_EQ(beside(DropTable("Tab"), 3), kConflict);
}

// Two that have read the same, and each writes what it has read.
TEST_F(AccountTransactionTest, OfTwoThatWouldCrossOnlyOneIsStored) {
  auto first = Begin();
  auto second = Begin();
  for (auto* one : {&first, &second}) {
    ASSERT_TRUE(one->Read(Get("Tab", "p", "b")));
    ASSERT_TRUE(one->Read(Get("Tab", "p", "d")));
  }
  first.Write(Merge("Tab", "p", "b", R"({"A":2})"));
  second.Write(Merge("Tab", "p", "d", R"({"A":2})"));

  const RequestId a = host_.Submit(first.End());
  const RequestId b = host_.Submit(second.End());

  EXPECT_EQ(Outcome(host_.Await(a)), "202");
  EXPECT_EQ(Outcome(host_.Await(b)), kConflict);
}

TEST_F(AccountTransactionTest, ConflictsWithWritesOfOtherEngines) {
  MemoryHost other(host_.shared_storage());
  auto transaction = Begin();
  ASSERT_TRUE(transaction.Read(Get("Tab", "p", "b")));
  ASSERT_TRUE(other.Do(Merge("Tab", "p", "b", R"({"A":9})")));
  auto unharmed = Begin();
  ASSERT_TRUE(unharmed.Read(Get("Tab", "p", "d")));

  transaction.Write(Merge("Tab", "p", "d", R"({"A":9})"));
  EXPECT_EQ(Outcome(host_.Do(transaction.End())), kConflict);
  EXPECT_EQ(Stored("Tab", "p", "d"), R"("A":1)");
  EXPECT_EQ(Do(unharmed.Write(Merge("Tab", "p", "d", "{}")).End()), "202");
}

// What it has read may be in pages by then.
TEST_F(AccountTransactionTest, OutlivesAFlush) {
  MemoryHost host(host_.shared_storage(), Profile::kDefault,
                  {.flush_bytes = 1, .flush_records = 1});
  OpenTransaction transaction(host);
  ASSERT_TRUE(transaction.Read(Get("Tab", "p", "b")));
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(host.Do(Merge("Tab", "p", "d", R"({"A":2})")));
    host.Run();
  }

  EXPECT_EQ(
      Outcome(host.Do(transaction.Write(Merge("Tab", "p", "b", "{}")).End())),
      "202");
}

TEST_F(AccountTransactionTest, ReadsButNotWritesOfAPositionToCome) {
  auto transaction = Begin();
  ASSERT_TRUE(transaction.Read(Get("Tab", "p", "b")));

  EXPECT_EQ(
      Do(AccountTransaction({Row("Tab", "x")}, *transaction.position() + 1,
                            transaction.ranges())),
      kConflict);
}

// -------------------------------------------------------------------- reading

TEST_F(AccountTransactionTest, AllReadsAreOfOneMoment) {
  auto transaction = Begin();
  ASSERT_EQ(Outcome(transaction.Read(Get("Tab", "p", "b"))), "200");
  Given(Merge("Tab", "p", "d", R"({"A":2})"));
  // It is read as it is now, and so is what was read before.
  ASSERT_EQ(Outcome(transaction.Read(Get("Tab", "p", "d"))), "200");
  Given(Merge("Tab", "p", "b", R"({"A":2})"));

  EXPECT_EQ(Outcome(transaction.Read(Get("Other", "p", "x"))), kConflict);
  EXPECT_EQ(Outcome(transaction.Read(Query("Tab"))), kConflict);
  // An error would be one of another moment.
  EXPECT_EQ(Outcome(transaction.Read(Get("Missing", "p", "x"))), kConflict);
}

TEST_F(AccountTransactionTest, AMissingEntityIsAnAnswer) {
  auto transaction = Begin();

  const auto answer = transaction.Read(Get("Tab", "p", "c"));

  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 404);
  EXPECT_TRUE(answer->position);
  EXPECT_NE(answer->ranges, "");
  EXPECT_EQ(Outcome(transaction.Read(Get("Missing", "p", "c"))),
            "404 TableNotFound");
}

TEST_F(AccountTransactionTest, AReadSeesTheWritesOfTheTransaction) {
  auto transaction = Begin();
  transaction.Write(Row("Tab", "a", R"("A":9)"))
      .Write(Delete("Tab", "p", "b"))
      .Write(Merge("Tab", "p", "d", R"({"A":5})", {.if_match = "*"}))
      .Write(Row("Tab", "e", R"("A":3)"));
  const auto rows = [&](OwnedOperation read) {
    return TextsOf("RowKey", Body(transaction.Read(std::move(read))));
  };

  EXPECT_EQ(rows(Query("Tab")), (Keys{"a", "d", "e"}));
  EXPECT_EQ(rows(Query("Tab", {.filter = "A ge 5"})), (Keys{"a", "d"}));
  EXPECT_EQ(rows(Query("Tab", {.filter = "A eq 1"})), Keys());
  EXPECT_EQ(rows(Ordered("Tab", "A desc")), (Keys{"a", "d", "e"}));
  EXPECT_EQ(rows(Ordered("Tab", "A", {.top = "2"})), (Keys{"e", "d"}));
  EXPECT_EQ(rows(Get("Tab", "p", "a")), (Keys{"a"}));
  EXPECT_EQ(Outcome(transaction.Read(Get("Tab", "p", "b"))), "404");
  // Nobody else does.
  EXPECT_EQ(RowKeysOf(host_, Query("Tab")), (Keys{"b", "d"}));
  EXPECT_EQ(Stored("Tab", "p", "d"), R"("A":1)");
  EXPECT_EQ(TextsOf("RowKey", Body(host_.Do(Ordered("Tab", "A desc")))),
            (Keys{"b", "d"}));
}

TEST_F(AccountTransactionTest, AReadByAnIndexSeesThemToo) {
  Given(SetIndexes("Tab", "A"));
  for (int i = 0; i < 50; ++i) Given(Row("Tab", "r" + std::to_string(i)));
  auto transaction = Begin();
  transaction.Write(Row("Tab", "a", R"("A":9)"))
      .Write(Merge("Tab", "p", "b", R"({"A":9})", {.if_match = "*"}))
      .Write(Delete("Tab", "p", "d"));
  const auto rows = [&](OwnedOperation read) {
    return TextsOf("RowKey", Body(transaction.Read(std::move(read))));
  };

  EXPECT_EQ(rows(Query("Tab", {.filter = "A eq 9"})), (Keys{"a", "b"}));
  EXPECT_EQ(rows(Query("Tab", {.filter = "A eq 1"})), Keys());
  EXPECT_EQ(RowKeysOf(host_, Query("Tab", {.filter = "A eq 1"})),
            (Keys{"b", "d"}));
}

TEST_F(AccountTransactionTest, AReadSaysWhatIsWrongWithAWrite) {
  auto transaction = Begin();
  transaction.Write(Row("Tab", "b"));

  EXPECT_EQ(Outcome(transaction.Read(Get("Tab", "p", "b"))),
            "409 EntityAlreadyExists");
}

// Rows in pages have to be fetched for writes and for reads.
TEST_F(AccountTransactionTest, ReadsAndWritesRowsInPages) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                  {.cache_bytes = 0,
                   .flush_bytes = 1,
                   .flush_records = 1,
                   .page_bytes = 256});
  ASSERT_TRUE(host.Do(NewTable("Tab")));
  const auto name = [](int i) { return "r" + std::to_string(100 + i); };
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(host.Do(Row("Tab", name(i), R"("A":1)")));
    host.Run();
  }
  OpenTransaction transaction(host);
  for (int i = 0; i < 60; i += 10) {
    transaction.Write(
        Merge("Tab", "p", name(i), R"({"B":2})", {.if_match = "*"}));
  }
  transaction.Write(Delete("Tab", "p", name(5)));

  const std::string body = Body(transaction.Read(Query("Tab")));
  EXPECT_EQ(TextsOf("RowKey", body).size(), 59U);
  EXPECT_EQ(NumbersOf("B", body).size(), 6U);
  EXPECT_EQ(TextsOf("RowKey", Body(host.Do(Query("Tab")))).size(), 60U);
  ASSERT_EQ(Outcome(host.Do(transaction.End())), "202");
  EXPECT_EQ(Body(host.Do(Query("Tab"))).size() > 0, true);
  EXPECT_EQ(NumbersOf("B", Body(host.Do(Query("Tab")))).size(), 6U);
}

// A list takes several slices, and others write between them.
TEST_F(AccountTransactionTest, AListOfSeveralSlicesIsOfOneMoment) {
  for (const std::uint64_t units : {1U, 10U, 50U}) {
    SCOPED_TRACE(units);
    MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault, {},
                    {.slice_units = units});
    ASSERT_TRUE(host.Do(NewTable("Tab")));
    ASSERT_TRUE(host.Do(NewTable("Other")));
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(host.Do(Row("Tab", std::to_string(1'000 + i))));
    }
    const auto during = [&](const OwnedOperation& write) {
      OwnedOperation read = Query("Tab");
      read.with.ranges = "";
      read.parts = {Row("Tab", "0"), Row("Tab", "9")};
      const RequestId list = host.Submit(read);
      const RequestId other = host.Submit(write);
      EXPECT_LT(Outcome(host.Await(other)), "3");
      const auto answer = host.Await(list);
      return answer ? std::to_string(TextsOf("RowKey", answer->body).size())
                    : Outcome(answer);
    };

    EXPECT_EQ(during(Row("Other", "x")), "302");
    EXPECT_EQ(during(Row("Tab", "5000")), kConflict);
  }
}

}  // namespace
}  // namespace entitable
