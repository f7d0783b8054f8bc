// Entities in the order of their properties: operation.h, QueryOrdered.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

class OrderedQueryTest : public testing::Test {
 protected:
  OrderedQueryTest() { Open(); }

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
  std::string Do(const OwnedOperation& operation) {
    return Outcome(host_->Do(operation));
  }

  void Put(const std::string& row_key, const std::string& members) {
    Given(Replace("Tab", "p", row_key, "{" + members + "}"));
  }

  Response Page(const OwnedOperation& query) {
    auto page = host_->Do(query);
    EXPECT_TRUE(page.has_value()) << page.error().message;
    return page ? *std::move(page) : Response();
  }
  static OwnedOperation After(OwnedOperation query, const Response& page) {
    EXPECT_TRUE(page.next_partition_key.has_value());
    query.with.next_partition_key = page.next_partition_key;
    return query;
  }
  Keys In(const std::string& order_by, With with = {}) {
    return RowKeysOf(*host_, Ordered("Tab", order_by, std::move(with)));
  }

  std::unique_ptr<MemoryHost> host_;
};

TEST_F(OrderedQueryTest, OrdersByPropertiesAndThenByKeys) {
  Put("1", R"("N":2,"S":"x")");
  Put("2", R"("N":1,"S":"x")");
  Put("3", R"("N":2,"S":"a")");
  Put("4", R"("S":"a")");

  EXPECT_EQ(In("N"), (Keys{"4", "2", "1", "3"}));
  EXPECT_EQ(In("N desc"), (Keys{"1", "3", "2", "4"}));
  EXPECT_EQ(In("S,N desc"), (Keys{"3", "4", "1", "2"}));
  EXPECT_EQ(In("RowKey desc"), (Keys{"4", "3", "2", "1"}));
  EXPECT_EQ(In("PartitionKey,S desc"), (Keys{"1", "2", "3", "4"}));
  EXPECT_EQ(In("Missing"), (Keys{"1", "2", "3", "4"}));
  EXPECT_EQ(In(""), (Keys{"1", "2", "3", "4"}));
  EXPECT_EQ(In("Timestamp"), (Keys{"1", "2", "3", "4"}));
  EXPECT_EQ(In("Timestamp desc"), (Keys{"4", "3", "2", "1"}));
  EXPECT_EQ(In("N desc", {.filter = "S eq 'x'"}), (Keys{"1", "2"}));
}

TEST_F(OrderedQueryTest, SkipsAndEndsWhereItShould) {
  for (int i = 0; i < 10; ++i) {
    Put(std::to_string(i), "\"N\":" + std::to_string(-i));
  }

  for (const char* top : {"1", "2", "1000"}) {
    EXPECT_EQ(In("N", {.top = top, .skip = "2", .most = "3"}),
              (Keys{"7", "6", "5"}));
    EXPECT_EQ(In("", {.top = top, .skip = "7"}), (Keys{"7", "8", "9"}));
    EXPECT_EQ(In("", {.top = top, .skip = "8", .most = "1"}), (Keys{"8"}));
    EXPECT_EQ(In("N", {.top = top, .skip = "10"}), Keys());
    EXPECT_EQ(In("N", {.top = top, .skip = "9223372036854775807"}), Keys());
    EXPECT_EQ(In("N", {.top = top, .most = "0"}), Keys());
    EXPECT_EQ(In("N", {.top = top, .skip = "9", .most = "9223372036854775807"}),
              (Keys{"0"}));
  }
  const Response page = Page(Ordered("Tab", "N", {.top = "3", .most = "3"}));
  EXPECT_FALSE(page.next_partition_key.has_value());
}

TEST_F(OrderedQueryTest, ReturnsWhatAQueryReturns) {
  Put("1", R"("N":2,"S":"x")");
  for (const WireFormat format : {WireFormat::kJson, WireFormat::kValues}) {
    const With with{.format = format, .select = "N"};
    EXPECT_EQ(Body(host_->Do(Ordered("Tab", "S", with))),
              Body(host_->Do(Query("Tab", with))));
  }
}

