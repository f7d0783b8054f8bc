// Random writes by two engines on one storage, with faults and restarts,
// against a model that is a few maps.
//
// ENTITABLE_RANDOM_STORES: how many stores, by default 16.  To see a failure
// again: ENTITABLE_SEED=<seed> entitable_tests
// --gtest_filter='RandomOperations*'

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/engine_test.h"
#include "support/random.h"

namespace entitable {
namespace {

// ------------------------------------------------------------------ requests

using Values = std::map<std::string, int>;

struct Write {
  OperationKind kind;
  std::string row_key;
  Values values;
  std::optional<std::string> if_match;
};

// A table operation, one write, or a transaction of several.
struct RandomRequest {
  OperationKind kind;
  std::string table;
  std::vector<Write> writes = {};
};

std::string MembersOf(const Values& values) {
  std::string members;
  for (const auto& [name, value] : values) {
    if (!members.empty()) members += ',';
    members += "\"" + name + "\":" + std::to_string(value);
  }
  return members;
}

OwnedOperation OperationOf(const std::string& table, const Write& write) {
  const std::string members = MembersOf(write.values);
  const With with{.if_match = write.if_match};
  switch (write.kind) {
    case OperationKind::kInsertEntity:
      return Insert(table, EntityBody("p", write.row_key, members));
    case OperationKind::kReplaceEntity:
      return Replace(table, "p", write.row_key, "{" + members + "}", with);
    case OperationKind::kMergeEntity:
      return Merge(table, "p", write.row_key, "{" + members + "}", with);
    default:
      return Delete(table, "p", write.row_key, with);
  }
}

OwnedOperation OperationOf(const RandomRequest& request) {
  if (request.kind == OperationKind::kCreateTable) {
    return NewTable(request.table);
  }
  if (request.kind == OperationKind::kDeleteTable) {
    return DropTable(request.table);
  }
  if (request.kind != OperationKind::kTransaction) {
    return OperationOf(request.table, request.writes.front());
  }
  std::vector<OwnedOperation> parts;
  for (const Write& write : request.writes) {
    parts.push_back(OperationOf(request.table, write));
  }
  return Transaction(std::move(parts));
}

std::string Describe(const RandomRequest& request) {
  std::string text =
      std::to_string(static_cast<int>(request.kind)) + " " + request.table;
  for (const Write& write : request.writes) {
    text += " [" + std::to_string(static_cast<int>(write.kind)) + " " +
            write.row_key + " {" + MembersOf(write.values) + "} " +
            write.if_match.value_or("-") + "]";
  }
  return text;
}

// --------------------------------------------------------------------- model

struct Row {
  std::string etag;  // Empty as long as no answer told it.
  Values values;
};

class Model {
 public:
  // Does it if it can be done, and returns the outcome that it must have.
  std::string Do(const RandomRequest& request) {
    const auto table = tables_.find(request.table);
    const bool is_there = table != tables_.end();
    switch (request.kind) {
      case OperationKind::kCreateTable:
        tables_.try_emplace(request.table);
        return is_there ? "409 TableAlreadyExists" : "201";
      case OperationKind::kDeleteTable:
        if (is_there) tables_.erase(table);
        return is_there ? "204" : "404 ResourceNotFound";
      case OperationKind::kTransaction:
        return is_there ? DoAll(table->second, request.writes)
                        : "404 TableNotFound at 0";
      default:
        return is_there ? DoOne(table->second, request.writes.front())
                        : "404 TableNotFound";
    }
  }

  Row* Find(const std::string& table, const std::string& row_key) {
    const auto rows = tables_.find(table);
    if (rows == tables_.end()) return nullptr;
    const auto row = rows->second.find(row_key);
    return row == rows->second.end() ? nullptr : &row->second;
  }

  // As Contents() describes an account.
  std::string Contents() const {
    std::string names;
    std::string feeds;
    for (const auto& [name, rows] : tables_) {
      if (!names.empty()) names += ',';
      names += "{\"TableName\":\"" + name + "\"}";
      feeds += "\n" + Feed(name, rows);
    }
    return Begin("Tables") + names + "]}" + feeds;
  }

