// The result of a random filter, kept up to date by what its follower is told
// of the random writes of several engines on one storage, against a fresh
// query.  The engines declare indexes, too, which the query uses, and which
// must fit the entities. ENTITABLE_RANDOM_FOLLOWERS: how many stores, by
// default 20.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/memory_host.h"
#include "support/naive_rows.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/random_filter.h"
#include "support/repair.h"
#include "support/values_reader.h"
#include "wire/entity_writer.h"

namespace entitable {
namespace {

// The etag of each entity, which changes with each write, by its keys. Nothing:
// there is no table.
using Etags = std::map<std::pair<std::string, std::string>, std::string>;
using Rows = std::optional<Etags>;

void Put(const ValuesRow& row, Etags& rows) {
  rows[{row.at("partitionKey"), row.at("rowKey")}] = row.at("etag");
}

Rows Queried(MemoryHost& host, const std::string& filter) {
  Etags rows;
  OwnedOperation query =
      Query("Tab", {.format = WireFormat::kValues, .filter = filter});
  for (bool has_more = true; has_more;) {
    const auto page = host.Do(query);
    if (!page) {
      EXPECT_EQ(Outcome(page), "404 TableNotFound");
      return std::nullopt;
    }
    for (const ValuesRow& row : ReadValues(page->body)) Put(row, rows);
    has_more = page->next_partition_key.has_value();
    query.with.next_partition_key = page->next_partition_key;
    query.with.next_row_key = page->next_row_key;
  }
  return rows;
}

class Follower {
 public:
  Follower(MemoryHost& host, std::string filter)
      : host_(host), filter_(std::move(filter)) {}

  // Takes whatever is to be told, and goes on to wait.
  void Update() {
    for (;;) {
      const bool is_new = !request_;
      if (is_new) {
        request_ = host_.Submit(
            OwnedOperation{OperationKind::kAwaitChanges,
                           "Tab",
                           {},
                           {},
                           {},
                           {.filter = filter_, .position = position_}});
      }
      const auto answer = host_.Await(*request_);
      if (Outcome(answer) == "500 InternalError") return;
      request_.reset();
      if (Outcome(answer) == "404 TableNotFound") {
        rows_.reset();
        position_.reset();
        // Or there is one again by now.
        if (is_new) return;
        continue;
      }
      ASSERT_TRUE(answer.has_value()) << Outcome(answer);
      position_ = answer->position;
      Take(*answer);
    }
  }

  // Begins anew: the engine that it asked is gone.
  void Forget() {
    request_.reset();
    position_.reset();
  }

  const Rows& rows() const { return rows_; }
  const std::string& filter() const { return filter_; }
  std::size_t told() const { return told_; }
  std::size_t resets() const { return resets_; }

 private:
  void Take(const Response& answer) {
    if (answer.status == kReset) {
      ++resets_;
      rows_ = Queried(host_, filter_);
      return;
    }
    ASSERT_TRUE(rows_.has_value());
    for (const ValuesRow& row : ReadValues(answer.body)) {
      ++told_;
      if (row.contains("timestamp")) {
        Put(row, *rows_);
      } else {
        rows_->erase({row.at("partitionKey"), row.at("rowKey")});
      }
    }
  }

  MemoryHost& host_;
  std::string filter_;
  std::optional<RequestId> request_;
  std::optional<std::uint64_t> position_;
  Rows rows_;
  std::size_t told_ = 0;
  std::size_t resets_ = 0;
};

// Several engines that write, of which the first one is followed.
class Store {
 public:
  explicit Store(std::uint64_t seed) : random_(seed), filters_(seed) {
    for (auto& host : hosts_) {
      const StoreLimits limits{.cache_bytes = Below(100'000),
                               .flush_bytes = 2'000 + Below(30'000),
                               .flush_records = 1 + Below(30),
                               .page_bytes = 500 + Below(4'000),
                               .step_pages = 1 + Below(4),
                               .import_bytes = 2'000 + Below(8'000)};
      host = std::make_unique<MemoryHost>(storage_, Profile::kDefault, limits);
    }
    EXPECT_EQ(Outcome(hosts_[0]->Do(NewTable("Tab"))), "201");
    while (followers_.size() < 3) {
      const std::string filter = filters_.NextFilter();
      const bool is_one = naive::Filter(filter).status() == naive::Status::kOk;
      if (is_one) followers_.emplace_back(*hosts_[0], filter);
    }
    // One that an index helps, and one that needs none.
    followers_.emplace_back(*hosts_[0], filters_.NextEquality("A"));
    followers_.emplace_back(*hosts_[0], "");
  }

  void WriteSomething() {
    MemoryHost& host = *hosts_[Below(hosts_.size())];
    host.set_clock(MemoryHost::kSomeTime + static_cast<double>(Below(1000)));
    const std::size_t choice = Below(100);
    if (choice < 60) {
      PutOrDelete(host, 1 + Below(6));
    } else if (choice < 75) {
      Load(host, 1 + Below(60));
    } else if (choice < 78) {
      Try(host, DropTable("Tab"));
    } else if (choice < 84) {
      Try(host, NewTable("Tab"));
    } else if (choice < 90) {
      DeclareIndexes(host);
    } else if (choice < 94) {
      host.Restart();
      if (&host != hosts_[0].get()) return;
      for (Follower& follower : followers_) follower.Forget();
    } else {
      host.faults().RefuseNextCommit(CommitOutcome::kRefused);
      PutOrDelete(host, 2);
      host.faults().Repair();
    }
  }

