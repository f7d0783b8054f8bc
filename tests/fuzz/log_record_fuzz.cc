// Any bytes as values of the log: refused, or written again as they were; and
// an account opened on them works or says that they are damaged.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/expect.h"
#include "store/checkpoint.h"
#include "store/envelope.h"
#include "store/log_record.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

// A checksum of 32 bits sees every damage to that many neighbours.
template <typename Decode>
void ExpectDamageIsSeen(BytesView value, Decode decode) {
  const std::size_t step = 1 + value.size() / 16;
  for (std::size_t at = 0; at < value.size(); at += step) {
    Bytes damaged(value);
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    Expect(!decode(damaged), "a damaged value is not taken for another");
  }
}

// What an account can hold, it can go on with.
void ExpectOpens(LogRecord record) {
  MemoryHost host;
  const Checkpoint checkpoint{};
  record.number = 1;
  record.previous_crc = checkpoint.crc;
  auto& values = host.storage().values();
  values[ValueKey::Checkpoint()] = EncodeCheckpoint(checkpoint);
  values[ValueKey::Record(1)] = EncodeLogRecord(record);
  const auto before = values;

  const auto answer = host.Do(NewTable("Fresh"));
  if (!answer) {
    Expect(answer.error().code == ErrorCode::kStorageDamaged ||
               answer.error().code == ErrorCode::kTableAlreadyExists,
           "a record that says what cannot be is damaged");
    Expect(values == before, "nothing is written over damage");
    return;
  }
  // The new table may have got the last timestamp there is.
  if (record.last_timestamp.ticks < kMaxDateTime.ticks - 1) {
    Expect(host.Do(Insert("Fresh", EntityBody("p", "r"))).has_value(),
           "and an entity can follow");
  }
  const std::string contents = Contents(host);
  host.Restart();
  Expect(Contents(host) == contents, "storage holds all that is known");
}

void TestRecord(BytesView value) {
  const auto record = DecodeLogRecord(value);
  if (!record) {
    ExpectDamaged(record.error());
    return;
  }
  Expect(EncodeLogRecord(*record) == value, "a record has one form");
  ExpectDamageIsSeen(value, [](BytesView bytes) {
    return DecodeLogRecord(bytes).has_value();
  });
  ExpectOpens(*record);
}

void TestCheckpoint(BytesView value) {
  const auto checkpoint = DecodeCheckpoint(value);
  if (!checkpoint) return;
  Expect(EncodeCheckpoint(*checkpoint) == value, "a checkpoint has one form");
  ExpectDamageIsSeen(value, [](BytesView bytes) {
    return DecodeCheckpoint(bytes).has_value();
  });
}

}  // namespace

// Few bytes have the right checksum by chance, so they get it.
void Test(BytesView bytes) {
  TestRecord(bytes);
  TestCheckpoint(bytes);
  TestRecord(Seal(kRecordKind, bytes));
  TestCheckpoint(Seal(kCheckpointKind, bytes));
}

}  // namespace entitable
