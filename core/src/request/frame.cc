#include "entitable/frame.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "model/limits.h"
#include "model/report.h"
#include "request/operation_fields.h"

namespace entitable {
namespace {

// Of a transaction.
constexpr std::uint8_t kPartTag = 13;

enum class ResponseTag : std::uint8_t {
  kEtag = 1,
  kNextPartitionKey = 2,
  kNextRowKey = 3,
  kNextTableName = 4,
  kBody = 5,
  kPart = 6,
  kWarnings = 7,
  kPosition = 8,
  kOrigins = 9,
  kScores = 10,
  kRanges = 11,
};

enum class OperationFlag : std::uint8_t {
  kNoEcho = 1,
  kFresh = 2,
  kKeepsDoubles = 16,
  kExtendedFilter = 32,
  kAnyWord = 64,
  kAtOnce = 128,
};

// The two bits between them.
constexpr int kFormatShift = 2;
constexpr int kFormatMask = 3;

#define ENTITABLE_X(kind, number, operation) +1
constexpr int kLastKind = ENTITABLE_OPERATIONS(ENTITABLE_X);
#undef ENTITABLE_X

std::string_view ReadField(Decoder& frame) {
  return frame.ReadBytes(frame.ReadU32());
}

// Sets a field.  Returns false if it was given before, or cannot be read.
struct FieldSetter {
  std::string_view field;
  const char* readable_end;