  // Commits of other engines are known after a refresh; the follower's own
  // commits, at once.
  void ExpectAgreement() {
    if (Below(3) == 0) return;
    Try(*hosts_[0], FindTable("Tab", {.fresh = true}));
    MemoryHost reader(storage_);
    for (Follower& follower : followers_) {
      SCOPED_TRACE("filter: " + follower.filter());
      follower.Update();
      EXPECT_EQ(follower.rows(), Queried(reader, follower.filter()));
      const std::string plan = Body(reader.Do(Count("Tab", follower.filter())));
      if (plan.contains(R"("access":"index")")) ++index_uses_;
    }
    if (Below(4) > 0) return;
    const auto verifier = VerifyAll(*storage_);
    for (const Finding& finding : verifier.findings()) {
      ADD_FAILURE() << finding.message;
    }
  }

  std::size_t index_uses() const { return index_uses_; }
  std::size_t told() const {
    std::size_t told = 0;
    for (const Follower& follower : followers_) told += follower.told();
    return told;
  }
  std::size_t resets() const {
    std::size_t resets = 0;
    for (const Follower& follower : followers_) resets += follower.resets();
    return resets;
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }

  // What it comes to is of no interest.
  static void Try(MemoryHost& host, const OwnedOperation& operation) {
    static_cast<void>(host.Do(operation));
  }

  std::string BodyOf(const naive::Entity& entity) {
    std::string body;
    AppendEntity({MetadataLevel::kFull, "account", "http://host", "Tab"},
                 KeyOf(entity), EntityOf(entity), body);
    return body;
  }

  naive::Entity NextEntity() {
    naive::Entity entity = filters_.NextEntity();
    entity.at("RowKey").text += std::to_string(Below(20));
    return entity;
  }

  // The table has few entities, so one step builds the indexes.
  void DeclareIndexes(MemoryHost& host) {
    constexpr std::string_view kIndexes[] = {"",  "A",        "S;A,B desc",
                                             "B", "RowKey;A", "N desc,A;S,B"};
    Try(host, SetIndexes("Tab", std::string(kIndexes[Below(6)])));
  }

  // All at once, so that they share commits.
  void PutOrDelete(MemoryHost& host, std::size_t count) {
    std::vector<RequestId> requests;
    for (; count > 0; --count) {
      const naive::Entity entity = NextEntity();
      const std::string partition_key = entity.at("PartitionKey").text;
      const std::string row_key = entity.at("RowKey").text;
      requests.push_back(host.Submit(
          Below(4) == 0
              ? Delete("Tab", partition_key, row_key)
              : Replace("Tab", partition_key, row_key, BodyOf(entity))));
    }
    for (const RequestId request : requests) {
      static_cast<void>(host.Await(request));
    }
  }

  void Load(MemoryHost& host, std::size_t count) {
    std::string input;
    for (; count > 0; --count) input += BodyOf(NextEntity()) + "\n";
    const ImportMode mode =
        Below(2) == 0 ? ImportMode::kReplace : ImportMode::kMerge;
    Try(host,
        Import("Tab", input, {.mode = mode, .begins = true, .ends = true}));
  }

  std::mt19937_64 random_;
  RandomFilters filters_;
  std::shared_ptr<MemoryStorage> storage_ = std::make_shared<MemoryStorage>();
  std::array<std::unique_ptr<MemoryHost>, 3> hosts_;
  std::vector<Follower> followers_;
  std::size_t index_uses_ = 0;
};

TEST(RandomChangesTest, KeepAResultEqualToAFreshQuery) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  std::mt19937_64 seeds(TestSeed());
  std::size_t told = 0;
  std::size_t resets = 0;
  std::size_t index_uses = 0;
  const std::size_t stores = WantedRuns("ENTITABLE_RANDOM_FOLLOWERS", 20);
  const auto has_seen_enough = [&] {
    return told > resets * 2 && resets > stores && index_uses > stores;
  };
  for (std::size_t i = 0;
       TriesAgain(i, stores, has_seen_enough()) && !testing::Test::HasFailure();
       ++i) {
    Store store(seeds());
    for (int step = 0; step < 100 && !testing::Test::HasFailure(); ++step) {
      SCOPED_TRACE("store " + std::to_string(i) + " step " +
                   std::to_string(step));
      store.WriteSomething();
      store.ExpectAgreement();
    }
    told += store.told();
    resets += store.resets();
    index_uses += store.index_uses();
  }

  EXPECT_TRUE(has_seen_enough()) << told << " told, " << resets << " resets, "
                                 << index_uses << " uses of indexes";
}

}  // namespace
}  // namespace entitable
