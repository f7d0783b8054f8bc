// Filters of keys alone, which become ranges of stored keys.  The expected keys
// come from a comparison of UTF-16 code units, as the service has it.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/memory_host.h"
#include "support/naive_filter.h"
#include "support/operations.h"

namespace entitable {
namespace {

// The stored order is that of bytes, and differs from UTF-8 behind U+D7FF.
const std::vector<std::string> kTexts = {
    "", "a", "a!", "b", "b\uff21", "b\U0001f600", "b\ue000", "c"};
const std::vector<std::string> kOperators = {"eq", "gt", "ge", "lt", "le"};

bool Holds(const std::string& text, const std::string& op,
           const std::string& other) {
  const int order = naive::CompareOrdinal(text, other);
  if (op == "eq") return order == 0;
  if (op == "gt") return order > 0;
  if (op == "ge") return order >= 0;
  return op == "lt" ? order < 0 : order <= 0;
}

// A condition on a key property, as text and as its meaning.
struct Condition {
  std::string property;
  std::string op;
  std::string bound;

  std::string text() const { return property + ' ' + op + " '" + bound + '\''; }
  bool IsTrueOf(const std::string& partition_key,
                const std::string& row_key) const {
    return Holds(property == "RowKey" ? row_key : partition_key, op, bound);
  }
};
using Conditions = std::vector<Condition>;

class KeyFilters {
 public:
  explicit KeyFilters(StoreLimits limits)
      : host_(std::make_shared<MemoryStorage>(), Profile::kDefault, limits) {
    EXPECT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
    for (const std::string& partition_key : kTexts) {
      for (const std::string& row_key : kTexts) {
        const std::string id = "\"Id\":\"" + IdOf(partition_key, row_key) + '"';
        const auto body = EntityBody(partition_key, row_key, id);
        EXPECT_EQ(Outcome(host_.Do(Insert("Tab", body))), "201");
      }
    }
    host_.Run();
  }

  void Expect(const Conditions& conditions) {
    std::string filter;
    for (const Condition& condition : conditions) {
      filter += (filter.empty() ? "" : " and ") + condition.text();
    }
    std::vector<std::string> expected;
    for (const auto& [partition_key, row_key] : KeysInOrder()) {
      bool is_match = true;
      for (const Condition& condition : conditions) {
        is_match &= condition.IsTrueOf(partition_key, row_key);
      }
      if (is_match) expected.push_back(IdOf(partition_key, row_key));
    }
    EXPECT_EQ(IdsOf(filter, "1000"), expected) << filter;
    EXPECT_EQ(IdsOf(filter, "3"), expected) << filter;
  }

 private:
  using Keys = std::vector<std::pair<std::string, std::string>>;

  // Two digits: the places of both keys in the list above.
  static std::string IdOf(const std::string& partition_key,
                          const std::string& row_key) {
    const auto place = [](const std::string& text) {
      return std::to_string(std::ranges::find(kTexts, text) - kTexts.begin());
    };
    return place(partition_key) + place(row_key);
  }

  static Keys KeysInOrder() {
    std::vector<std::string> texts = kTexts;
    std::ranges::sort(texts, [](const auto& a, const auto& b) {
      return naive::CompareOrdinal(a, b) < 0;
    });
    Keys keys;
    for (const auto& partition_key : texts) {
      for (const auto& row_key : texts)
        keys.push_back({partition_key, row_key});
    }
    return keys;
  }

  // Of all pages of the result.
  std::vector<std::string> IdsOf(const std::string& filter,
                                 const std::string& top) {
    std::vector<std::string> ids;
    With with{.filter = filter, .top = top};
    do {
      const auto page = host_.Do(Query("Tab", with));
      if (!page) return {Outcome(page)};
      for (std::string& id : TextsOf("Id", page->body)) {
        ids.push_back(std::move(id));
      }
      with.next_partition_key = page->next_partition_key;
      with.next_row_key = page->next_row_key;
    } while (with.next_row_key);
    return ids;
  }

  MemoryHost host_;
};

class KeyFiltersTest : public testing::TestWithParam<StoreLimits> {};

TEST_P(KeyFiltersTest, FindTheKeysBetweenTheirBounds) {
  KeyFilters filters(GetParam());
  for (const std::string& bound : kTexts) {
    for (const std::string& op : kOperators) {
      filters.Expect({{"PartitionKey", op, bound}});
      filters.Expect({{"PartitionKey", "eq", "b"}, {"RowKey", op, bound}});
    }
    for (const std::string& end : kTexts) {
      filters.Expect(
          {{"PartitionKey", "ge", bound}, {"PartitionKey", "lt", end}});
      filters.Expect({{"PartitionKey", "eq", "b"},
                      {"RowKey", "gt", bound},
                      {"RowKey", "le", end}});
      filters.Expect({{"PartitionKey", "ge", bound}, {"RowKey", "lt", end}});
    }
  }
}

// In memory, and in small pages.
INSTANTIATE_TEST_SUITE_P(Stores, KeyFiltersTest,
                         testing::Values(StoreLimits{},
                                         StoreLimits{.flush_records = 5,
                                                     .page_bytes = 300}));

}  // namespace
}  // namespace entitable