  bool operator()(SentText& text) const {
    if (text) return false;
    text = field;
    return true;
  }
  bool operator()(SentBytes& bytes) const {
    return operator()(static_cast<SentText&>(bytes));
  }
  bool operator()(JsonText& json) const {
    if (json.text.data() != nullptr) return false;
    json = {field, static_cast<std::size_t>(readable_end - field.data())};
    return true;
  }
  // In decimal.  Record numbers are below 2^53.
  bool operator()(std::optional<std::uint64_t>& position) const {
    const auto number = ParseInt64(field);
    if (position || !number || *number < 0) return false;
    position = static_cast<std::uint64_t>(*number);
    return true;
  }
  bool operator()(std::optional<ImportPart>& part) const {
    if (part) return false;
    Decoder bytes(field);
    const std::uint32_t import = bytes.ReadU32();
    const std::uint8_t mode = bytes.ReadU8();
    const std::uint8_t flags = bytes.ReadU8();
    // Its flags: the first part, the last part, no more is to be stored.
    part = {import, static_cast<ImportMode>(mode), (flags & 1) != 0,
            (flags & 2) != 0, (flags & 4) != 0};
    return !bytes.failed() && bytes.at_end() && flags < 8 &&
           part->mode <= ImportMode::kRestore;
  }
};

bool SetField(std::uint8_t tag, const FieldSetter& set,
              OperationFields& fields) {
  switch (tag) {
#define ENTITABLE_X(tag, type, name) \
  case tag:                          \
    return set(fields.name);
    ENTITABLE_FIELDS(ENTITABLE_X)
#undef ENTITABLE_X
    default:
      return false;
  }
}

bool ReadHead(Decoder& frame, OperationFields& fields) {
  const std::uint8_t kind = frame.ReadU8();
  const std::uint8_t level = frame.ReadU8();
  const std::uint8_t flags = frame.ReadU8();
  const auto has = [flags](OperationFlag flag) {
    return (flags & static_cast<std::uint8_t>(flag)) != 0;
  };
  fields.kind = static_cast<OperationKind>(kind);
  fields.level = static_cast<MetadataLevel>(level);
  fields.format = static_cast<WireFormat>(flags >> kFormatShift & kFormatMask);
  fields.echo = !has(OperationFlag::kNoEcho);
  fields.fresh = has(OperationFlag::kFresh);
  fields.keeps_doubles = has(OperationFlag::kKeepsDoubles);
  fields.any_word = has(OperationFlag::kAnyWord);
  fields.at_once = has(OperationFlag::kAtOnce);
  if (has(OperationFlag::kExtendedFilter)) {
    fields.dialect = FilterDialect::kExtended;
  }
  return !frame.failed() && kind >= 1 && kind <= kLastKind &&
         fields.level <= MetadataLevel::kTyped &&
         fields.format <= WireFormat::kLines;
}

// `readable_end` is the end of the bytes that may be read.  `parts` is null
// inside a part: a part has no parts of its own, so there is no recursion.
bool ReadFields(std::string_view bytes, const char* readable_end,
                OperationFields& fields, std::vector<std::string_view>* parts) {
  Decoder frame(bytes);
  if (!ReadHead(frame, fields)) return false;
  while (!frame.at_end()) {
    const std::uint8_t tag = frame.ReadU8();
    const std::string_view field = ReadField(frame);
    if (frame.failed()) return false;
    if (tag != kPartTag) {
      if (!SetField(tag, {field, readable_end}, fields)) return false;
    } else if (parts == nullptr) {
      return false;
    } else if (parts->size() <= kMaxTransactionParts ||
               fields.kind != OperationKind::kTransaction) {
      // One part too many is enough: the engine then rejects the transaction.
      parts->push_back(field);
    }
  }
  return true;
}

void AppendField(ResponseTag tag, std::string_view bytes, Bytes& frame) {
  AppendU8(static_cast<std::uint8_t>(tag), frame);
  AppendU32(static_cast<std::uint32_t>(bytes.size()), frame);
  frame += bytes;
}

void AppendField(ResponseTag tag, const std::optional<std::string>& text,
                 Bytes& frame) {
  if (text) AppendField(tag, std::string_view(*text), frame);
}

// The bytes of an answer besides its body: an ETag and tokens.
constexpr std::size_t kUsualBytes = 200;

// Everything except the parts.
void AppendOne(const Response& response, Bytes& frame) {
  AppendU16(static_cast<std::uint16_t>(response.status), frame);
  const auto append = [&frame](ResponseTag tag, const std::string& text) {
    if (!text.empty()) AppendField(tag, std::string_view(text), frame);
  };
  append(ResponseTag::kEtag, response.etag);
  AppendField(ResponseTag::kNextPartitionKey, response.next_partition_key,
              frame);
  AppendField(ResponseTag::kNextRowKey, response.next_row_key, frame);
  AppendField(ResponseTag::kNextTableName, response.next_table_name, frame);
  std::string position;
  if (response.position) {
    AppendDecimal(static_cast<std::int64_t>(*response.position), position);
  }
  append(ResponseTag::kPosition, position);
  append(ResponseTag::kOrigins, response.origins);
  append(ResponseTag::kScores, response.scores);
  append(ResponseTag::kRanges, response.ranges);
  append(ResponseTag::kBody, response.body);
  std::string warnings;
  if (!response.warnings.empty()) AppendJson(response.warnings, warnings);
  append(ResponseTag::kWarnings, warnings);
}

}  // namespace

Result<Operation> DecodeOperation(BytesView frame, std::size_t capacity,
                                  std::vector<TransactionPart>& parts) {
  const char* readable_end = frame.data() + std::max(capacity, frame.size());
  OperationFields fields;
  std::vector<std::string_view> texts;
  bool is_sound = ReadFields(frame, readable_end, fields, &texts);
  parts.reserve(texts.size());
  for (const std::string_view text : texts) {
    OperationFields part;
    // An entity group transaction has one schema for all its parts.
    is_sound = is_sound && ReadFields(text, readable_end, part, nullptr) &&
               (!part.schema || fields.kind != OperationKind::kTransaction);
    if (!is_sound) break;
    ENTITABLE_TRY(AddPart(part, parts));
  }
  if (!is_sound) return Fail(ErrorCode::kInvalidInput);
  fields.parts = parts;
  return MakeOperation(fields);
}

void EncodeResponse(const Response& response, Bytes& frame) {
  frame.clear();
  frame.reserve(response.body.size() + kUsualBytes);
  AppendOne(response, frame);
  for (const Response& part : response.parts) {
    AppendField(ResponseTag::kPart, std::string_view(), frame);
    const std::size_t start = frame.size();
    AppendOne(part, frame);
    const auto length = static_cast<std::uint32_t>(frame.size() - start);
    std::memcpy(frame.data() + start - sizeof length, &length, sizeof length);
  }
}

Result<Snapshot> DecodeSnapshot(BytesView frame) {
  Decoder rest(frame);
  Snapshot snapshot;
  for (std::uint32_t n = rest.ReadU32(); n > 0 && !rest.failed(); --n) {
    const std::uint8_t is_present = rest.ReadU8();
    if (is_present > 1) rest.Fail();
    snapshot.values.emplace_back();
    if (is_present == 1) snapshot.values.back() = Bytes(ReadField(rest));
  }
  while (!rest.failed() && !rest.at_end()) {
    const std::uint64_t number = rest.ReadU64();
    snapshot.records.push_back({number, Bytes(ReadField(rest))});
  }
  if (rest.failed()) return Fail(ErrorCode::kInvalidInput);
  return snapshot;
}

}  // namespace entitable
