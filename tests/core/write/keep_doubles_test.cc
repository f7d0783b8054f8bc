// Numbers of hosts in which 5.0 and 5 are the same:
// docs/internals/frames.md, "Keep Doubles".

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

#include "support/engine_test.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

constexpr char kTypedA[] = R"("A@odata.type":"Edm.Int32","A":5)";

class KeepDoublesTest : public EngineTest {
 protected:
  // Entities `d` and `i`, whose A is a Double or an Int32.
  void SetUp() override {
    Given(NewTable("Pets"));
    Given(Insert("Pets", EntityBody("p", "d", R"("A":1.5,"B":1)")));
    Given(Insert("Pets", EntityBody("p", "i", R"("A":1,"B":2.5)")));
  }

  static OwnedOperation Keep(OwnedOperation operation) {
    operation.keeps_doubles = true;
    return operation;
  }
  static OwnedOperation Importing(const std::string& input, ImportMode mode) {
    return Keep(
        Import("Pets", input, {.mode = mode, .begins = true, .ends = true}));
  }
  std::string A(const std::string& row_key) {
    return Stored("Pets", "p", row_key);
  }
};

TEST_F(KeepDoublesTest, AMergeKeepsTheStoredType) {
  Given(Keep(Merge("Pets", "p", "d", R"({"A":5})")));
  Given(Keep(Merge("Pets", "p", "i", R"({"A":5})")));

  EXPECT_EQ(A("d"), R"("A":5.0,"B":1)");
  EXPECT_EQ(A("i"), R"("A":5,"B":2.5)");
}

TEST_F(KeepDoublesTest, AReplaceKeepsTheStoredType) {
  Given(Keep(Replace("Pets", "p", "d", R"({"A":5,"B":6,"C":7})")));
  Given(
      Keep(Replace("Pets", "p", "i", R"({"A":5,"B":-6})", {.if_match = "*"})));
  Given(Keep(Replace("Pets", "p", "new", R"({"A":5})")));

  EXPECT_EQ(A("d"), R"("A":5.0,"B":6,"C":7)");
  EXPECT_EQ(A("i"), R"("A":5,"B":-6.0)");
  EXPECT_EQ(A("new"), R"("A":5)");
}

TEST_F(KeepDoublesTest, ATypeThatIsGivenHolds) {
  const std::string body = std::string("{") + kTypedA + R"(,"C":1})";
  Given(Keep(Merge("Pets", "p", "d", body)));
  EXPECT_EQ(A("d"), R"("A":5,"B":1,"C":1)");
  Given(Keep(Merge("Pets", "p", "i", R"({"B":"text"})")));
  EXPECT_EQ(A("i"), R"("A":1,"B":"text")");
  Given(
      Keep(Merge("Pets", "p", "i", R"({"B@odata.type":"Edm.Int64","B":"7"})")));
  EXPECT_EQ(A("i"), R"("A":1,"B@odata.type":"Edm.Int64","B":"7")");
}

TEST_F(KeepDoublesTest, OthersWriteAsInTheService) {
  Given(Merge("Pets", "p", "d", R"({"A":5})"));
  EXPECT_EQ(A("d"), R"("A":5,"B":1)");
  Given(Replace("Pets", "p", "i", R"({"B":5})"));
  EXPECT_EQ(A("i"), R"("B":5)");
}

TEST_F(KeepDoublesTest, ATransactionKeepsTheStoredTypes) {
  Given(Transaction({Keep(Merge("Pets", "p", "d", R"({"A":5})")),
                     Keep(Replace("Pets", "p", "i", R"({"A":5,"B":6})"))}));

  EXPECT_EQ(A("d"), R"("A":5.0,"B":1)");
  EXPECT_EQ(A("i"), R"("A":5,"B":6.0)");
}

// The second entity of a key meets the first.
TEST_F(KeepDoublesTest, AnImportKeepsTheStoredTypes) {
  const std::string input =
      EntityBody("p", "d", R"("A":5)") + EntityBody("p", "i", R"("B":6)") +
      EntityBody("p", "n", R"("A":0.5)") + EntityBody("p", "n", R"("A":7)") +
      EntityBody("p", "t", R"("A":0.5)") + EntityBody("p", "t", kTypedA);

  Given(Importing(input, ImportMode::kReplace));
  EXPECT_EQ(A("d"), R"("A":5.0)");
  EXPECT_EQ(A("i"), R"("B":6.0)");
  EXPECT_EQ(A("n"), R"("A":7.0)");
  EXPECT_EQ(A("t"), R"("A":5)");
  Given(Importing(EntityBody("p", "d", R"("A":8,"B":9)"), ImportMode::kMerge));
  EXPECT_EQ(A("d"), R"("A":8.0,"B":9)");
  EXPECT_EQ(Outcome(host_.Do(Importing(EntityBody("p", "d", R"("A":8)"),
                                       ImportMode::kInsert))),
            "409 EntityAlreadyExists at 0");
}

