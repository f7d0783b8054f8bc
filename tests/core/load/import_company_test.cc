// Imports beside other writes, other engines and changes of the table.

#include <gtest/gtest.h>

#include <string>

#include "support/imported_rows.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

using ImportCompanyTest = ImportTest;

// What the log says of a key hides what is in pages: an import must not be
// hidden, and what is written after it must hide it.
TEST_F(ImportCompanyTest, IsNewerThanTheLogBeforeItAndOlderThanTheLogAfterIt) {
  Given(host_, Insert("Tab", EntityBody("p", "k03", R"("N":-1)")));
  DoImport(LinesOf(Numbered(0, 9)), ImportMode::kReplace);
  Given(host_, Replace("Tab", "p", "k05", R"({"N":-2})"));

  State expected = After({}, Numbered(0, 9), 9, ImportMode::kReplace);
  expected["k05"] = {{"N", -2}};
  EXPECT_EQ(Stored(), expected);
  for (int i = 0; i < 20; ++i) {
    Given(host_, Replace("Tab", "p", "other", R"({"N":0})"));
  }
  expected["other"] = {{"N", 0}};
  EXPECT_EQ(Stored(), expected);
}

// A tab that reads pages finds a manifest that belongs to a record it does not
// know yet: it must not see half of the step.
TEST_F(ImportCompanyTest, IsSeenByOtherTabsAsAWholeOrNotAtAll) {
  StoreLimits limits = kTiny;
  limits.cache_bytes = 0;
  limits.flush_records = 1000;
  MemoryHost writer(storage_, Profile::kDefault, limits);
  MemoryHost reader(storage_, Profile::kDefault, limits);
  Given(writer, Import("Tab", LinesOf(Numbered(0, 12))));
  // The row is in the log, so the import puts it there, too.
  Given(writer, Replace("Tab", "p", "k01", R"({"N":-1})"));
  Given(reader, Get("Tab", "p", "k00"));

  Rows rows = Numbered(0, 4);
  for (ImportedRow& row : rows) row.members["N"] += 1000;
  Given(writer,
        Import("Tab", LinesOf(rows),
               {.mode = ImportMode::kReplace, .begins = true, .ends = true}));

  const std::string seen =
      Body(reader.Do(Query("Tab", {.level = MetadataLevel::kNone,
                                   .filter = "RowKey lt 'k04'",
                                   .select = "N"})));
  EXPECT_TRUE(seen == R"({"value":[{"N":0},{"N":-1},{"N":2},{"N":3}]})" ||
              seen ==
                  R"({"value":[{"N":1000},{"N":1001},{"N":1002},{"N":1003}]})")
      << seen;
}

TEST_F(ImportCompanyTest, TakesTurnsWithOtherWrites) {
  host_.Submit(Import("Tab", LinesOf(Numbered(0, 20)), {.begins = true}));
  const RequestId part =
      host_.Submit(Import("Tab", LinesOf(Numbered(20, 20)), {}));
  const RequestId write = host_.Submit(Insert("Tab", EntityBody("p", "a")));
  // It waits for the step that is under way, and not for the next one.
  for (int commits = 0; commits < 2;) {
    const Step wish = host_.NextWish();
    if (const auto* read = std::get_if<Read>(&wish)) {
      host_.Fulfil(*read);
    } else {
      host_.Fulfil(std::get<Commit>(wish));
      ++commits;
    }
  }
  EXPECT_TRUE(Stored().contains("a"));
  EXPECT_FALSE(Stored().contains("k20"));
  EXPECT_EQ(Outcome(host_.Await(write)), "201");
  EXPECT_EQ(Outcome(host_.Await(part)), "202");
}

TEST_F(ImportCompanyTest, MakesNoMoreStepsWhenAbandoned) {
  const Rows rows = Numbered(0, 20);
  host_.Submit(Import("Tab", LinesOf(rows), {.begins = true}));
  const RequestId part =
      host_.Submit(Import("Tab", LinesOf(Numbered(20, 20)), {}));
  Step wish = host_.NextWish();
  while (const auto* read = std::get_if<Read>(&wish)) {
    host_.Fulfil(*read);
    wish = host_.NextWish();
  }
  const RequestId end = host_.Submit(Import("Tab", "", {.abandons = true}));
  host_.Fulfil(std::get<Commit>(wish));

  EXPECT_EQ(Body(host_.Await(part)), "{\"read\":40,\"stored\":20}");
  EXPECT_EQ(Body(host_.Await(end)), "{\"read\":40,\"stored\":20}");
  EXPECT_EQ(Stored(), After({}, rows, 20, ImportMode::kInsert));
  // It has ended: there is nothing to abandon, and the number is free.
  EXPECT_EQ(Outcome(host_.Do(Import("Tab", "", {.abandons = true}))),
            "400 InvalidInput");
  EXPECT_EQ(Outcome(host_.Do(Import("Tab", ""))), "202");
}

TEST_F(ImportCompanyTest, RefusesPartsThatDoNotFit) {
  EXPECT_EQ(Outcome(host_.Do(Import("Tab", "", {}))), "400 InvalidInput");
  Given(host_, Import("Tab", "", {.begins = true}));
  EXPECT_EQ(Outcome(host_.Do(Import("Tab", "", {.begins = true}))),
            "400 InvalidInput");
  EXPECT_EQ(
      Outcome(host_.Do(Import("T\xFF", "", {.import = 2, .begins = true}))),
      "400 InvalidInput");
  OwnedOperation none = Import("Tab", "");
  none.import_part.reset();
  EXPECT_EQ(Outcome(host_.Do(none)), "400 InvalidInput");
}

TEST_F(ImportCompanyTest, StopsInATableThatWasCreatedAgain) {
  Given(host_, Import("Tab", LinesOf(Numbered(0, 20)), {.begins = true}));
  ASSERT_FALSE(Stored().empty());
  Given(host_, DropTable("Tab"));
  Given(host_, NewTable("Tab"));

  const auto answer =
      host_.Do(Import("Tab", LinesOf(Numbered(20, 20)), {.ends = true}));
  EXPECT_EQ(Outcome(answer).substr(0, 17), "404 TableNotFound");
  EXPECT_TRUE(Stored().empty());
}

}  // namespace
}  // namespace entitable
