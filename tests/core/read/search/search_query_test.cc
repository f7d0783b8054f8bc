// Searches for words: operation.h, SearchEntities.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/await_in_steps.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/values_reader.h"

namespace entitable {
namespace {

using Texts = std::vector<std::string>;

// The RowKeys of an answer, or its error alone.
Texts KeysOrOutcome(const Result<Response>& answer) {
  if (!answer) return {Outcome(answer)};
  Texts keys;
  for (const ValuesRow& row : ReadValues(answer->body)) {
    keys.push_back(row.at("rowKey"));
  }
  return keys;
}

class SearchQueryTest : public testing::Test {
 protected:
  SearchQueryTest() { Open(); }

  // An engine on a storage of its own, with an empty table.
  void Open(StoreLimits limits = {}, WorkLimits work = {}) {
    host_ = std::make_unique<MemoryHost>(std::make_shared<MemoryStorage>(),
                                         Profile::kDefault, limits, work);
    Given(NewTable("Tab"));
  }

  void Given(const OwnedOperation& operation) {
    const auto answer = host_->Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }

  void Put(const std::string& row_key, const std::string& text) {
    Given(Replace("Tab", "p", row_key, "{\"Text\":\"" + text + "\"}"));
  }

  // The RowKeys, the best first.
  Texts Find(const std::string& text, With with = {}) {
    return KeysOrOutcome(host_->Do(Search("Tab", "Text", text, with)));
  }

  std::vector<double> Scores(const std::string& text, With with = {}) {
    const auto answer = host_->Do(Search("Tab", "Text", text, with));
    std::vector<double> scores;
    std::string rest = answer->scores;
    while (!rest.empty()) {
      const std::size_t comma = rest.find(',');
      scores.push_back(std::stod(rest.substr(0, comma)));
      rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    }
    return scores;
  }

