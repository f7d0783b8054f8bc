#include "support/model_check/schedule.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <utility>

#include "support/model_check/limits.h"
#include "support/model_check/ticket.h"

namespace entitable::model_check {
namespace {

using Kind = Choice::Kind;

// For a while some tabs sleep, and the storage is in one mood.
struct Phase {
  std::size_t choices;
  std::vector<std::size_t> awake;
  std::size_t calm;   // One in so many things goes wrong; zero: none.
  std::size_t haste;  // One in so many steps are done in one go; zero: none.
  std::array<double, 11> weights;  // By Kind.
};

class Author {
 public:
  explicit Author(std::uint64_t seed) : random_(seed) {}

  EngineOptions RandomOptions() { return RandomLimits(random_); }

  std::vector<Choice> RandomChoices() {
    tabs_ = 1 + Below(kMaxTabs);
    partitions_ = 1 + Below(3);
    rows_ = std::array<std::size_t, 4>{2, 4, 4, 16}[Below(4)];
    padding_ = OneIn(4) ? 400 : 0;
    transactions_ = Below(4);
    if (!OneIn(8)) AddBeginning();
    for (std::size_t phases = 2 + Below(6); phases > 0; --phases) AddPhase();
    return std::move(choices_);
  }

 private:
  std::size_t Below(std::size_t end) { return random_() % end; }
  bool OneIn(std::size_t count) { return Below(count) == 0; }

  void Add(Choice choice) {
    time_ += Below(4);
    choice.time = time_;
    choice.pick = OneIn(2) ? 0 : Below(8);
    choices_.push_back(std::move(choice));
  }

  void Submit(Request request, std::size_t tab = 0) {
    request.number = ++requests_;
    Add({.kind = Kind::kSubmit, .tab = tab, .request = std::move(request)});
  }

  // A table with something in it.  Some schedules do without, because two may
  // make a store at the same time.
  void AddBeginning() {
    Add({.kind = Kind::kOpen});
    Submit({.kind = OperationKind::kCreateTable, .table = "TabA"});
    if (OneIn(2)) {
      Submit({.kind = OperationKind::kCreateTable, .table = "TabB"});
    }
    for (std::size_t i = Below(2 * rows_); i > 0; --i) {
      const Write write{.kind = OperationKind::kReplaceEntity,
                        .key = RandomKey(),
                        .values = RandomValues()};
      Submit({.kind = write.kind, .table = "TabA", .writes = {write}});
    }
    for (int i = 0; i < 4; ++i) AddRound(0, Fault::kNone);
  }

  // The tab gets one step further, without anybody in between.
  void AddRound(std::size_t tab, Fault fault) {
    for (const Kind kind : {Kind::kWork, Kind::kPerform, Kind::kDeliver}) {
      Add({.kind = kind,
           .tab = tab,
           .fault = kind == Kind::kPerform ? fault : Fault::kNone});
    }
  }

  Phase RandomPhase() {
    Phase phase{.choices = 10 + Below(80),
                .awake = {},
                .calm = 0,
                .haste = 0,
                .weights = {}};
    for (std::size_t tab = 0; tab < tabs_; ++tab) {
      if (!OneIn(3)) phase.awake.push_back(tab);
    }
    if (phase.awake.empty()) phase.awake.push_back(Below(tabs_));
    phase.calm = std::array<std::size_t, 5>{0, 0, 15, 5, 2}[Below(5)];
    phase.haste = Below(3);
    phase.weights = {4,
                     phase.calm > 0 && phase.calm < 10 ? 1.0 : 0.2,
                     10.0 + static_cast<double>(Below(20)),
                     0.5,
                     3,
                     25,
                     25,
                     25,
                     phase.calm > 0 ? 3.0 : 1.0,
                     0.5,
                     phase.calm > 0 ? 2.0 : 0.5};
    return phase;
  }

  void AddPhase() {
    const Phase phase = RandomPhase();
    for (std::size_t i = 0; i < phase.choices; ++i) AddChoice(phase);
  }

  void AddChoice(const Phase& phase) {
    const std::size_t tab = phase.awake[Below(phase.awake.size())];
    std::discrete_distribution<int> kinds(phase.weights.begin(),
                                          phase.weights.end());
    Choice choice{.kind = static_cast<Kind>(kinds(random_)), .tab = tab};
    if (choice.kind == Kind::kSubmit) return Submit(RandomRequest(), tab);
    if (choice.kind == Kind::kPerform && phase.calm > 0 && OneIn(phase.calm)) {
      choice.fault = RandomFault();
    }
    if (choice.kind == Kind::kPerform && phase.haste > 0 &&
        OneIn(2 * phase.haste)) {
      return AddRound(tab, choice.fault);
    }
    // The storage does not sleep when a tab does.
    if (choice.kind == Kind::kPerform && OneIn(8)) choice.tab = Below(tabs_);
    if (choice.kind == Kind::kSetClock) {
      choice.clock_minutes = static_cast<int>(Below(5)) * 60 - 120;
    }
    Add(std::move(choice));
  }

