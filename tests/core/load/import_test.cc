// Imports: engine.h, ImportPart; docs/internals/store-protocol.md, "Bulk load".

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/imported_rows.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

TEST_F(ImportTest, NamesTheKeysOfTheEntityAtFault) {
  EXPECT_EQ(DoImport(EntityBody("p", "stored")), "{\"read\":1,\"stored\":1}");
  const struct {
    std::string faulty;
    std::vector<std::string> keys;
  } kCases[] = {
      {EntityBody("p", "stored"), {"p", "stored"}},
      {EntityBody("", "", R"("A@odata.type":"Edm.Int64","A":"x")"), {"", ""}},
      {EntityBody("p", "a/b"), {}},
      {"{", {}},
  };
  std::string good = "a";
  for (const auto& [faulty, keys] : kCases) {
    SCOPED_TRACE(faulty);
    const auto answer =
        ImportInParts(host_, EntityBody("p", good += 'a') + "\n" + faulty, 64,
                      ImportMode::kInsert);
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().operation, 1);
    EXPECT_EQ(answer.error().entity_keys, keys);
  }
}

// ------------------------------------------------------------------- sources

TEST_F(ImportTest, LoadsAnArrayAndLines) {
  EXPECT_EQ(DoImport(ArrayOf(Numbered(0, 20))), "{\"read\":20,\"stored\":20}");
  EXPECT_EQ(DoImport(LinesOf(Numbered(20, 20))), "{\"read\":20,\"stored\":20}");

  EXPECT_EQ(Stored(), After({}, Numbered(0, 40), 40, ImportMode::kInsert));
}

TEST_F(ImportTest, LoadsNothingOfEmptyInput) {
  for (const char* input :
       {"", " \n", "[]", "\xEF\xBB\xBF", "\xEF\xBB\xBF[ ]\n"}) {
    EXPECT_EQ(DoImport(input), "{\"read\":0,\"stored\":0}") << input;
  }
}

