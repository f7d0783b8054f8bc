// query_test.h - queries of one table, a page at a time.

#ifndef ENTITABLE_TESTS_SUPPORT_QUERY_TEST_H_
#define ENTITABLE_TESTS_SUPPORT_QUERY_TEST_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "support/engine_test.h"

namespace entitable {

class QueryTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  // The entity of a case about one.
  void GivenEntity(std::string_view members) {
    Given(Insert("Tab", EntityBody("p", "r", members)));
  }

  // RowKeys 1, 2, ... in partition p, and A the same as an Int32.
  void GivenRows(int count) {
    for (int i = 1; i <= count; ++i) {
      const std::string number = std::to_string(i);
      Given(Insert("Tab", EntityBody("p", number, "\"A\":" + number)));
    }
  }

  // Many entities, whose commits they share.
  void GivenPartition(const std::string& partition_key, int count) {
    for (int i = 0; i < count; ++i) {
      host_.Submit(
          Insert("Tab", EntityBody(partition_key, std::to_string(10'000 + i),
                                   "\"A\":" + std::to_string(i))));
    }
    host_.Run();
  }

  // A page, which must be one.
  Response Page(With with = {}) {
    auto answer = host_.Do(Query("Tab", std::move(with)));
    EXPECT_TRUE(answer.has_value()) << Outcome(answer);
    return answer ? *std::move(answer) : Response{};
  }

  Response PageAfter(const Response& page, With with = {}) {
    with.next_partition_key = page.next_partition_key;
    with.next_row_key = page.next_row_key;
    return Page(std::move(with));
  }

  // "1,2 more": the RowKeys of a page, and whether it has tokens.
  static std::string Summary(const Response& page) {
    std::string text;
    for (const std::string& key : TextsOf("RowKey", page.body)) {
      text += ',' + key;
    }
    if (!text.empty()) text.erase(0, 1);
    EXPECT_EQ(page.next_partition_key.has_value(),
              page.next_row_key.has_value());
    return page.next_row_key ? text + " more" : text;
  }

  std::string Elements(With with) {
    with.level = MetadataLevel::kNone;
    return Body(host_.Do(Query("Tab", std::move(with))));
  }
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_QUERY_TEST_H_