  Fault RandomFault() {
    constexpr Fault kFaults[] = {
        Fault::kRefused,   Fault::kRefused, Fault::kQuota, Fault::kQuota,
        Fault::kNoReserve, Fault::kStored,  Fault::kLost,  Fault::kLate};
    return kFaults[Below(8)];
  }

  // ---------------------------------------------------------------- requests

  Request RandomRequest() {
    if (transactions_ > 0 && OneIn(transactions_)) return RandomStep();
    Request request = RandomPlainRequest();
    request.is_fresh = !IsWrite(request) && OneIn(5);
    return request;
  }

  // Of the transaction of the tab: a read, or its end.
  Request RandomStep() {
    const auto table = [this] { return OneIn(4) ? "TabB" : "TabA"; };
    if (OneIn(3)) {
      Request end{.kind = OperationKind::kAccountTransaction};
      for (std::size_t writes = 1 + Below(4); writes > 0; --writes) {
        end.writes.push_back(RandomWrite());
        end.writes.back().table = table();
      }
      return end;
    }
    Request read = RandomQuery(table());
    if (OneIn(2) || read.kind != OperationKind::kQueryEntities) {
      read = {.kind = OperationKind::kGetEntity,
              .table = table(),
              .key = RandomKey()};
    }
    read.is_fresh = OneIn(5);
    read.is_of_transaction = true;
    return read;
  }

  Request RandomPlainRequest() {
    const std::string table = OneIn(8) ? "TabB" : "TabA";
    const std::size_t dice = Below(100);
    if (dice < (table == "TabA" ? 2U : 15U)) {
      return {.kind = OperationKind::kCreateTable, .table = table};
    }
    if (dice < (table == "TabA" ? 3U : 20U)) {
      return {.kind = OperationKind::kDeleteTable, .table = table};
    }
    if (dice < 11) return {.kind = OperationKind::kGetTable, .table = table};
    if (dice < 14) return {.kind = OperationKind::kQueryTables};
    if (dice < 22) {
      return {.kind = OperationKind::kGetEntity,
              .table = table,
              .key = RandomKey()};
    }
    if (dice < 32) return RandomQuery(table);
    if (dice < 40) {
      return {.kind = OperationKind::kQueryEntities, .goes_on = true};
    }
    if (dice < 52) return RandomTransaction(table);
    if (dice < 59) return RandomImport(table);
    if (dice < 61) return RandomIndexes(table);
    const Write write = RandomWrite();
    return {.kind = write.kind, .table = table, .writes = {write}};
  }

  // A step of a build, or other indexes than before.
  Request RandomIndexes(const std::string& table) {
    constexpr const char* kIndexes[] = {
        "A", "A", "A|*", "A|*", "B desc,A;A", "B desc,A;A|B", ""};
    return {.kind = OperationKind::kSetTableIndexes,
            .table = table,
            .indexes = kIndexes[Below(std::size(kIndexes))]};
  }

  Request RandomQuery(const std::string& table) {
    Request query{.kind = OperationKind::kQueryEntities, .table = table};
    if (OneIn(3)) query.selection.partition = RandomKey().first;
    if (OneIn(3)) query.selection.row_from = RandomKey().second;
    if (OneIn(3)) query.selection.least_a = static_cast<int>(Below(10));
    if (OneIn(4)) {
      query.kind = OperationKind::kCountEntities;
      return query;
    }
    if (!OneIn(4)) query.selection.top = 1 + Below(3);
    return query;
  }

  Request RandomTransaction(const std::string& table) {
    Request request{.kind = OperationKind::kTransaction, .table = table};
    const std::string partition = RandomKey().first;
    for (std::size_t parts = 1 + Below(4); parts > 0; --parts) {
      Write write = RandomWrite();
      write.key.first = partition;
      const bool is_taken = std::ranges::any_of(
          request.writes,
          [&](const Write& other) { return other.key == write.key; });
      if (!is_taken) request.writes.push_back(std::move(write));
    }
    return request;
  }

