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

PullState ExamplePull() {
  return {.is_complete = true,
          .token = "1!8!cA--",
          .from = {5},
          .next_from = {6},
          .is_held_back = true,
          .wide_from = {7},
          .refused_by = 8,
          .step = 300};
}

ConflictRecord ExampleConflict() {
  return {{"p", "r"}, kAbsent, Row({{"A", 1}}), Row({{"B", 2}}), Row({}), 17};
}

// No prefix and no longer text is a record.
template <typename Decode>
void ExpectExact(const std::string& bytes, Decode decode) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode(bytes.substr(0, size))) << size;
  }
  EXPECT_FALSE(decode(bytes + '\0'));
}

// The grammar of docs/internals/sync.md, "Bytes", written out by hand.
TEST(RecordsTest, HaveTheBytesOfTheirGrammar) {
  using namespace std::string_literals;
  EXPECT_EQ(EncodeMark(ExampleMark()),
            "\x01\x80\x16\x8E\xF8\xDC\x46\xDE\x08"
            "\x01\x07\x02\x01"
            "A\x01\0\0\0"
            "\x03"
            "\x03\x01\x01\x07\x02\x01"
            "A\x02\0\0\0"
            "\x05\x01\0"
            "\xBC\x05\0"
            "\x02"
            "\x01\x07\x02\x01"
            "A\x02\0\0\0"
            "\x01"
            "M\0\0\0\0\0\0\0"
            "\0\0"
            "N\0\0\0\0\0\0\0"
            "\x02\x09W/\"other\""
            "c\0\0\0\0\0\0\0"s);
  EXPECT_EQ(EncodeGroup(ExampleGroup()),
            "\x09\x03\x01p\x02\x01"
            "1\x02\xC3\xA4\xB9\x60\x08"
            "\x0A\0\0\0\0\0\0\0"
            "\x0B\0\0\0\0\0\0\0\x01\x02"
            "\x0C\0\0\0\0\0\0\0\x0CInvalidInput"s);
  EXPECT_EQ(EncodePull(ExamplePull()),
            "\x01\x08"
            "1!8!cA--"
            "\x05\0\0\0\0\0\0\0"
            "\x06\0\0\0\0\0\0\0\x01"
            "\x07\0\0\0\0\0\0\0"
            "\x08\0\0\0\0\0\0\0\xAC\x02"s);
  EXPECT_EQ(EncodeConflict(ExampleConflict()),
            "\x01p\x01r\0"
            "\x01\x07\x02\x01"
            "A\x01\0\0\0"
            "\x01\x07\x02\x01"
            "B\x02\0\0\0"
            "\x01\0\x11"s);
  EXPECT_EQ(EncodeEtag(""), "\0"s);
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
  const std::string bytes = EncodePull(ExamplePull());
  EXPECT_EQ(DecodePull(bytes), ExamplePull());
  ExpectExact(bytes, DecodePull);
}

TEST(RecordsTest, KeepsAConflict) {
  const std::string bytes = EncodeConflict(ExampleConflict());
  EXPECT_EQ(DecodeConflict(bytes), ExampleConflict());
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
