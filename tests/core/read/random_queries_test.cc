// Queries, ordered queries, groups and counts, slice by slice, compared with an
// evaluator over a map.
// The stores have many small pages, several runs and unflushed records.
// ENTITABLE_RANDOM_QUERIES: how many stores, by default 12.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/memory_host.h"
#include "support/naive_order.h"
#include "support/naive_rows.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/random_filter.h"
#include "support/repair.h"
#include "support/stored_pages.h"
#include "support/values_reader.h"
#include "wire/entity_writer.h"

namespace entitable {
namespace {

constexpr std::size_t kFiltersPerStore = 40;

using Ids = std::vector<long long>;

struct KeyOrder {
  bool operator()(const EntityKey& a, const EntityKey& b) const {
    const int order = naive::CompareOrdinal(a.partition_key, b.partition_key);
    if (order != 0) return order < 0;
    return naive::CompareOrdinal(a.row_key, b.row_key) < 0;
  }
};

// A table, and the same as a map.  Each state of an entity has an Id of its
// own.
class RandomTable {
 public:
  explicit RandomTable(std::uint64_t seed)
      : random_(seed),
        filters_(seed),
        has_one_type_a_name_(Below(2) == 0),
        host_(std::make_shared<MemoryStorage>(), Profile::kDefault,
              {.cache_bytes = 8'000 + Below(100'000),
               .flush_bytes = 5'000 + Below(30'000),
               .flush_records = 10 + Below(100),
               .page_bytes = 500 + Below(4'000),
               .step_pages = 1 + Below(4)},
              {.slice_units = 1 + Below(Below(2) == 0 ? 20 : 2'000),
               .page_units = 1 + Below(20'000)}) {
    Expect("201", NewTable("Other"));
    Expect("201", NewTable("Tab"));
    Expect("201", NewTable("Zebra"));
  }

  void Fill() {
    for (std::size_t left = 300 + Below(900); left > 0; --left) {
      const std::size_t choice = Below(400);
      if (choice == 0) {
        DropAndMakeAnew();
      } else if (choice >= 390) {
        DeclareIndexes();
      } else if (choice < 3) {
        host_.Restart();
      } else if (choice < 60) {
        DeleteOne();
      } else {
        PutOne();
      }
    }
    ReadTimestamps();
    const auto verifier = VerifyAll(host_.storage());
    for (const Finding& finding : verifier.findings()) {
      ADD_FAILURE() << finding.message;
    }
  }

  // Restarts now and then, so that pages are missing.
  void ExpectAgreement() {
    const std::string text = NextFilter();
    SCOPED_TRACE("filter: " + text);
    const naive::Filter filter(text);
    if (filter.status() != naive::Status::kOk) return;
    Ids expected;
    for (const auto& [key, entity] : rows_) {
      if (filter.IsTrueOf(entity)) expected.push_back(entity.at("Id").integer);
    }
    if (Below(4) == 0) host_.Restart();
    EXPECT_EQ(Queried(Query("Tab", {.filter = text})), expected);
    if (Below(4) == 0) host_.Restart();
    ExpectOrder(text, filter);
    ExpectGroups(text, filter);
    if (Below(4) == 0) host_.Restart();
    EXPECT_EQ(Counted(text), static_cast<long long>(expected.size()));
    matches_ += expected.size();
    candidates_ += rows_.size();
  }

  std::size_t Below(std::size_t limit) { return random_() % limit; }
  std::size_t matches() const { return matches_; }
  std::size_t candidates() const { return candidates_; }
  std::size_t index_uses() const { return index_uses_; }
  std::size_t leaves() { return ReadStoredPages(host_.storage()).leaves; }
  std::size_t runs() { return ReadStoredPages(host_.storage()).runs; }

 private:
  void Expect(const std::string& outcome, const OwnedOperation& operation) {
    ASSERT_EQ(Outcome(host_.Do(operation)), outcome);
  }

  // Some of them are of keys alone, or none at all.
  std::string NextFilter() {
    const std::size_t choice = Below(8);
    if (choice > 1 && !indexes_.empty() && Below(4) > 0) {
      const naive::Order& index = indexes_[Below(indexes_.size())];
      return filters_.NextEquality(index.front().name) + " and (" +
             filters_.NextFilter() + ")";
    }
    if (choice > 1 || rows_.empty()) return filters_.NextFilter();
    if (choice == 0) return "";
    const EntityKey& key =
        std::next(rows_.begin(),
                  static_cast<std::ptrdiff_t>(Below(rows_.size())))
            ->first;
    if (key.partition_key.contains('\'') || key.row_key.contains('\'')) {
      return "";
    }
    const std::string partition = "PartitionKey eq '" + key.partition_key + "'";
    if (Below(2) == 0) return partition;
    return partition + " and RowKey ge '" + key.row_key + "'";
  }

  naive::Entity NextEntity() {
    naive::Entity entity = filters_.NextEntity();
    if (Below(3) > 0) {
      entity.at("RowKey").text += std::to_string(Below(40));
    }
    if (has_one_type_a_name_) {
      for (auto& [name, value] : entity) {
        if (name.ends_with("Key") || name == "Timestamp") continue;
        value = NextValueOf(static_cast<naive::Value::Type>(name.size() % 8));
      }
    }
    entity["Id"] = {naive::Value::Type::kInt32, ++last_id_};
    return entity;
  }

  // Some of the names are those of no property.
  naive::Order NextOrder() {
    constexpr std::string_view kNames[] = {
        "A",  "B",       "S",      "N",         "\u00e9",
        "Id", "Missing", "RowKey", "Timestamp", "PartitionKey"};
    naive::Order order;
    for (std::size_t left = Below(4); left > 0; --left) {
      const std::string name(kNames[Below(std::size(kNames))]);
      const bool is_new = std::ranges::none_of(
          order, [&](const auto& term) { return term.name == name; });
      if (is_new) order.push_back({name, Below(2) == 0});
    }
    return order;
  }

  // Often that of an index, or of its last terms.
  naive::Order NextQueryOrder() {
    if (indexes_.empty() || Below(2) == 0) return NextOrder();
    const naive::Order& index = indexes_[Below(indexes_.size())];
    const auto first = static_cast<std::ptrdiff_t>(Below(index.size()));
    return {index.begin() + first, index.end()};
  }

  void ExpectOrder(const std::string& text, const naive::Filter& filter) {
    const naive::Order order = NextQueryOrder();
    std::vector<const naive::Entity*> expected;
    for (const auto& [key, entity] : rows_) {
      if (filter.IsTrueOf(entity)) expected.push_back(&entity);
    }
    // The rows are in the order of their keys.
    std::ranges::stable_sort(
        expected, [&](const naive::Entity* a, const naive::Entity* b) {
          return naive::Compare(order, *a, *b) < 0;
        });
    OwnedOperation query =
        Ordered("Tab", naive::ToString(order), {.filter = text});
    std::size_t skip = 0;
    std::size_t most = expected.size();
    if (Below(2) == 0) {
      skip = Below(Below(2) == 0 ? 5 : 500);
      query.with.skip = std::to_string(skip);
    }
    if (Below(2) == 0) {
      most = Below(Below(2) == 0 ? 10 : 500);
      query.with.most = std::to_string(most);
    }
    Ids ids;
    for (std::size_t i = skip; i < expected.size() && i - skip < most; ++i) {
      ids.push_back(expected[i]->at("Id").integer);
    }
    EXPECT_EQ(Queried(query), ids) << "order: " << naive::ToString(order)
                                   << ", skip " << skip << ", most " << most;
  }

  // Each entity of a group has an Id of its own, so its sum tells them.
  void ExpectGroups(const std::string& text, const naive::Filter& filter) {
    const naive::Order order = NextOrder();
    std::vector<const naive::Entity*> found;
    for (const auto& [key, entity] : rows_) {
      if (filter.IsTrueOf(entity)) found.push_back(&entity);
    }
    std::ranges::stable_sort(
        found, [&](const naive::Entity* a, const naive::Entity* b) {
          return naive::Compare(order, *a, *b) < 0;
        });
    Ids expected;
    if (order.empty()) expected.assign({0, 0});
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool is_new =
          !order.empty() &&
          (i == 0 || naive::Compare(order, *found[i - 1], *found[i]) != 0);
      if (is_new) expected.insert(expected.end(), {0, 0});
      ++expected[expected.size() - 2];
      expected.back() += found[i]->at("Id").integer;
    }
    const auto answer =
        host_.Do(Groups("Tab", naive::ToString(order), "count,sum Id", text));
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
    Ids ids;
    for (const ValuesRow& row : ReadValues(answer->body)) {
      ids.push_back(std::stoll(row.at("a0")));
      const std::string& sum = row.at("a1");
      ids.push_back(sum.empty() ? 0 : std::stoll(sum));
    }
    EXPECT_EQ(ids, expected) << "groups by " << naive::ToString(order);
  }

  // The generator of filters and entities knows which values are of interest.
  naive::Value NextValueOf(naive::Value::Type type) {
    while (true) {
      for (const auto& [name, value] : filters_.NextEntity()) {
        const bool is_key = name.ends_with("Key") || name == "Timestamp";
        if (!is_key && value.type == type && Below(2) == 0) return value;
      }
    }
  }

  void PutOne() {
    naive::Entity entity = NextEntity();
    const EntityKeyView key = KeyOf(entity);
    std::string body;
    AppendEntity({MetadataLevel::kFull, "account", "http://host", "Tab"}, key,
                 EntityOf(entity), body);
    const std::string partition_key(key.partition_key);
    const std::string row_key(key.row_key);
    Expect("204", Replace("Tab", partition_key, row_key, body));
    rows_[{partition_key, row_key}] = std::move(entity);
    // Its neighbours in the order of all entities.
    if (Below(8) > 0) return;
    const std::string table = Below(2) == 0 ? "Other" : "Zebra";
    Expect("204", Replace(table, partition_key, row_key, body));
  }

  void DeleteOne() {
    if (rows_.empty()) return;
    const auto row = std::next(
        rows_.begin(), static_cast<std::ptrdiff_t>(Below(rows_.size())));
    Expect("204", Delete("Tab", row->first.partition_key, row->first.row_key));
    rows_.erase(row);
  }

  void DropAndMakeAnew() {
    Expect("204", DropTable("Tab"));
    Expect("201", NewTable("Tab"));
    rows_.clear();
  }

  // Sometimes stops in the middle of the build.
  void DeclareIndexes() {
    std::string indexes;
    indexes_.clear();
    for (std::size_t left = Below(4); left > 0; --left) {
      const naive::Order order = NextOrder();
      const std::string terms = naive::ToString(order);
      const bool is_usable = !terms.empty() &&
                             terms.find("Timestamp") == std::string::npos &&
                             indexes.find(terms) == std::string::npos;
      if (!is_usable) continue;
      if (!indexes.empty()) indexes += ';';
      constexpr std::string_view kIncluded[] = {"", "", "|*", "|Id", "|S,A,Id"};
      indexes += terms;
      indexes += kIncluded[Below(std::size(kIncluded))];
      indexes_.push_back(order);
    }
    for (std::size_t steps = 1 + Below(4); steps > 0; --steps) {
      const auto answer = host_.Do(SetIndexes("Tab", indexes));
      ASSERT_TRUE(answer.has_value()) << Outcome(answer) << indexes;
    }
  }

  void ReadTimestamps() {
    for (auto& [key, entity] : rows_) {
      const std::string body =
          Body(host_.Do(Get("Tab", key.partition_key, key.row_key)));
      const auto time = DateTime::Parse(TextsOf("Timestamp", body).at(0));
      ASSERT_TRUE(time.has_value()) << body;
      entity.at("Timestamp").integer = time->ticks - kMinDateTime.ticks;
    }
  }

  Ids Queried(OwnedOperation query) {
    Ids ids;
    if (Below(2) == 0) query.with.top = std::to_string(1 + Below(100));
    if (Below(2) == 0) query.with.select = "Id";
    for (bool has_more = true; has_more;) {
      const auto page = host_.Do(query);
      if (!page) {
        ADD_FAILURE() << Outcome(page);
        break;
      }
      for (const long long id : NumbersOf("Id", page->body)) ids.push_back(id);
      has_more = page->next_partition_key.has_value();
      if (has_more && Below(8) == 0) host_.Restart();
      query.with.next_partition_key = page->next_partition_key;
      query.with.next_row_key = page->next_row_key;
    }
    return ids;
  }

  long long Counted(const std::string& filter) {
    const std::string body = Body(host_.Do(Count("Tab", filter)));
    if (body.contains(R"("index":)")) ++index_uses_;
    const auto counts = NumbersOf("count", body);
    return counts.size() == 1 ? counts.front() : -1;
  }

  std::mt19937_64 random_;
  RandomFilters filters_;
  bool has_one_type_a_name_;
  MemoryHost host_;
  std::vector<naive::Order> indexes_;  // That were declared last.
  std::map<EntityKey, naive::Entity, KeyOrder> rows_;
  std::int64_t last_id_ = 0;
  std::size_t matches_ = 0;
  std::size_t candidates_ = 0;
  std::size_t index_uses_ = 0;
};

TEST(RandomQueriesTest, AgreeWithAnEvaluatorThatGoesThroughAMap) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  std::size_t matches = 0;
  std::size_t candidates = 0;
  std::size_t leaves = 0;
  std::size_t runs = 0;
  std::size_t index_uses = 0;
  const std::size_t stores = WantedRuns("ENTITABLE_RANDOM_QUERIES", 12);
  const auto has_seen_enough = [&] {
    return matches > candidates / 20 && matches < candidates * 8 / 10 &&
           leaves > 5 * stores && runs > stores / 2 && index_uses > stores;
  };
  for (std::size_t i = 0;
       TriesAgain(i, stores, has_seen_enough()) && !testing::Test::HasFailure();
       ++i) {
    SCOPED_TRACE("store " + std::to_string(i));
    RandomTable table(TestSeed() + i);
    table.Fill();
    for (std::size_t k = 0;
         k < kFiltersPerStore && !testing::Test::HasFailure(); ++k) {
      table.ExpectAgreement();
    }
    matches += table.matches();
    candidates += table.candidates();
    leaves += table.leaves();
    runs += table.runs();
    index_uses += table.index_uses();
  }
  EXPECT_TRUE(has_seen_enough())
      << matches << " of " << candidates << " match, " << leaves << " leaves, "
      << runs << " runs, " << index_uses << " uses of indexes";
}

}  // namespace
}  // namespace entitable