 private:
  using Rows = std::map<std::string, Row>;

  static std::string DoAll(Rows& rows, const std::vector<Write>& writes) {
    Rows changed = rows;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const std::string outcome = DoOne(changed, writes[i]);
      if (outcome >= "3") return outcome + " at " + std::to_string(i);
    }
    rows = std::move(changed);
    return "202";
  }

  static std::string DoOne(Rows& rows, const Write& write) {
    const auto row = rows.find(write.row_key);
    const bool is_there = row != rows.end();
    if (write.kind == OperationKind::kInsertEntity) {
      if (is_there) return "409 EntityAlreadyExists";
      rows[write.row_key] = {"", write.values};
      return "201";
    }
    if (write.if_match && !is_there) return "404 ResourceNotFound";
    if (write.if_match && *write.if_match != "*" &&
        *write.if_match != row->second.etag) {
      return "412 UpdateConditionNotSatisfied";
    }
    if (write.kind == OperationKind::kDeleteEntity) {
      rows.erase(row);
      return "204";
    }
    Values values = write.values;
    if (write.kind == OperationKind::kMergeEntity && is_there) {
      values.insert(row->second.values.begin(), row->second.values.end());
    }
    rows[write.row_key] = {"", std::move(values)};
    return "204";
  }

  static std::string Begin(const std::string& set) {
    return R"({"odata.metadata":"https://acct.table.core.windows.net/)"
           R"($metadata#)" +
           set + R"(","value":[)";
  }

  static std::string Feed(const std::string& name, const Rows& rows) {
    std::string elements;
    for (const auto& [row_key, row] : rows) {
      const std::string tag = InnerText(row.etag);
      std::string time = tag;
      for (auto at = time.find("%3A"); at != time.npos; at = time.find("%3A")) {
        time.replace(at, 3, ":");
      }
      if (!elements.empty()) elements += ',';
      elements += R"({"odata.etag":"W/\"datetime')" + tag +
                  R"('\"","PartitionKey":"p","RowKey":")" + row_key +
                  R"(","Timestamp":")" + time + '"';
      if (!row.values.empty()) elements += ',' + MembersOf(row.values);
      elements += '}';
    }
    return Begin(name) + elements + "]}";
  }

  // The time in W/"datetime'...'".
  static std::string InnerText(const std::string& etag) {
    return etag.empty() ? "unknown" : etag.substr(12, etag.size() - 14);
  }

  std::map<std::string, Rows> tables_;
};

// ---------------------------------------------------------------------- test

class RandomOperationsTest : public testing::Test {
 protected:
  using Requests = std::vector<RandomRequest>;
  using Answers = std::vector<Result<Response>>;

  std::size_t Below(std::size_t end) { return random_() % end; }
  bool OneIn(std::size_t count) { return Below(count) == 0; }

  std::string RandomIfMatch(const std::string& table, const Write& write) {
    const Row* row = model_.Find(table, write.row_key);
    if (OneIn(2)) return "*";
    return row == nullptr || OneIn(3) ? R"(W/"other")" : row->etag;
  }

  Write RandomWrite(const std::string& table) {
    constexpr OperationKind kKinds[] = {
        OperationKind::kInsertEntity, OperationKind::kReplaceEntity,
        OperationKind::kMergeEntity, OperationKind::kDeleteEntity};
    Write write{kKinds[Below(4)], std::to_string(Below(6)), {}, {}};
    for (const char* name : {"A", "B", "C"}) {
      if (OneIn(2)) write.values[name] = static_cast<int>(Below(1000));
    }
    if (write.kind == OperationKind::kDeleteEntity || OneIn(2)) {
      write.if_match = RandomIfMatch(table, write);
    }
    return write;
  }