TEST_F(ImportTest, TakesInputThatIsCutAnywhere) {
  // With escapes, braces in strings, and characters of several bytes.
  const std::string kBodies[] = {
      R"({"PartitionKey":"p","RowKey":"a\"}","T":"{[\\"})",
      "{\"PartitionKey\":\"p\",\"RowKey\":\"\xF0\x9F\x98\x80\",\"T\":1.5e-3}"};
  const std::string kInputs[] = {
      "\xEF\xBB\xBF[" + kBodies[0] + " ,\r\n" + kBodies[1] + "] ",
      kBodies[0] + "\n" + kBodies[1]};
  std::string whole;
  for (const std::string& input : kInputs) {
    for (std::size_t cut = 0; cut <= input.size(); ++cut) {
      MemoryHost host;
      Given(host, NewTable("Tab"));
      Given(host, Import("Tab", input.substr(0, cut), {.begins = true}));
      Given(host, Import("Tab", input.substr(cut), {.ends = true}));
      const std::string all =
          Body(host.Do(Query("Tab", {.level = MetadataLevel::kNone})));
      if (whole.empty()) whole = all;
      ASSERT_EQ(all, whole) << cut;
    }
  }
  EXPECT_NE(whole.find(R"("RowKey":"a\"}")"), std::string::npos) << whole;
  EXPECT_NE(whole.find(R"("T":"{[\\")"), std::string::npos) << whole;
  EXPECT_NE(whole.find(R"("RowKey":"\ud83d\ude00")"), std::string::npos)
      << whole;
}

TEST_F(ImportTest, StopsAtWhatIsNoEntityAndKeepsAllBeforeIt) {
  const std::string good = ArrayOf(Numbered(0, 9));
  const std::string open = good.substr(0, good.size() - 1);
  const struct {
    std::string input;
    std::string outcome;
  } kCases[] = {
      {open, "400 InvalidInput at 9"},
      {open + ",", "400 InvalidInput at 9"},
      {open + ",]", "400 InvalidInput at 9"},
      {open + ",{", "400 InvalidInput at 9"},
      {open + ",{\"PartitionKey\":\"p\"", "400 InvalidInput at 9"},
      {open + ",5]", "400 InvalidInput at 9"},
      {open + ",[]]", "400 InvalidInput at 9"},
      {open + ",null]", "400 InvalidInput at 9"},
      {open + ",{]", "400 InvalidInput at 9"},
      {open + ",{\"a\":{}}]", "400 InvalidInput at 9"},
      {open + ",{\"PartitionKey\":\"p\"}]", "400 PropertiesNeedValue at 9"},
      {open + "," + EntityBody("p", "a/b") + "]", "400 OutOfRangeInput at 9"},
      {open + "," + EntityBody("p", "z", "\"A\":1,\"A\":2") + "]",
       "400 DuplicatePropertiesSpecified at 9"},
      {open + "}", "400 InvalidInput at 9"},
      {good + "x", "400 InvalidInput at 9"},
      {good + "[]", "400 InvalidInput at 9"},
      {LinesOf(Numbered(0, 9)) + "x", "400 InvalidInput at 9"},
      {LinesOf(Numbered(0, 9)) + ",", "400 InvalidInput at 9"},
      {"x", "400 InvalidInput at 0"},
      {"\xEF\xBB{}", "400 InvalidInput at 0"},
      {"\xEF\xBB", "400 InvalidInput at 0"},
  };
  for (const auto& [input, outcome] : kCases) {
    SCOPED_TRACE(input);
    MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                    kTiny);
    Given(host, NewTable("Tab"));
    EXPECT_EQ(Outcome(ImportInParts(host, input, 50, ImportMode::kInsert)),
              outcome);
    const std::size_t count = outcome.ends_with(" 9") ? 9 : 0;
    EXPECT_EQ(StateOf(host.shared_storage()),
              After({}, Numbered(0, 9), count, ImportMode::kInsert));
  }
}

TEST_F(ImportTest, RefusesWhatIsTooLarge) {
  const std::string kMebibyte(std::size_t{1} << 20, 'a');
  std::string members;
  for (int i = 0; i < 40; ++i) {
    if (i > 0) members += ',';
    members += "\"B" + std::to_string(i) + "\":\"" +
               kMebibyte.substr(0, 30'000) + "\"";
  }
  EXPECT_EQ(DoImport("[" + EntityBody("p", "a") + "," +
                         EntityBody("p", "b", members) + "]",
                     ImportMode::kInsert, 100'000),
            "400 EntityTooLarge at 1");

  // A string that never ends.
  ImportPart part{.begins = true};
  std::string outcome = "202";
  int parts = 0;
  for (std::string input = "[{\"a\":\""; outcome == "202"; input = kMebibyte) {
    outcome = Outcome(host_.Do(Import("Tab", input, part)));
    part.begins = false;
    ++parts;
  }
  EXPECT_EQ(outcome, "413 RequestBodyTooLarge at 0");
  EXPECT_EQ(parts, 5);
}

TEST_F(ImportTest, NeedsATable) {
  const auto answer = host_.Do(Import("None", ArrayOf(Numbered(0, 9))));
  EXPECT_EQ(Outcome(answer), "404 TableNotFound at 0");
  EXPECT_EQ(Outcome(host_.Do(Import("None", ""))), "404 TableNotFound at 0");
}

// --------------------------------------------------------------------- modes

// The existing entities are in the log, in runs of pages, or deleted with a
// tombstone.
TEST_F(ImportTest, TreatsKeysThatExistAsItsModeSays) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE("ENTITABLE_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto below = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  int failures = 0;
  int successes = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    auto storage = std::make_shared<MemoryStorage>();
    MemoryHost host(storage, Profile::kDefault, kTiny);
    Given(host, NewTable("Tab"));
    State state;
    for (int writes = below(25); writes > 0; --writes) {
      const ImportedRow row{Numbered(below(30), 1).front().row_key,
                            {{"O", writes}, {"P", below(9)}}};
      if (below(3) > 0) {
        Given(host, Replace("Tab", "p", row.row_key, JsonOf(row)));
        state[row.row_key] = row.members;
      } else if (state.erase(row.row_key) > 0) {
        Given(host, Delete("Tab", "p", row.row_key));
      }
    }
    if (below(2) == 0) host.Restart();

    const auto mode = static_cast<ImportMode>(below(3));
    Rows rows = Numbered(below(40), 1 + below(30));
    for (ImportedRow& row : rows) row.members["P"] = 100 + below(9);
    if (below(2) == 0) std::shuffle(rows.begin(), rows.end(), random);
    if (below(2) == 0) {
      rows.insert(
          rows.begin() + below(static_cast<int>(rows.size())),
          rows[static_cast<std::size_t>(below(static_cast<int>(rows.size())))]);
    }
    const auto fault = mode == ImportMode::kInsert
                           ? FirstThatExists(state, rows)
                           : std::nullopt;
    const auto answer =
        ImportInParts(host, below(2) == 0 ? ArrayOf(rows) : LinesOf(rows),
                      static_cast<std::size_t>(1 + below(300)), mode);

    const std::size_t count = fault.value_or(rows.size());
    ++(fault ? failures : successes);
    const std::string number = std::to_string(count);
    EXPECT_EQ(Body(answer),
              fault ? "409 EntityAlreadyExists at " + number
                    : "{\"read\":" + number + ",\"stored\":" + number + "}");
    state = After(std::move(state), rows, count, mode);
    ASSERT_EQ(StateOf(storage), state);
    host.Run();
    ASSERT_EQ(StateOf(storage), state);
    ASSERT_TRUE(ReadStoredPages(*storage).flaws.empty())
        << ReadStoredPages(*storage).flaws.front();
  }
  EXPECT_GT(failures, 20);
  EXPECT_GT(successes, 20);
}

TEST_F(ImportTest, ChecksTheLimitsOfWhatAMergeMakes) {
  std::string members;
  for (int i = 0; i < 250; ++i) {
    members += ",\"A" + std::to_string(i) + "\":1";
  }
  Given(host_, Insert("Tab", EntityBody("p", "b", members.substr(1))));
  const std::string two = "\"B\":1,\"C\":1";
  const std::string three = two + ",\"D\":1";

  EXPECT_EQ(DoImport(EntityBody("p", "a", three) + EntityBody("p", "b", two) +
                         EntityBody("p", "b", three) + EntityBody("p", "c"),
                     ImportMode::kMerge),
            "400 TooManyProperties at 2");
}

TEST_F(ImportTest, GivesAStepOneTimestampThatIsTheNewest) {
  Given(host_, Insert("Tab", EntityBody("p", "zz")));
  host_.set_clock(0);
  DoImport(ArrayOf(Numbered(0, 30)));

  const auto times = TextsOf("Timestamp", Body(host_.Do(Query("Tab"))));
  ASSERT_EQ(times.size(), 31U);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end() - 1));
  EXPECT_GT(times.front(), times.back());
  EXPECT_EQ(times[0], times[1]);
  EXPECT_LT(times[0], times[29]);
}

