// How many blocks of memory a write allocates, from Submit() to its answer.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "entitable/frame.h"
#include "support/engine_test.h"
#include "support/frame_field.h"
#include "support/heap_meter.h"

namespace entitable {
namespace {

constexpr std::size_t kWrites = 40;

// Nine properties of all usual types, about 280 bytes.
std::string Members(std::size_t number) {
  const std::string text = std::to_string(number);
  return R"("name":"Person number )" + text + R"(","email":"person)" + text +
         R"(@example.com","age":42,"score":0.75,"active":true,)" +
         R"("balance@odata.type":"Edm.Int64","balance":"9007199254740993",)" +
         R"("created@odata.type":"Edm.DateTime",)" +
         R"("created":"2024-01-02T03:04:05.678Z","note":")" +
         std::string(120, 'n') + R"(","more":"a short text")";
}

std::string RowKey(std::size_t number) {
  return "row-" + std::to_string(10'000'000 + number);
}

OwnedOperation InsertOf(std::size_t number) {
  return Insert("People",
                EntityBody("partition-01", RowKey(number), Members(number)),
                {.echo = false});
}

// As js/src/core/frames.ts writes it.
Bytes FrameOf(const OwnedOperation& operation) {
  const int no_echo = operation.with.echo ? 0 : 1;
  Bytes frame{static_cast<char>(operation.kind),
              static_cast<char>(operation.with.level),
              static_cast<char>(no_echo)};
  const auto add = [&frame](int tag, const std::string& text) {
    if (!text.empty()) frame += Field(tag, text);
  };
  add(1, operation.table);
  add(2, operation.partition_key);
  add(3, operation.row_key);
  add(12, operation.body);
  for (const OwnedOperation& part : operation.parts) add(13, FrameOf(part));
  return frame;
}

class WriteAllocationsTest : public EngineTest {
 protected:
  WriteAllocationsTest() { Given(NewTable("People")); }

  // The blocks that the engine allocates for the operation.  What the storage
  // allocates does not count.
  std::size_t Count(const OwnedOperation& operation) {
    Bytes frame = FrameOf(operation);
    const std::size_t length = frame.size();
    frame.append(kJsonPadding, ' ');
    std::size_t calls = 0;
    const auto in_engine = [&calls](const auto& work) {
      const HeapMeter meter;
      work();
      calls += meter.calls();
    };
    in_engine([&] {
      host_.engine().SubmitFrame(BytesView(frame).substr(0, length),
                                 frame.size());
    });
    for (bool is_answered = false; !is_answered;) {
      Step step;
      in_engine([&] { step = host_.engine().Run(host_.clock()); });
      if (const auto* commit = std::get_if<Commit>(&step)) {
        const CommitOutcome outcome =
            host_.storage().StoreOptimistically(commit->batch);
        in_engine([&] { host_.engine().Complete(commit->id, outcome); });
      }
      const auto* answer = std::get_if<Answer>(&step);
      if (answer == nullptr) continue;
      is_answered = true;
      EXPECT_TRUE(answer->outcome.has_value());
      in_engine([&] { EncodeResponse(*answer->outcome, answer_); });
    }
    return calls;
  }

  Bytes answer_;  // Its memory stays, as in bindings/embind.cc.

  // The count of most calls of `next`: now and then a table grows.
  template <typename Next>
  std::size_t UsualCount(const Next& next) {
    std::vector<std::size_t> counts;
    for (std::size_t i = 0; i < kWrites; ++i) counts.push_back(Count(next(i)));
    std::ranges::sort(counts);
    return counts[kWrites / 2];
  }
};

TEST_F(WriteAllocationsTest, AreFewForAnInsert) {
  EXPECT_LE(UsualCount(InsertOf), 9U);
}

TEST_F(WriteAllocationsTest, AreFewForEachPartOfATransaction) {
  const std::size_t calls = UsualCount([](std::size_t i) {
    std::vector<OwnedOperation> parts;
    for (std::size_t n = 0; n < 100; ++n)
      parts.push_back(InsertOf(100 * i + n));
    return Transaction(std::move(parts));
  });

  EXPECT_LE(calls, 460U);
}

TEST_F(WriteAllocationsTest, AreFewForAMerge) {
  Given(InsertOf(0));

  const std::size_t calls = UsualCount([](std::size_t i) {
    return Merge("People", "partition-01", RowKey(0),
                 R"({"age":)" + std::to_string(i) + "}");
  });

  EXPECT_LE(calls, 14U);
}

}  // namespace
}  // namespace entitable