// --------------------------------------------------------- entities in pages

class KeepDoublesInPagesTest : public KeepDoublesTest {
 protected:
  static constexpr int kRows = 60;

  void SetUp() override {
    Do(NewTable("Pets"));
    for (int i = 100; i < 100 + kRows; ++i) {
      Do(Insert("Pets", Row(i, R"("A":1.5)")));
    }
    pages_.Run();
    pages_.Restart();
    Do(FindTable("Pets"));
  }

  static std::string Row(int i, const std::string& members) {
    return EntityBody("p", std::to_string(i), members);
  }
  void Do(const OwnedOperation& operation) {
    const auto answer = pages_.Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }
  std::string Find(const std::string& row_key) {
    return Body(pages_.Do(Get("Pets", "p", row_key)));
  }

  // How many values the operation reads until it commits.
  std::size_t ValuesReadBy(const OwnedOperation& operation) {
    const RequestId request = pages_.Submit(operation);
    std::size_t values = 0;
    for (;;) {
      const Step step = pages_.NextWish();
      if (const auto* read = std::get_if<Read>(&step)) {
        for (const ValueKey& key : read->keys) {
          values += key.kind == ValueKey::Kind::kPage ? 1 : 0;
        }
        pages_.Fulfil(*read);
      } else if (const auto* commit = std::get_if<Commit>(&step)) {
        pages_.Fulfil(*commit);
        const auto answer = pages_.Await(request);
        EXPECT_TRUE(answer.has_value()) << Outcome(answer);
        return values;
      } else {
        ADD_FAILURE() << "The operation commits nothing.";
        return values;
      }
    }
  }

  MemoryHost pages_{std::make_shared<MemoryStorage>(), Profile::kDefault,
                    StoreLimits{.flush_bytes = std::size_t{1} << 20,
                                .flush_records = 3,
                                .page_bytes = 300,
                                .step_pages = 3,
                                .import_bytes = 400}};
};

// The third write would begin background work, which reads pages, too.
TEST_F(KeepDoublesInPagesTest, AReplaceWithoutPlainNumbersLooksNothingUp) {
  EXPECT_EQ(ValuesReadBy(Keep(Replace("Pets", "p", "110", R"({"A":0.5})"))),
            0U);
  EXPECT_EQ(ValuesReadBy(Keep(
                Replace("Pets", "p", "120", std::string("{") + kTypedA + "}"))),
            0U);
}

TEST_F(KeepDoublesInPagesTest, AReplaceThatKeepsDoublesLooksThemUp) {
  EXPECT_EQ(ValuesReadBy(Replace("Pets", "p", "125", R"({"A":5})")), 0U);
  EXPECT_GT(ValuesReadBy(Keep(Replace("Pets", "p", "130", R"({"A":5})"))), 0U);
  EXPECT_TRUE(Find("130").contains(R"("A":5.0)")) << Find("130");
}

TEST_F(KeepDoublesInPagesTest, AnImportOfManyStepsLooksUpWhatItReplaces) {
  std::string input;
  for (int i = 90; i < 110 + kRows; ++i) {
    input += Row(i, i % 3 == 0   ? R"("A":5)"
                    : i % 3 == 1 ? R"("A":0.5)"
                                 : R"("A":"text")");
  }
  Do(Importing(input, ImportMode::kReplace));
  for (int i = 90; i < 110 + kRows; ++i) {
    const bool was_there = i >= 100 && i < 100 + kRows;
    const std::string expected = i % 3 == 0
                                     ? was_there ? R"("A":5.0)" : R"("A":5})"
                                 : i % 3 == 1 ? R"("A":0.5)"
                                              : R"("A":"text")";
    const std::string found = Find(std::to_string(i));
    EXPECT_TRUE(found.contains(expected)) << i << " " << found;
  }
}

}  // namespace
}  // namespace entitable