  std::unique_ptr<MemoryHost> host_;
};

TEST_F(SearchQueryTest, FindsTheTextsWithAllWords) {
  Put("1", "Buy milk and bread");
  Put("2", "The bread is stale.");
  Put("3", "MILK, bread");
  Put("4", "breadth of milky things");
  EXPECT_EQ(Find("bread milk"), (Texts{"3", "1"}));
  EXPECT_EQ(Find("Stale"), Texts{"2"});
  EXPECT_EQ(Find("butter"), Texts{});
  EXPECT_EQ(Find("bread butter"), Texts{});
  EXPECT_EQ(Find(""), Texts{});
  EXPECT_EQ(Find(" - "), Texts{});
}

TEST_F(SearchQueryTest, AnyWordIsEnoughIfAskedFor) {
  Put("1", "milk");
  Put("2", "bread");
  Put("3", "water");
  Put("4", "bread milk");
  EXPECT_EQ(Find("bread milk", {.any_word = true}), (Texts{"4", "1", "2"}));
}

TEST_F(SearchQueryTest, APrefixFindsAllItsWords) {
  Put("1", "breadth");
  Put("2", "bread");
  Put("3", "bred");
  Put("4", "a bread");
  EXPECT_EQ(Find("brea*"), (Texts{"1", "2", "4"}));
  EXPECT_EQ(Find("brea"), Texts{});
}

TEST_F(SearchQueryTest, RareWordsShortTextsAndRepetitionsCountMore) {
  Put("long", "apple tree in the garden of the neighbour");
  Put("short", "apple tree");
  Put("twice", "apple apple tree and its green leaves here too");
  EXPECT_EQ(Find("apple").front(), "short");
  EXPECT_EQ(Find("apple").back(), "long");

  Put("x1", "common rare");
  Put("x2", "common word");
  Put("x3", "common thing");
  EXPECT_EQ(Find("common rare", {.any_word = true}), (Texts{"x1", "x2", "x3"}));
  EXPECT_EQ(Find("thing word common", {.any_word = true}),
            (Texts{"x2", "x3", "x1"}));
}

TEST_F(SearchQueryTest, OnlyStringsOfThePropertyCount) {
  Given(Replace("Tab", "p", "1", R"({"Text":5,"Other":"5"})"));
  Given(Replace("Tab", "p", "2", R"({"Other":"5"})"));
  Put("3", "5");
  EXPECT_EQ(Find("5"), Texts{"3"});
}

TEST_F(SearchQueryTest, AnIndexFollowsTheTextThroughMerges) {
  Given(SetIndexes("Tab", "words(Text)"));
  Put("1", "milk");
  Given(Merge("Tab", "p", "1", R"({"Other":5})"));
  EXPECT_EQ(Find("milk"), Texts{"1"});
  Given(Merge("Tab", "p", "1", R"({"Text":"bread"})"));
  EXPECT_EQ(Find("milk"), Texts{});
  EXPECT_EQ(Find("bread"), Texts{"1"});
  Given(Merge("Tab", "p", "1", R"({"Text":5})"));
  EXPECT_EQ(Find("bread"), Texts{});
}

TEST_F(SearchQueryTest, TheFilterLeavesOutRowsAndKeepsScores) {
  Put("1", "milk");
  Put("2", "milk and bread");
  Put("3", "milk and bread and butter");
  const std::vector<double> scores = Scores("milk");
  ASSERT_EQ(scores.size(), 3U);
  EXPECT_EQ(Find("milk", {.filter = "RowKey gt '1'"}), (Texts{"2", "3"}));
  EXPECT_EQ(Scores("milk", {.filter = "RowKey gt '1'"}),
            (std::vector{scores[1], scores[2]}));
  EXPECT_EQ(Find("milk", {.filter = "RowKey gt '1'", .top = "1"}), Texts{"2"});
  EXPECT_EQ(Find("milk", {.filter = "PartitionKey eq 'q'"}), Texts());
  EXPECT_EQ(Find("milk", {.top = "2"}), (Texts{"1", "2"}));
  EXPECT_EQ(Find("milk", {.top = "0"}), Texts{});
}

TEST_F(SearchQueryTest, RefusesWhatIsWrong) {
  const auto refused = [&](const OwnedOperation& search) {
    return Outcome(host_->Do(search));
  };
  EXPECT_EQ(refused(Search("None", "Text", "a")), "404 TableNotFound");
  EXPECT_EQ(refused(Search("Tab", "RowKey", "a")), "400 InvalidInput");
  EXPECT_EQ(refused(Search("Tab", "a b", "a")), "400 PropertyNameInvalid");
  EXPECT_EQ(refused(Search("Tab", "Text", "a", {.filter = "("})),
            "400 InvalidInput");
}

TEST_F(SearchQueryTest, EndsWithAnErrorIfTheTextsTakeTooMuchMemory) {
  Open({.cache_bytes = 0});
  for (int i = 0; i < 5000; ++i) {
    Given(Replace("Tab", std::string(1000, 'p'), std::to_string(i),
                  R"({"Text":"a"})"));
  }
  EXPECT_EQ(Find("a"), Texts{"413 SearchTooLarge"});
  EXPECT_EQ(Find("b"), Texts{});
}

// A search of an index begins again after a write, because the entries must be
// of one version.  A slice has room for the pages of a few runs, since a scan
// begins anew in its page, too.
TEST_F(SearchQueryTest, EndsWhileOthersWriteBetweenItsSlices) {
  Open({.flush_records = 20, .page_bytes = 500}, {.slice_units = 200});
  Given(SetIndexes("Tab", "words(Text)"));
  Texts expected;
  for (int i = 100; i < 400; ++i) {
    Put(std::to_string(i), "word");
    expected.push_back(std::to_string(i));
  }

  const RequestId search = host_->Submit(Search("Tab", "Text", "word", {}));
  constexpr std::size_t kMostWrites = 500;
  std::size_t writes = 0;
  const auto found = AwaitInSteps(*host_, search, [&](const Step& step) {
    // Then no more, so that the test ends also if writes delay the search.
    if (!std::holds_alternative<Yield>(step) || ++writes >= kMostWrites) return;
    host_->Submit(Replace("Tab", "q", "r", R"({"Text":"other"})"));
  });
  EXPECT_EQ(KeysOrOutcome(found), expected);
  EXPECT_GT(writes, 8);
  EXPECT_LT(writes, kMostWrites);
}

// Compactions have their turns between the slices, and change no entry.
TEST_F(SearchQueryTest, ReadsAnIndexInSlicesBesideCompactions) {
  const StoreLimits limits{.page_bytes = 500, .step_pages = 2, .idle_ms = 0};
  const WorkLimits work{.slice_units = 50};
  Open(limits, work);
  Given(SetIndexes("Tab", "words(Text)"));
  host_->Run();
  host_->engine().StopBackgroundWork();
  for (std::uint32_t run = 1; run <= 8; ++run) {
    std::string lines;
    for (int row = 100; row < 200; ++row) {
      const std::string key = std::to_string(row) + "-" + std::to_string(run);
      lines += EntityBody("p", key, R"("Text":"word")") + "\n";
    }
    Given(Import("Tab", lines, {.import = run, .begins = true, .ends = true}));
  }
  const Texts expected = Find("word", {.top = "1"});

  MemoryHost host(host_->shared_storage(), Profile::kDefault, limits, work);
  std::size_t slices = 0;
  std::size_t commits = 0;
  const RequestId search =
      host.Submit(Search("Tab", "Text", "word", {.top = "1"}));
  const auto found = AwaitInSteps(host, search, [&](const Step& step) {
    if (std::holds_alternative<Yield>(step)) ++slices;
    if (std::holds_alternative<Commit>(step)) ++commits;
    host.set_clock(host.clock() + 20);
  });

  EXPECT_EQ(KeysOrOutcome(found), expected);
  EXPECT_GE(slices, 16);  // 800 entries take more than a unit each.
  EXPECT_GT(commits, 4);
}

// A second implementation: it knows words with blanks between alone.

struct Scored {
  std::string key;
  double score;
};

using Corpus = std::map<std::string, Texts>;

bool IsOfTerm(const std::string& word, const std::string& term) {
  if (!term.ends_with('*')) return word == term;
  return word.starts_with(term.substr(0, term.size() - 1));
}

double Frequency(const Texts& words, const std::string& word) {
  return static_cast<double>(std::ranges::count(words, word));
}

bool HasTerm(const Texts& words, const std::string& term) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return IsOfTerm(word, term); });
}