  RandomRequest Random() {
    const std::string table = OneIn(2) ? "TabA" : "TabB";
    if (OneIn(16)) return {OperationKind::kDeleteTable, table};
    if (OneIn(8)) return {OperationKind::kCreateTable, table};
    const Write write = RandomWrite(table);
    if (!OneIn(4)) return {write.kind, table, {write}};
    RandomRequest transaction{OperationKind::kTransaction, table, {write}};
    const Write other = RandomWrite(table);
    if (other.row_key != write.row_key) transaction.writes.push_back(other);
    return transaction;
  }

  // A fault for the next requests.  Returns true if they may fail because of
  // it.
  bool RandomFault(MemoryHost& host) {
    StorageFaults& faults = host.faults();
    switch (Below(10)) {
      case 0:
        faults.RefuseNextCommit(OneIn(2) ? CommitOutcome::kQuota
                                         : CommitOutcome::kRefused);
        return true;
      case 1:
        for (std::size_t i = Below(6); i > 0; --i) {
          faults.LoseNextOutcome(static_cast<Fate>(Below(3)));
        }
        if (OneIn(3)) faults.RefuseNextCommit(CommitOutcome::kQuota);
        if (OneIn(3)) faults.FailNextRead();
        return true;
      case 2:
        faults.FailNextRead();
        return true;
      case 3:
        faults.Damage(ValueKey::Record(last_record()), Below(30));
        if (OneIn(2)) host.Restart();
        return true;
      case 4:
        faults.LoseNextRace([this, &host] {
          DoTogether(host_other_than(host), {Random()}, false);
        });
        return false;
      case 5:
        host.Restart();
        return false;
      default:
        return false;
    }
  }

  // Submits them, and checks the answers.
  void DoTogether(MemoryHost& host, const Requests& requests, bool may_fail) {
    std::vector<RequestId> ids;
    for (const auto& one : requests)
      ids.push_back(host.Submit(OperationOf(one)));
    Answers answers;
    for (const RequestId id : ids) answers.push_back(host.Await(id));
    host.faults().Repair();

    bool has_failed = false;
    for (const auto& answer : answers) has_failed |= IsStorageError(answer);
    EXPECT_TRUE(may_fail || !has_failed);
    if (!has_failed) {
      EXPECT_TRUE(Explains(model_, requests, answers))
          << Show(requests, answers);
      EXPECT_EQ(Contents(host), model_.Contents()) << Show(requests, answers);
    } else {
      CheckAfterFailure(requests, answers);
    }
  }

  // What failed must have changed nothing, or, where the outcome is unknown,
  // all or nothing.  What came true unknown, came before the rest was
  // evaluated, or late; and in any order, because what is refused on the way is
  // evaluated again.
  void CheckAfterFailure(const Requests& requests, const Answers& answers) {
    std::vector<std::size_t> unknown;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (IsUnknown(answers[i])) unknown.push_back(i);
    }
    MemoryHost reader(hosts_[0]->shared_storage());
    const std::string contents = Contents(reader);
    do {
      std::size_t ways = 1;
      for (std::size_t i = 0; i < unknown.size(); ++i) ways *= kFates;
      for (std::size_t way = 0; way < ways; ++way) {
        Model candidate = model_;
        DoUnknown(requests, unknown, way, kCameFirst, candidate);
        if (!Explains(candidate, requests, answers)) continue;
        DoUnknown(requests, unknown, way, kCameLate, candidate);
        for (const std::size_t one : unknown) {
          ReadEtags(reader, requests[one], candidate);
        }
        if (candidate.Contents() != contents) continue;
        model_ = candidate;
        return;
      }
    } while (std::next_permutation(unknown.begin(), unknown.end()));
    ADD_FAILURE() << "Nothing explains " << Show(requests, answers)
                  << "\nbefore: " << model_.Contents()
                  << "\nafter: " << contents;
  }

  // What may have become of a request of unknown outcome.  A way is a number
  // with a digit for each of them.
  static constexpr std::size_t kCameFirst = 1;
  static constexpr std::size_t kCameLate = 2;
  static constexpr std::size_t kFates = 3;  // Or it never came.