TEST_F(OrderedQueryTest, LaterPagesFollowTheOrderWhateverIsWritten) {
  for (int i = 0; i < 8; ++i) {
    Put(std::to_string(i), "\"N\":" + std::to_string(i));
  }
  const OwnedOperation query = Ordered("Tab", "N", {.top = "3"});
  const Response first = Page(query);
  EXPECT_EQ(TextsOf("RowKey", first.body), (Keys{"0", "1", "2"}));

  Given(Delete("Tab", "p", "2"));  // The last row of the page.
  Given(Delete("Tab", "p", "4"));
  Put("3", R"("N":3,"Other":1)");
  Put("new", R"("N":5.5)");
  Put("7", R"("N":-1)");  // Its place is now behind.
  Put("0", R"("N":6)");   // Its place is now ahead, so it comes again.

  const Response second = Page(After(query, first));
  EXPECT_EQ(TextsOf("RowKey", second.body), (Keys{"3", "5", "new"}));
  const Response third = Page(After(query, second));
  EXPECT_EQ(TextsOf("RowKey", third.body), (Keys{"0", "6"}));
  EXPECT_FALSE(third.next_partition_key.has_value());
}

// The rows are written while the query runs, between its slices.
TEST_F(OrderedQueryTest, ReturnsNoRowThatHasChangedSinceItWasFound) {
  Open({}, {.slice_units = 1});
  for (int i = 0; i < 20; ++i) {
    Put(std::to_string(10 + i), "\"N\":" + std::to_string(i));
  }
  bool is_done_before = false;
  int turns = 0;
  for (int steps = 1; !is_done_before; steps += 2, ++turns) {
    Put("20", R"("N":10)");
    Put("21", R"("N":11)");
    Put("22", R"("N":12)");
    const RequestId query = host_->Submit(
        Ordered("Tab", "N", {.filter = "N ge 5", .skip = "2", .most = "8"}));
    for (int i = 0; i < steps && !is_done_before; ++i) {
      const Step step = host_->engine().Run(host_->clock());
      is_done_before = std::holds_alternative<Answer>(step);
    }
    if (is_done_before) break;
    const RequestId writes[] = {
        host_->Submit(Replace("Tab", "p", "20", R"({"N":-5})")),
        host_->Submit(Replace("Tab", "p", "21", R"({"N":50})")),
        host_->Submit(Delete("Tab", "p", "22"))};
    for (const RequestId write : writes) {
      EXPECT_TRUE(host_->Await(write).has_value());
    }
    const auto answer = host_->Await(query);
    ASSERT_TRUE(answer.has_value());
    const auto numbers = NumbersOf("N", answer->body);
    EXPECT_TRUE(std::ranges::is_sorted(numbers));
    for (const long long n : numbers) {
      EXPECT_GE(n, 7);
      EXPECT_LE(n, 19);
    }
    EXPECT_GE(numbers.size(), 5U);
  }
  EXPECT_GT(turns, 10);
}