// -------------------------------------------------------------------- faults

// Whatever happens to one of the commits: everything is stored, or a prefix,
// and the answer tells how many entities are.
TEST_F(ImportTest, StoresAPrefixIfACommitFails) {
  const Rows rows = Numbered(10, 40);
  for (const ImportMode mode :
       {ImportMode::kInsert, ImportMode::kReplace, ImportMode::kMerge}) {
    for (int fault = 0; fault < 6; ++fault) {
      for (int at = 0; at < 8; ++at) {
        SCOPED_TRACE(testing::Message() << "mode " << static_cast<int>(mode)
                                        << ", fault " << fault << " at " << at);
        auto storage = std::make_shared<MemoryStorage>();
        MemoryHost host(storage, Profile::kDefault, kTiny);
        Given(host, NewTable("Tab"));
        State state;
        std::string expected = "{\"read\":40,\"stored\":40}";
        const auto spoil = [&] {
          switch (fault) {
            case 0:
              return host.faults().RefuseNextCommit(CommitOutcome::kQuota);
            case 1:
              return host.faults().RefuseNextCommit(CommitOutcome::kRefused);
            case 2:
              return host.faults().LoseNextOutcome(Fate::kStored);
            case 3:
              return host.faults().LoseNextOutcome(Fate::kLost);
            case 4:
              return host.faults().LoseNextOutcome(Fate::kLate);
            default:
              // Another tab writes a key that the import has yet to load.
              MemoryHost rival(storage, Profile::kDefault, kTiny);
              Given(rival, Replace("Tab", "p", "k45", R"({"O":1})"));
              state["k45"] = {{"O", 1}};
          }
        };
        ImportPart part{.mode = mode, .begins = true};
        Result<Response> answer = Response{};
        int commits = 0;
        for (int row = 0; answer && !part.ends; row += 5) {
          part.ends = row == 35;
          const Rows some(rows.begin() + row, rows.begin() + row + 5);
          const RequestId id = host.Submit(Import("Tab", LinesOf(some), part));
          part.begins = false;
          for (;;) {
            const Step wish = host.NextWish();
            if (const auto* read = std::get_if<Read>(&wish)) {
              host.Fulfil(*read);
            } else if (const auto* commit = std::get_if<Commit>(&wish)) {
              if (commits++ == at) spoil();
              host.Fulfil(*commit);
            } else {
              break;
            }
          }
          answer = host.Await(id);
        }
        std::size_t count = 40;
        if (!answer) {
          ASSERT_TRUE(answer.error().operation.has_value()) << Outcome(answer);
          count = *answer.error().operation;
        } else {
          EXPECT_EQ(answer->body, expected);
        }
        if (fault >= 2 && fault <= 4) {
          EXPECT_TRUE(answer.has_value()) << Outcome(answer);
        }
        const State after = StateOf(storage);
        State model = After(state, rows, count, mode);
        // The rival came behind the step that held the key.
        if (fault == 5 && !after.at("k45").contains("N")) {
          model["k45"] = {{"O", 1}};
        }
        EXPECT_EQ(after, model) << Outcome(answer);
        ASSERT_TRUE(ReadStoredPages(*storage).flaws.empty());
      }
    }
  }
}

}  // namespace
}  // namespace entitable
