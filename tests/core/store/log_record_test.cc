#include "store/log_record.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>

#include "store/envelope.h"
#include "support/print_properties.h"
#include "support/random.h"

namespace entitable {
namespace {

constexpr EnvelopeKind kKind{"ETLR", 2};

PropertyList OneProperty() {
  PropertyList list;
  list.Append("A", Value::Int32(7));
  return list;
}

// One change of each kind.
LogRecord Example() {
  LogRecord record{{.previous_crc = 0xA1B2C3D4,
                    .number = 2,
                    .session = {},
                    .commit = 3,
                    .last_timestamp = kMinDateTime},
                   {}};
  record.session.fill('s');
  record.changes.push_back(TableCreated{1, "Pets"});
  record.changes.push_back(
      EntityPut{1, {"p", "\u00e9"}, {kMinDateTime, OneProperty()}});
  record.changes.push_back(EntityDeleted{1, {"", "r"}});
  record.changes.push_back(TableDropped{300, "Pets"});
  record.changes.push_back(RangeLoaded{2, {"a", "b"}, {"c", ""}, 300});
  record.changes.push_back(
      EntityPut{1, {"p", "q"}, {kMinDateTime, OneProperty()}, Origin::kRemote});
  record.changes.push_back(EntityDeleted{1, {"", "r"}, Origin::kRemote});
  return record;
}

std::string Print(const LogRecord& record) {
  std::string text = std::to_string(record.number) + " after " +
                     std::to_string(record.previous_crc) + " commit " +
                     std::to_string(record.commit) + " of " +
                     std::string(record.session.begin(), record.session.end()) +
                     " @" + std::to_string(record.last_timestamp.ticks);
  for (const Change& change : record.changes) text += "; " + Print(change);
  return text;
}

Bytes BodyOf(const LogRecord& record) {
  const Bytes value = EncodeLogRecord(record);
  return Bytes(Unseal(kKind, value)->body);
}

// The head of a record, sealed with these changes.
Bytes RecordWith(std::string_view changes) {
  LogRecord record = Example();
  record.changes.clear();
  return Seal(kKind, BodyOf(record).append(changes));
}

TEST(LogRecordTest, ComesBackFromItsBytes) {
  const auto record = DecodeLogRecord(EncodeLogRecord(Example()));

  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(Print(*record),
            "2 after 2712847316 commit 3 of ssssssssssssssss "
            "@504911232000000000; create 1 Pets; "
            "put 1 (p,\u00e9) @504911232000000000 A:Edm.Int32=7; "
            "delete 1 (,r); drop 300 Pets; "
            "load 2 (a,b) to 2 (c,), 300; "
            "remote put 1 (p,q) @504911232000000000 A:Edm.Int32=7; "
            "remote delete 1 (,r)");
}

// The grammars in log_record.h and change.h, written out by hand.
TEST(LogRecordTest, HasTheBytesOfItsGrammar) {
  using std::string_literals::operator""s;
  EXPECT_EQ(BodyOf(Example()),
            "\xD4\xC3\xB2\xA1"s +                      //
                "\x02\0\0\0\0\0\0\0"s +                // number
                "ssssssssssssssss"s +                  //
                "\x03\0\0\0\0\0\0\0"s +                // commit
                "\x00\x00\x77\x22\x17\xCE\x01\x07"s +  // ticks
                "\x01\x01\x04Pets"s +                  //
                "\x03\x01\x01p\x02\xC3\xA9"s +         //
                "\x00\x00\x77\x22\x17\xCE\x01\x07"s +  //
                "\x07\x02\x01"s + "A\x07\0\0\0"s +     //
                "\x04\x01\x00\x01r"s +                 //
                "\x02\xAC\x02\x04Pets"s +              //
                "\x05\x02\x01\x61\x01\x62"s +          // A range, from a/b
                "\x01\x63\x00\xAC\x02"s +              //
                "\x06\x01\x01p\x01q"s +                // From the remote.
                "\x00\x00\x77\x22\x17\xCE\x01\x07"s +  //
                "\x07\x02\x01"s + "A\x07\0\0\0"s +     //
                "\x07\x01\x00\x01r"s);
}

TEST(LogRecordTest, RefusesEveryCutAndEveryFlippedBit) {
  const Bytes value = EncodeLogRecord(Example());
  for (std::size_t size = 0; size < value.size(); ++size) {
    EXPECT_FALSE(DecodeLogRecord(value.substr(0, size)).has_value()) << size;
  }
  for (std::size_t i = 0; i < value.size() * 8; ++i) {
    Bytes flipped = value;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    const auto record = DecodeLogRecord(flipped);
    ASSERT_FALSE(record.has_value()) << "bit " << i;
    // A version that has become greater looks like a newer one.
    const bool is_newer = static_cast<unsigned char>(flipped[4]) >
                          static_cast<unsigned char>(value[4]);
    EXPECT_EQ(record.error().code, is_newer ? ErrorCode::kStorageVersionNewer
                                            : ErrorCode::kStorageDamaged);
  }
}

// Only a mistake of ours makes such records, because the checksum fits.
TEST(LogRecordTest, RefusesABodyThatIsCutOffInsideAChange) {
  const Bytes body = BodyOf(Example());
  std::size_t accepted = 0;
  for (std::size_t size = 0; size < body.size(); ++size) {
    const auto record = DecodeLogRecord(Seal(kKind, body.substr(0, size)));
    if (!record) continue;
    EXPECT_EQ(record->changes.size(), accepted++) << size;
  }
  EXPECT_EQ(accepted, 7U);  // None, and each of the six shorter lists.
}

TEST(LogRecordTest, RefusesALastTimestampThatNoneCanFollow) {
  LogRecord record = Example();
  for (const std::int64_t ticks :
       {kMaxDateTime.ticks + 1, std::numeric_limits<std::int64_t>::max(),
        std::int64_t{-1}}) {
    record.last_timestamp = {ticks};
    const auto again = DecodeLogRecord(EncodeLogRecord(record));
    ASSERT_FALSE(again.has_value()) << ticks;
    EXPECT_EQ(again.error().code, ErrorCode::kStorageDamaged) << ticks;
  }
}

TEST(LogRecordTest, RefusesChangesAgainstTheGrammar) {
  using std::string_literals::operator""s;
  ASSERT_TRUE(DecodeLogRecord(RecordWith("\x02\x01\x01"
                                         "A"s))
                  .has_value());
  const struct {
    const char* flaw;
    std::string changes;
  } kCases[] = {
      {"kind 0", "\x00\x01"s},
      {"kind 8", "\x08\x01"s},
      {"a row of the catalogue from the remote",
       "\x06\x00\x03\x74\x61\x62\x00\x00\x00\x77\x22\x17\xCE\x01\x07\x00"s},
      {"a remote deletion without a RowKey", "\x07\x01\x01p"s},
      {"a range without an end", "\x05\x01\x01p\x01r"s},
      {"a range without a count", "\x05\x01\x01p\x01r\x01p\x01r"s},
      {"a range to no text", "\x05\x01\x01p\x01r\x01\xFF\x01r\x01"s},
      {"a varint longer than it need be",
       "\x02\x81\x00\x01"
       "A"s},
      {"a table name that is not UTF-8", "\x01\x01\x01\xFF"s},
      {"a PartitionKey that is not UTF-8", "\x04\x01\x01\xFF\x01r"s},
      {"a RowKey that is not UTF-8", "\x04\x01\x01p\x01\xC3"s},
      {"a text longer than the record", "\x01\x01\x7Fx"s},
      {"a timestamp before 1601", "\x03\x01\x00\x00\0\0\0\0\0\0\0\0\x00"s},
      {"a timestamp after 9999",
       "\x03\x01\x00\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F\x00"s},
      {"properties of no type",
       "\x03\x01\x00\x00\x00\x00\x77\x22\x17\xCE\x01\x07\x02\x00\x00"s},
  };
  for (const auto& [flaw, changes] : kCases) {
    const auto record = DecodeLogRecord(RecordWith(changes));
    ASSERT_FALSE(record.has_value()) << flaw;
    EXPECT_EQ(record.error().code, ErrorCode::kStorageDamaged) << flaw;
  }
}

TEST(LogRecordTest, SurvivesAnyBytes) {
  std::mt19937_64 random(TestSeed());
  SCOPED_TRACE(TestSeed());
  const Bytes body = BodyOf(Example());
  for (int i = 0; i < 20'000; ++i) {
    Bytes spoiled = body;
    for (auto flips = random() % 5; flips > 0; --flips) {
      spoiled[random() % spoiled.size()] = static_cast<char>(random() % 8);
    }
    const auto record = DecodeLogRecord(Seal(kKind, spoiled));
    if (record) Print(*record);
  }
  for (int i = 0; i < 5'000; ++i) {
    Bytes bytes(random() % 80, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 8);
    EXPECT_FALSE(DecodeLogRecord(bytes).has_value());
    const auto record = DecodeLogRecord(Seal(kKind, bytes));
    if (record) Print(*record);
  }
}

}  // namespace
}  // namespace entitable
