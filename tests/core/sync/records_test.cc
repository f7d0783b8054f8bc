#include "sync/records.h"

#include <gtest/gtest.h>

#include <string>

#include "support/sync_rows.h"

namespace entitable::sync {
namespace {

Mark ExampleMark() {
  Mark mark{.base = RemoteOf(1, Row({{"A", 1}}))};
  mark.entries = {{.group = 3, .frozen = Row({{"A", 2}})},
                  {.group = 5, .frozen = std::optional(kAbsent)},
                  {.group = 700}};
  mark.sent = {{Row({{"A", 2}}), true, {77}}, {kAbsent, false, {78}}};
  mark.deleted_etag = "W/\"other\"";
  mark.deleted_until = {99};
  return mark;
}

Group ExampleGroup() {
  return {.id = 9,
          .state = Group::State::kRejected,
          .partition_key = "p",
          .row_keys = {"1", "\xC3\xA4"},
          .bytes = 12345,
          .request = 8,
          .sent_at = {10},
          .doubt_until = {11},
          .is_alone = true,
          .conflicts = 2,
          .not_before = {12},
          .error = "InvalidInput"};
}

// No prefix and no longer text is a record.
template <typename Decode>
void ExpectExact(const std::string& bytes, Decode decode) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode(bytes.substr(0, size))) << size;
  }
  EXPECT_FALSE(decode(bytes + '\0'));
}

TEST(RecordsTest, KeepsAMark) {
  const std::string bytes = EncodeMark(ExampleMark());
  EXPECT_EQ(DecodeMark(bytes), ExampleMark());
  ExpectExact(bytes, DecodeMark);
  EXPECT_EQ(DecodeMark(EncodeMark(Mark())), Mark());
}

TEST(RecordsTest, KeepsAGroup) {
  const std::string bytes = EncodeGroup(ExampleGroup());
  EXPECT_EQ(DecodeGroup(bytes), ExampleGroup());
  ExpectExact(bytes, DecodeGroup);
}

TEST(RecordsTest, KeepsAPosition) {
  const PullState state{.is_complete = true,
                        .token = "1!8!cA--",
                        .from = {5},
                        .next_from = {6},
                        .is_held_back = true,
                        .wide_from = {7},
                        .step = 300};
  const std::string bytes = EncodePull(state);
  EXPECT_EQ(DecodePull(bytes), state);
  ExpectExact(bytes, DecodePull);
}

TEST(RecordsTest, KeepsAConflict) {
  const ConflictRecord conflict{{"p", "r"},      kAbsent, Row({{"A", 1}}),
                                Row({{"B", 2}}), Row({}), 17};
  const std::string bytes = EncodeConflict(conflict);
  EXPECT_EQ(DecodeConflict(bytes), conflict);
  ExpectExact(bytes, DecodeConflict);
}

// Sync protocol, 2.4: at most 10 bytes for a clean row.
TEST(RecordsTest, KeepsAnEtagOfTheServiceInNineBytes) {
  const std::string etag = "W/\"datetime'2026-11-25T13%3A20%3A32.6680946Z'\"";
  EXPECT_EQ(EncodeEtag(etag).size(), 9U);
  EXPECT_EQ(DecodeEtag(EncodeEtag(etag)), etag);
}

TEST(RecordsTest, KeepsAnyOtherEtagAsItIs) {
  for (const char* const etag :
       {"", "\"0x8D\"", "W/\"datetime'2026-11-25T13:20:32.6680946Z'\"",
        "W/\"datetime'2026-11-25T13%3A20%3A32.6680946Z'", "W/\"datetime'\"",
        "W/\"datetime'2026-11-25'\""}) {
    EXPECT_EQ(DecodeEtag(EncodeEtag(etag)), etag);
  }
}

TEST(RecordsTest, ReadsNoLaterVersion) {
  EXPECT_EQ(WithoutVersion(WithVersion("bytes")).value(), "bytes");
  const auto code_of = [](const char* stored) {
    return WithoutVersion(stored).error().code;
  };
  EXPECT_EQ(code_of("\2bytes"), ErrorCode::kStorageVersionNewer);
  EXPECT_EQ(code_of(""), ErrorCode::kStorageDamaged);
}

TEST(RecordsTest, RefusesWhatIsNoRecord) {
  EXPECT_FALSE(DecodeEtag("\3"));
  std::string bytes = EncodeGroup(ExampleGroup());
  bytes[1] = 4;  // No such state.
  EXPECT_FALSE(DecodeGroup(bytes));
}

}  // namespace
}  // namespace entitable::sync
