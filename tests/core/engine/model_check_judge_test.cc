// The judge itself, on histories and answers made by hand: what it must let
// pass, and what it must not.

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/model_check/history.h"
#include "support/model_check/reads.h"

namespace entitable::model_check {
namespace {

Write Put(const std::string& row_key, const std::string& value) {
  return {.kind = OperationKind::kReplaceEntity,
          .key = {"p", row_key},
          .values = {{"W", value}}};
}

Write Erase(const std::string& row_key) {
  return {.kind = OperationKind::kDeleteEntity,
          .key = {"p", row_key},
          .condition = Condition::kAny,
          .if_match = "*"};
}

class ModelCheckJudgeTest : public testing::Test {
 protected:
  void SetUp() override {
    Ticket* create =
        Submit({.kind = OperationKind::kCreateTable, .table = "TabA"});
    ASSERT_EQ(Store({create}, After({create})), "");
  }

  Ticket* Submit(Request request) {
    request.number = tickets_.size() + 1;
    tickets_.push_back({.request = std::move(request)});
    return &tickets_.back();
  }
  Ticket* SubmitWrites(std::vector<Write> writes) {
    const OperationKind kind =
        writes.size() > 1 ? OperationKind::kTransaction : writes[0].kind;
    return Submit({.kind = kind, .table = "TabA", .writes = std::move(writes)});
  }

  // The end of a transaction that has read the row 1.
  Ticket* SubmitEnd(Write write) {
    const Request get{
        .kind = OperationKind::kGetEntity, .table = "TabA", .key = {"p", "1"}};
    TransactionReads reads;
    reads.all.emplace_back(get, PageOf({{"1", history_.now()}}));
    write.table = "TabA";
    return Submit({.kind = OperationKind::kAccountTransaction,
                   .writes = {std::move(write)},
                   .reads = std::make_shared<TransactionReads>(reads)});
  }

  // What the writes make of the newest state, as an engine would.
  State After(const std::vector<Ticket*>& writes) {
    State state = history_.newest();
    for (const Ticket* write : writes) {
      Apply(write->request, state);
      ++ticks_;
      for (auto& [table, entities] : state) {
        for (auto& [key, entity] : entities) {
          if (entity.etag != NewEtag(write->request)) continue;
          entity.etag = "etag " + std::to_string(ticks_);
          entity.ticks = ticks_;
        }
      }
    }
    return state;
  }

  // The rule that is broken if this is the state after a batch that may hold
  // these writes.
  std::string Store(const std::vector<Ticket*>& writes, State observed) {
    const auto violation = history_.Add(std::move(observed), writes);
    return violation ? violation->rule : "";
  }
  void StoreWrites(const std::vector<Write>& writes) {
    Ticket* ticket = SubmitWrites(writes);
    ASSERT_EQ(Store({ticket}, After({ticket})), "");
  }

  // The entities as they were at these moments.
  Seen PageOf(
      const std::vector<std::pair<std::string, Moment>>& entities) const {
    Seen seen{.outcome = "200"};
    for (const auto& [row_key, moment] : entities) {
      const Key key{"p", row_key};
      seen.feed.emplace_back(key, history_.at(moment).at("TabA").at(key));
    }
    return seen;
  }

  std::optional<Moment> FindAsOne(const Seen& seen, Moment from = 0) const {
    return FindMoment(query_, seen, history_, from);
  }
  std::optional<Moment> FindByKey(const Seen& seen, Moment from = 0) const {
    return FindMomentsByKey(query_, seen, history_, from);
  }

  const std::string kInexplicable =
      "a stored batch does what writes ask for, each once, in order";