  static void DoUnknown(const Requests& requests,
                        const std::vector<std::size_t>& unknown,
                        std::size_t way, std::size_t fate, Model& model) {
    for (const std::size_t one : unknown) {
      if (way % kFates == fate) model.Do(requests[one]);
      way /= kFates;
    }
  }

  // Whether the answers that tell something are those of the model, which does
  // the requests on the way.
  static bool Explains(Model& model, const Requests& requests,
                       const Answers& answers) {
    bool is_so = true;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (IsStorageError(answers[i])) continue;
      is_so = is_so && Outcome(answers[i]) == model.Do(requests[i]);
      if (!answers[i]) continue;
      for (std::size_t j = 0; j < requests[i].writes.size(); ++j) {
        const Response& part =
            answers[i]->parts.empty() ? *answers[i] : answers[i]->parts[j];
        Row* row = model.Find(requests[i].table, requests[i].writes[j].row_key);
        if (row != nullptr) row->etag = part.etag;
      }
    }
    return is_so;
  }

  static void ReadEtags(MemoryHost& reader, const RandomRequest& request,
                        Model& model) {
    for (const Write& write : request.writes) {
      Row* row = model.Find(request.table, write.row_key);
      if (row == nullptr) continue;
      const auto stored = reader.Do(Get(request.table, "p", write.row_key));
      if (stored) row->etag = stored->etag;
    }
  }

  static bool IsStorageError(const Result<Response>& answer) {
    return !answer && answer.error().code >= ErrorCode::kAccountClosed;
  }
  static bool IsUnknown(const Result<Response>& answer) {
    return !answer && answer.error().code == ErrorCode::kStorageOutcomeUnknown;
  }

  static std::string Show(const Requests& requests, const Answers& answers) {
    std::string text;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      text += "\n  " + Describe(requests[i]) + " -> " + Outcome(answers[i]);
    }
    return text;
  }

  std::uint64_t last_record() {
    std::uint64_t last = 0;
    for (const auto& [key, value] : hosts_[0]->storage().values()) {
      if (key.kind == ValueKey::Kind::kRecord) last = key.number;
    }
    return last;
  }

  MemoryHost& host_other_than(const MemoryHost& host) {
    return *hosts_[&host == hosts_[0].get() ? 1 : 0];
  }

  // Constant flushes and compactions, and hardly any page in the cache.
  StoreLimits FlushesSoon() {
    return {.cache_bytes = Below(2'000), .flush_records = 1 + Below(5)};
  }

  std::mt19937_64 random_{TestSeed()};
  std::array<std::unique_ptr<MemoryHost>, 2> hosts_;
  Model model_;
};

TEST_F(RandomOperationsTest, LeaveWhatAModelSays) {
  SCOPED_TRACE(testing::Message() << "ENTITABLE_SEED=" << TestSeed());
  const std::size_t stores = WantedRuns("ENTITABLE_RANDOM_STORES", 16);
  constexpr int kSteps = 150;  // Of each store, because logs grow.
  for (std::size_t store = 0; store < stores && !HasFailure(); ++store) {
    const StoreLimits limits = store % 4 == 0 ? StoreLimits{} : FlushesSoon();
    const auto storage = std::make_shared<MemoryStorage>();
    for (auto& host : hosts_) {
      host = std::make_unique<MemoryHost>(storage, Profile::kDefault, limits);
    }
    model_ = Model();
    DoTogether(*hosts_[0], {{OperationKind::kCreateTable, "TabA"}}, false);
    for (int step = 0; step < kSteps && !HasFailure(); ++step) {
      SCOPED_TRACE(testing::Message() << "store " << store << " step " << step);
      MemoryHost& host = *hosts_[Below(2)];
      host.set_clock(MemoryHost::kSomeTime + static_cast<double>(Below(100)));
      const bool may_fail = RandomFault(host);
      Requests requests;
      for (std::size_t i = 1 + Below(3); i > 0; --i)
        requests.push_back(Random());
      DoTogether(host, requests, may_fail);
    }
  }
}

}  // namespace
}  // namespace entitable
