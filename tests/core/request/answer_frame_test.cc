// Answers and snapshots as frames.  The grammar: docs/internals/frames.md.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "entitable/frame.h"
#include "support/frame_field.h"

namespace entitable {
namespace {

using std::string_literals::operator""s;

// ------------------------------------------------------------------- answers

TEST(AnswerFrameTest, HoldsEveryFieldOfAResponse) {
  const Response response{.status = 202,
                          .etag = "e",
                          .body = "{}",
                          .next_partition_key = "pk",
                          .next_row_key = "",
                          .next_table_name = "t",
                          .position = 17,
                          .ranges = "\xFF",
                          .origins = "lr"};

  EXPECT_EQ(FrameOf(response), "\xCA\x00"s + Field(1, "e") + Field(2, "pk") +
                                   Field(3, "") + Field(4, "t") +
                                   Field(8, "17") + Field(9, "lr") +
                                   Field(11, "\xFF") + Field(5, "{}"));
  EXPECT_EQ(FrameOf({.status = 304}), "\x30\x01"s);
}

TEST(AnswerFrameTest, HoldsTheAnswersOfATransaction) {
  const Response response{
      .status = 202,
      .parts = {{.status = 204, .etag = "e"}, {.status = 201, .body = "{}"}}};

  EXPECT_EQ(FrameOf(response), "\xCA\x00"s +
                                   Field(6, "\xCC\x00"s + Field(1, "e")) +
                                   Field(6, "\xC9\x00"s + Field(5, "{}")));
}

// ----------------------------------------------------------------- snapshots

TEST(SnapshotFrameTest, HoldsValuesThenRecords) {
  const Bytes frame = "\x03\0\0\0"s + "\x01\x02\0\0\0ab"s + "\x00"s +
                      "\x01\0\0\0\0"s + "\x05\0\0\0\0\0\0\0\x01\0\0\0x"s +
                      "\x00\x00\x00\x00\x00\x00\x10\x00\x00\0\0\0"s;

  const auto snapshot = DecodeSnapshot(frame);

  ASSERT_TRUE(snapshot.has_value());
  ASSERT_EQ(snapshot->values.size(), 3U);
  EXPECT_EQ(snapshot->values[0], "ab");
  EXPECT_EQ(snapshot->values[1], std::nullopt);
  EXPECT_EQ(snapshot->values[2], "");
  ASSERT_EQ(snapshot->records.size(), 2U);
  EXPECT_EQ(snapshot->records[0].number, 5U);
  EXPECT_EQ(snapshot->records[0].value, "x");
  EXPECT_EQ(snapshot->records[1].number, std::uint64_t{1} << 52);
  EXPECT_EQ(snapshot->records[1].value, "");
}

TEST(SnapshotFrameTest, RefusesWhatIsAgainstTheGrammar) {
  const struct {
    const char* flaw;
    char count;
    Bytes frame;
  } kCases[] = {
      {"no value", 1, ""},
      {"one value too few", 2, "\x00"s},
      {"neither absent nor present", 1, "\x02"s},
      {"a value without a length", 1, "\x01\x01\0\0"s},
      {"a value past the end", 1, "\x01\x02\0\0\0a"s},
      {"half a number", 0, "\x01\0\0\0"s},
      {"a record without a length", 0, "\x01\0\0\0\0\0\0\0"s},
      {"a record past the end", 0, "\x01\0\0\0\0\0\0\0\x01\0\0\0"s},
  };
  for (const auto& [flaw, count, frame] : kCases) {
    const auto snapshot = DecodeSnapshot(count + "\0\0\0"s + frame);
    ASSERT_FALSE(snapshot.has_value()) << flaw;
    EXPECT_EQ(snapshot.error().code, ErrorCode::kInvalidInput) << flaw;
  }
  EXPECT_TRUE(DecodeSnapshot("\0\0\0\0"s).has_value());
  EXPECT_FALSE(DecodeSnapshot("\0\0\0"s).has_value());
}

}  // namespace
}  // namespace entitable