  Request query_{.kind = OperationKind::kQueryEntities, .table = "TabA"};
  std::deque<Ticket> tickets_;
  History history_;
  std::int64_t ticks_ = 0;
};

// ------------------------------------------------------------------- history

TEST_F(ModelCheckJudgeTest, NamesTheWritesOfABatch) {
  Ticket* first = SubmitWrites({Put("1", "1")});
  Ticket* second = SubmitWrites({Put("2", "2")});

  EXPECT_EQ(Store({first, second}, After({first})), "");

  ASSERT_TRUE(first->effect);
  EXPECT_EQ(first->effect->moment, 2U);
  EXPECT_EQ(first->effect->outcome, "204");
  EXPECT_FALSE(second->effect);
}

TEST_F(ModelCheckJudgeTest, DoesNotLetAWriteBeStoredTwice) {
  Ticket* write = SubmitWrites({Put("1", "1")});
  EXPECT_EQ(Store({write}, After({write})), "");

  EXPECT_EQ(Store({write}, After({write})), kInexplicable);
}

TEST_F(ModelCheckJudgeTest, DoesNotLetAWriteBePassedOver) {
  Ticket* first = SubmitWrites({Put("1", "1")});
  Ticket* second = SubmitWrites({Put("2", "2")});

  EXPECT_EQ(Store({first, second}, After({second})), kInexplicable);
}

TEST_F(ModelCheckJudgeTest, DoesNotLetATransactionBeStoredInPart) {
  Ticket* both = SubmitWrites({Put("1", "1"), Put("2", "2")});
  State half = After({both});
  half["TabA"].erase({"p", "2"});

  EXPECT_EQ(Store({both}, half), kInexplicable);
}

TEST_F(ModelCheckJudgeTest, LetsATransactionBeStoredOnWhatItHasRead) {
  StoreWrites({Put("1", "1")});
  Ticket* end = SubmitEnd(Put("2", "2"));

  EXPECT_EQ(Store({end}, After({end})), "");

  ASSERT_TRUE(end->effect);
  EXPECT_EQ(end->effect->outcome, "202");
}

TEST_F(ModelCheckJudgeTest, DoesNotLetATransactionBeStoredOnSomethingElse) {
  StoreWrites({Put("1", "1")});
  Ticket* end = SubmitEnd(Put("2", "2"));
  StoreWrites({Put("1", "3")});

  EXPECT_EQ(Store({end}, After({end})), kInexplicable);
}

// Even by a write of the same batch.
TEST_F(ModelCheckJudgeTest, DoesNotLetATransactionMissAWriteBeforeIt) {
  StoreWrites({Put("1", "1")});
  Ticket* write = SubmitWrites({Put("1", "3")});
  Ticket* end = SubmitEnd(Put("2", "2"));

  EXPECT_EQ(Store({write, end}, After({write, end})), kInexplicable);
}

TEST_F(ModelCheckJudgeTest, LetsATransactionBeRefused) {
  StoreWrites({Put("1", "1")});
  Ticket* end = SubmitEnd(Put("2", "2"));
  Ticket* write = SubmitWrites({Put("3", "3")});

  EXPECT_EQ(Store({end, write}, After({write})), "");

  EXPECT_FALSE(end->effect);
  EXPECT_TRUE(write->effect);
}

TEST_F(ModelCheckJudgeTest, DoesNotKnowAnEffectThatLeavesNoTrace) {
  StoreWrites({Put("1", "1")});
  Ticket* end = SubmitEnd(Put("2", "2"));
  Ticket* write = SubmitWrites({Put("2", "3")});

  EXPECT_EQ(Store({end, write}, After({write})), "");

  EXPECT_FALSE(end->effect);
  EXPECT_TRUE(end->possible_outcomes.contains("202"));
}

TEST_F(ModelCheckJudgeTest, DoesNotLetTimestampsFall) {
  StoreWrites({Put("1", "1")});
  Ticket* write = SubmitWrites({Put("2", "2")});
  ticks_ -= 2;

  EXPECT_EQ(Store({write}, After({write})),
            "timestamps rise from write to write");
}

TEST_F(ModelCheckJudgeTest, DoesNotLetARefusedWriteComeTrue) {
  Ticket* write = SubmitWrites({Put("1", "1")});
  write->status = Ticket::Status::kFailed;

  EXPECT_EQ(Store({write}, After({write})),
            "a write that was answered with an error changes nothing");
}

TEST_F(ModelCheckJudgeTest, LeavesOpenWhatLeavesNoTrace) {
  Ticket* put = SubmitWrites({Put("1", "1")});
  Ticket* erase = SubmitWrites({Erase("1")});

  EXPECT_EQ(Store({put, erase}, After({put, erase})), "");

  EXPECT_FALSE(put->effect);
  EXPECT_TRUE(put->possible_outcomes.contains("204"));
  EXPECT_TRUE(erase->possible_outcomes.contains("204"));
}

// --------------------------------------------------------------------- reads

TEST_F(ModelCheckJudgeTest, WantsAPageOfOneMomentNotBeforeWhatWasKnown) {
  StoreWrites({Put("1", "1")});  // Moment 2.
  StoreWrites({Put("2", "2")});  // Moment 3.

  EXPECT_EQ(FindAsOne(PageOf({{"1", 2}})), 2U);
  EXPECT_EQ(FindAsOne(PageOf({{"1", 2}}), 3), std::nullopt);
  EXPECT_EQ(FindAsOne(PageOf({{"1", 3}, {"2", 3}})), 3U);
  EXPECT_EQ(FindAsOne(PageOf({{"2", 3}})), std::nullopt);
}

TEST_F(ModelCheckJudgeTest, LetsMomentsRiseWithTheKeysOfAPage) {
  StoreWrites({Put("1", "1"), Put("2", "2")});  // Moment 2.
  StoreWrites({Put("1", "3"), Put("2", "4")});  // Moment 3.

  EXPECT_EQ(FindByKey(PageOf({{"1", 2}, {"2", 3}})), 3U);
  EXPECT_EQ(FindAsOne(PageOf({{"1", 2}, {"2", 3}})), std::nullopt);
  EXPECT_EQ(FindByKey(PageOf({{"1", 3}, {"2", 2}})), std::nullopt);
}

TEST_F(ModelCheckJudgeTest, WantsWhatWasThereAllAlongInItsPlaceAndOnce) {
  StoreWrites({Put("1", "1"), Put("2", "2"), Put("3", "3")});  // Moment 2.
  StoreWrites({Put("1", "4")});                                // Moment 3.

  EXPECT_EQ(FindByKey(PageOf({{"1", 2}, {"2", 2}, {"3", 2}}), 2), 2U);
  EXPECT_EQ(FindByKey(PageOf({{"1", 2}, {"3", 2}}), 2), std::nullopt);
  EXPECT_EQ(FindByKey(PageOf({{"1", 2}, {"2", 2}}), 2), std::nullopt);
  EXPECT_EQ(FindByKey(PageOf({{"1", 2}, {"1", 3}, {"2", 2}, {"3", 2}}), 2),
            std::nullopt);
  EXPECT_EQ(FindByKey(PageOf({{"2", 2}, {"1", 3}, {"3", 2}}), 2), std::nullopt);
}

TEST_F(ModelCheckJudgeTest, LetsMomentsRiseWithTheNamesOfAListOfTables) {
  query_ = {.kind = OperationKind::kQueryTables};
  Ticket* second =
      Submit({.kind = OperationKind::kCreateTable, .table = "TabB"});
  ASSERT_EQ(Store({second}, After({second})), "");  // Moment 2.
  Ticket* drop_first =
      Submit({.kind = OperationKind::kDeleteTable, .table = "TabA"});
  Ticket* drop_second =
      Submit({.kind = OperationKind::kDeleteTable, .table = "TabB"});
  const State none = After({drop_first, drop_second});
  ASSERT_EQ(Store({drop_first, drop_second}, none), "");  // Moment 3.
  const auto list = [](std::vector<std::string> names) {
    return Seen{.outcome = "200", .tables = std::move(names)};
  };

  EXPECT_EQ(FindAsOne(list({"TabA"}), 2), std::nullopt);
  EXPECT_EQ(FindByKey(list({"TabA"}), 2), 3U);
  EXPECT_EQ(FindByKey(list({"TabA", "TabB"}), 2), 2U);
  EXPECT_EQ(FindByKey(list({"TabB"}), 2), std::nullopt);
  EXPECT_EQ(FindByKey(list({"TabA", "TabA"}), 2), std::nullopt);
  EXPECT_EQ(FindByKey(list({"TabB", "TabA"}), 2), std::nullopt);
  EXPECT_EQ(FindByKey(list({"TabC"}), 2), std::nullopt);
}

TEST_F(ModelCheckJudgeTest, ReadsNothingBeyondThePage) {
  StoreWrites({Put("1", "1"), Put("2", "2"), Put("3", "3")});  // Moment 2.
  query_.selection.top = 1;
  query_.continuation = {{"p", "2"}, "", ""};
  Seen page = PageOf({{"2", 2}});
  page.next = {"p", "3"};

  EXPECT_EQ(FindAsOne(page, 2), 2U);
  EXPECT_EQ(FindByKey(page, 2), 2U);

  page.next = {"p", "4"};  // There is no such entity.
  EXPECT_EQ(FindAsOne(page, 2), std::nullopt);
  EXPECT_EQ(FindByKey(page, 2), std::nullopt);
}

// A count over some time sees the key 1 when it is there no more only if it
// sees the key 2 no earlier.
TEST_F(ModelCheckJudgeTest, CountsEachKeyAtAMomentNotBeforeThatOfTheLast) {
  query_.kind = OperationKind::kCountEntities;
  StoreWrites({Put("1", "1")});                             // Moment 2.
  StoreWrites({Erase("1"), Put("2", "2"), Put("3", "3")});  // Moment 3.
  const auto seen = [](std::size_t count) {
    return Seen{.outcome = "200", .count = count};
  };

  EXPECT_EQ(FindAsOne(seen(1), 2), 2U);
  EXPECT_EQ(FindAsOne(seen(2), 2), 3U);
  EXPECT_EQ(FindAsOne(seen(3), 2), std::nullopt);
  EXPECT_EQ(FindByKey(seen(1), 2), 2U);
  EXPECT_EQ(FindByKey(seen(3), 2), 3U);
  EXPECT_EQ(FindByKey(seen(3), 3), std::nullopt);
  EXPECT_EQ(FindByKey(seen(0), 2), std::nullopt);
  EXPECT_EQ(FindByKey(seen(4), 2), std::nullopt);
}

}  // namespace
}  // namespace entitable::model_check