  // Some too few for a page, some enough.
  Request RandomImport(const std::string& table) {
    constexpr OperationKind kKinds[] = {OperationKind::kInsertEntity,
                                        OperationKind::kReplaceEntity,
                                        OperationKind::kMergeEntity};
    Request request{.kind = OperationKind::kImportEntities,
                    .table = table,
                    .part_size = 1 + Below(8)};
    const OperationKind kind = kKinds[Below(3)];
    for (std::size_t count = 1 + Below(12); count > 0; --count) {
      request.writes.push_back(
          {.kind = kind, .key = RandomKey(), .values = RandomValues()});
      // Else most would stop at once.
      if (kind == OperationKind::kInsertEntity && !OneIn(6)) {
        request.writes.back().key.second =
            "i" + std::to_string(Below(4)) + std::to_string(writes_);
      }
    }
    return request;
  }

  Write RandomWrite() {
    constexpr OperationKind kKinds[] = {
        OperationKind::kInsertEntity, OperationKind::kReplaceEntity,
        OperationKind::kMergeEntity, OperationKind::kMergeEntity,
        OperationKind::kDeleteEntity};
    Write write{.kind = kKinds[Below(5)], .key = RandomKey()};
    const bool is_delete = write.kind == OperationKind::kDeleteEntity;
    if (is_delete || (write.kind != OperationKind::kInsertEntity && OneIn(2))) {
      write.condition = RandomCondition();
    }
    if (is_delete) return write;
    write.values = RandomValues();
    return write;
  }

  // `W` is the number that tells the write from all others.
  Properties RandomValues() {
    Properties values;
    if (OneIn(2)) values.emplace_back("A", std::to_string(Below(10)));
    if (OneIn(2)) values.emplace_back("B", std::to_string(Below(10)));
    if (padding_ > 0 && OneIn(2)) {
      values.emplace_back("P", '"' + std::string(Below(padding_), 'x') + '"');
    }
    values.emplace_back("W", std::to_string(++writes_));
    return values;
  }

  Condition RandomCondition() {
    constexpr Condition kConditions[] = {Condition::kAny, Condition::kRight,
                                         Condition::kRight, Condition::kStale};
    return kConditions[Below(4)];
  }

  // Few, so that requests meet.
  Key RandomKey() {
    return {"p" + std::to_string(Below(partitions_)),
            "r" + std::to_string(Below(rows_))};
  }

  std::mt19937_64 random_;
  std::size_t tabs_ = 1;
  std::size_t partitions_ = 1;  // Of a table.
  std::size_t rows_ = 1;        // Of a partition.
  std::size_t padding_ = 0;     // Of an entity, at most, in bytes.
  // One in so many requests belongs to one of the account; zero: none.
  std::size_t transactions_ = 0;
  std::uint64_t time_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t writes_ = 0;
  std::vector<Choice> choices_;
};

std::string FaultText(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      return "";
    case Fault::kQuota:
      return ", no room for a commit that takes some";
    case Fault::kNoReserve:
      return ", no room for a commit";
    case Fault::kRefused:
      return ", which refuses";
    case Fault::kStored:
      return ", the outcome of a commit is lost";
    case Fault::kLost:
      return ", a commit is lost and so is its outcome";
    case Fault::kLate:
      return ", a commit is late and its outcome is lost";
  }
  return "";
}

}  // namespace

Schedule RandomSchedule(std::uint64_t seed) {
  Author author(seed);
  Schedule schedule{.seed = seed};
  schedule.options = author.RandomOptions();
  schedule.choices = author.RandomChoices();
  return schedule;
}

std::string Describe(const Choice& choice) {
  const std::string tab = "tab " + std::to_string(choice.tab) + ": ";
  const std::string of_tab = " of tab " + std::to_string(choice.tab);
  switch (choice.kind) {
    case Kind::kOpen:
      return tab + "open";
    case Kind::kCrash:
      return tab + "crash";
    case Kind::kSubmit:
      return tab + "submit #" + std::to_string(choice.request.number) + " " +
             Describe(choice.request);
    case Kind::kWithdraw:
      return tab + "withdraw";
    case Kind::kTurn:
      return tab + "one turn";
    case Kind::kWork:
      return tab + "work";
    case Kind::kPerform:
      return "storage: perform" + of_tab + FaultText(choice.fault);
    case Kind::kDeliver:
      return "storage: deliver" + of_tab;
    case Kind::kArrive:
      return "storage: a late commit arrives";
    case Kind::kFallBack:
      return "storage: forgets the last records";
    case Kind::kSetClock:
      return tab + "clock at " + std::to_string(choice.clock_minutes) + " min";
  }
  return "?";
}

}  // namespace entitable::model_check