TEST_F(OrderedQueryTest, ContinuesWithWhatItFoundUnlessSomethingIsWritten) {
  std::string rows;
  for (int i = 0; i < 2'000; ++i) {
    rows += EntityBody("p", std::to_string(10'000 + i),
                       "\"N\":" + std::to_string(i * 7'919 % 2'000)) +
            "\n";
  }
  Given(Import("Tab", rows));
  const OwnedOperation query = Ordered("Tab", "N", {.top = "100"});
  const Response first = Page(query);
  const auto examined = [&] { return host_->engine().examined_entities(); };

  const auto before = examined();
  const Response second = Page(After(query, first));
  EXPECT_EQ(examined(), before);
  // Another query, and the same page again.
  EXPECT_EQ(Page(After(query, first)).body, second.body);
  EXPECT_GE(examined(), before + 2'000);

  Put("x", "");
  const Response third = Page(After(query, second));
  EXPECT_GE(examined(), before + 4'000);
  EXPECT_EQ(NumbersOf("N", third.body).front(), 200);
  EXPECT_EQ(In("N").size(), 2'001U);
}

// The scan, the sort and the answer.
TEST_F(OrderedQueryTest, LetsOthersHaveATurnBetweenSlices) {
  Open({.page_bytes = 2'000}, {.slice_units = 300});
  std::string rows;
  for (int i = 0; i < 1'000; ++i) {
    rows += EntityBody("p", std::to_string(10'000 + i),
                       "\"N\":" + std::to_string(i * 7'919 % 1'000)) +
            "\n";
  }
  Given(Import("Tab", rows));
  host_->Run();
  Engine& engine = host_->engine();
  const RequestId query = host_->Submit(Ordered("Tab", "N desc,RowKey"));
  int slices = 0;
  std::uint64_t most = 0;
  std::uint64_t before = engine.spent_units();
  while (true) {
    const Step step = engine.Run(host_->clock());
    most = std::max(most, engine.spent_units() - before);
    before = engine.spent_units();
    if (const auto* answer = std::get_if<Answer>(&step)) {
      EXPECT_EQ(answer->request, query);
      ASSERT_TRUE(answer->outcome.has_value());
      EXPECT_EQ(NumbersOf("N", answer->outcome->body).size(), 1'000U);
      break;
    }
    if (const auto* read = std::get_if<Read>(&step)) host_->Fulfil(*read);
    slices += std::holds_alternative<Yield>(step);
  }
  EXPECT_GT(slices, 20);
  EXPECT_LT(most, 300U + 100U);
}

TEST_F(OrderedQueryTest, NeedsNoMoreMemoryForMoreRows) {
  Open({.cache_bytes = 0});
  // Their order keys take twice what the query may keep.
  std::vector<std::string> expected;
  for (int i = 0; i < 270; ++i) {
    const std::string row_key = std::to_string(1'000 + i * 7 % 270);
    expected.push_back(std::to_string(1'000 + i));
    Put(row_key, "\"S\":\"" + std::string(32'000, 's') + row_key + "\"");
  }
  EXPECT_EQ(In("S", {.select = "RowKey"}), expected);
  EXPECT_EQ(In("S", {.select = "RowKey", .skip = "200", .most = "50"}),
            Keys(expected.begin() + 200, expected.begin() + 250));
}

TEST_F(OrderedQueryTest, ReadsNoPageWhoseRowsComeTooLate) {
  Open({.page_bytes = 2'000});
  std::string rows;
  for (int i = 0; i < 2'000; ++i) {
    rows += EntityBody("p", std::to_string(10'000 + i),
                       "\"N\":" + std::to_string(-i)) +
            "\n";
  }
  Given(Import("Tab", rows));
  const auto before = host_->engine().examined_entities();
  EXPECT_EQ(In("N desc", {.most = "5"}),
            (Keys{"10000", "10001", "10002", "10003", "10004"}));
  EXPECT_LT(host_->engine().examined_entities(), before + 400);
}

TEST_F(OrderedQueryTest, RefusesWhatIsNoOrderOrNoPlaceInIt) {
  Put("1", R"("N":1)");
  Put("2", R"("N":2)");
  const OwnedOperation by_n = Ordered("Tab", "N", {.top = "1"});
  const std::string token = *Page(by_n).next_partition_key;
  const std::string plain =
      *Page(Query("Tab", {.top = "1"})).next_partition_key;

  EXPECT_EQ(Do(Ordered("Tab", "N up")), "400 InvalidInput");
  EXPECT_EQ(Do(Ordered("Tab", "N", {.skip = "-1"})), "400 InvalidInput");
  EXPECT_EQ(Do(Ordered("Tab", "N", {.most = "x"})), "400 InvalidInput");
  EXPECT_EQ(Do(Ordered("Tab", "N", {.filter = "N eq"})), "400 InvalidInput");
  EXPECT_EQ(Do(Ordered("None", "N")), "404 TableNotFound");
  for (const std::string& other : {plain, std::string(), std::string("AAAA"),
                                   token.substr(0, token.size() - 4)}) {
    EXPECT_EQ(Do(Ordered("Tab", "N", {.next_partition_key = other})),
              "400 InvalidInput")
        << other;
  }
  EXPECT_EQ(Do(Ordered("Tab", "N desc", {.next_partition_key = token})),
            "400 InvalidInput");
  EXPECT_EQ(Do(Query("Tab", {.next_partition_key = token})),
            "400 InvalidInput");
  EXPECT_EQ(Do(Ordered("Tab", " N asc", {.next_partition_key = token})), "200");
}

TEST_F(OrderedQueryTest, BeginsAgainOnATableOfTheSameName) {
  Put("1", R"("N":1)");
  Put("2", R"("N":2)");
  const OwnedOperation query = Ordered("Tab", "N", {.top = "1"});
  const Response first = Page(query);
  Given(DropTable("Tab"));
  Given(NewTable("Tab"));
  Put("3", R"("N":0)");
  Put("4", R"("N":4)");
  EXPECT_EQ(TextsOf("RowKey", Page(After(query, first)).body), Keys{"4"});
}

}  // namespace
}  // namespace entitable