std::vector<Scored> NaiveSearch(const Corpus& corpus, const Texts& terms,
                                bool any_word) {
  std::vector<Scored> found;
  double total = 0;
  for (const auto& [key, words] : corpus) {
    const auto has = [&](const std::string& term) {
      return HasTerm(words, term);
    };
    const bool fits = any_word ? std::ranges::any_of(terms, has)
                               : std::ranges::all_of(terms, has);
    if (!fits) continue;
    found.push_back({key, 0});
    total += static_cast<double>(words.size());
  }
  for (auto& [key, score] : found) {
    const Texts& words = corpus.at(key);
    const double relative = static_cast<double>(words.size()) *
                            static_cast<double>(found.size()) / total;
    Texts different = words;
    std::ranges::sort(different);
    different.erase(std::unique(different.begin(), different.end()),
                    different.end());
    for (const std::string& term : terms) {
      double with = 0;
      for (const auto& other : corpus)
        with += HasTerm(other.second, term) ? 1 : 0;
      const double without = static_cast<double>(corpus.size()) - with;
      for (const std::string& word : different) {
        if (!IsOfTerm(word, term)) continue;
        const double count = Frequency(words, word);
        score += std::log(1 + (without + 0.5) / (with + 0.5)) * count * 2.2 /
                 (count + 1.2 * (0.25 + 0.75 * relative));
      }
    }
  }
  return found;
}

// Without an index, with one that is there from the beginning, and with one
// that is built from the stored texts in the middle of the writes.
class RandomSearchTest : public SearchQueryTest,
                         public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(WhenIndexed, RandomSearchTest,
                         testing::Values(-1, 0, 200));

TEST_P(RandomSearchTest, ScoresAsASecondImplementationDoes) {
  // Small pages, several runs, rows in memory, and small slices.
  Open({.flush_records = 40, .page_bytes = 1000}, {.slice_units = 50});
  std::mt19937 random(20);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  const Texts vocabulary = {"a", "ab", "abc", "abd", "b",  "ba", "bab",
                            "c", "ca", "cab", "d",   "dd", "e",  "f",
                            "g", "h",  "i",   "j",   "k",  "l",  "m"};
  Corpus corpus;
  for (int round = 0; round < 400; ++round) {
    if (round == GetParam()) Given(SetIndexes("Tab", "RowKey;words(Text)"));
    const std::string key = std::to_string(below(150));
    if (below(8) == 0 && corpus.erase(key) > 0) {
      Given(Delete("Tab", "p", key));
      continue;
    }
    Texts& words = corpus[key];
    words.clear();
    std::string text;
    for (std::size_t i = below(12); i > 0; --i) {
      words.push_back(vocabulary[below(1 + below(vocabulary.size()))]);
      text += words.back() + ' ';
    }
    Put(key, text);
  }
  for (int round = 0; round < 300; ++round) {
    Texts terms;
    std::string search;
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      std::string term = vocabulary[below(vocabulary.size())];
      const bool is_known = std::ranges::any_of(terms, [&](const auto& other) {
        return other == term || other == term + '*';
      });
      if (is_known) continue;
      if (below(3) == 0) term += '*';
      search += term + ' ';
      terms.push_back(std::move(term));
    }
    const bool any_word = below(2) == 0;
    const auto expected = NaiveSearch(corpus, terms, any_word);
    std::map<std::string, double> by_key;
    for (const auto& [key, score] : expected) by_key[key] = score;
    const Texts keys = Find(search, {.any_word = any_word});
    const auto scores = Scores(search, {.any_word = any_word});
    ASSERT_EQ(keys.size(), expected.size()) << search;
    ASSERT_EQ(scores.size(), expected.size()) << search;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_TRUE(by_key.contains(keys[i])) << search;
      EXPECT_NEAR(scores[i], by_key[keys[i]], 1e-5) << search;
      if (i == 0) continue;
      EXPECT_GE(scores[i - 1], scores[i]) << search;
      if (scores[i - 1] == scores[i]) {
        EXPECT_LT(keys[i - 1], keys[i]) << search;
      }
    }
  }
}

}  // namespace
}  // namespace entitable
