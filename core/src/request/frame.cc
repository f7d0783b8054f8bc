#include "entitable/frame.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "model/limits.h"
#include "model/report.h"
#include "request/operation_fields.h"

namespace entitable {
namespace {

enum class OperationTag : std::uint8_t {
  kTable = 1,
  kPartitionKey = 2,
  kRowKey = 3,
  kIfMatch = 4,
  kIfNoneMatch = 5,
  kFilter = 6,
  kSelect = 7,
  kTop = 8,
  kNextPartitionKey = 9,
  kNextRowKey = 10,
  kNextTableName = 11,
  kBody = 12,
  kPart = 13,
  kImportPart = 14,
  kPosition = 15,
  kSchema = 16,
  kSync = 17,
  kOrderBy = 18,
  kSkip = 19,
  kMost = 20,
  kAggregates = 21,
  kSearch = 22,
  kProperty = 23,
};

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
};

constexpr std::uint8_t kNoEchoFlag = 1;
constexpr std::uint8_t kFreshFlag = 2;
// The format has two bits.
constexpr int kFormatShift = 2;
constexpr int kFormatMask = 3;
constexpr std::uint8_t kKeepsDoublesFlag = 16;
constexpr std::uint8_t kExtendedFlag = 32;
constexpr std::uint8_t kAnyWordFlag = 64;
constexpr std::uint8_t kAtOnceFlag = 128;

// Flags of a part of an import.
constexpr std::uint8_t kBeginsFlag = 1;
constexpr std::uint8_t kEndsFlag = 2;
constexpr std::uint8_t kAbandonsFlag = 4;

std::string_view TakeField(Decoder& frame) {
  return frame.ReadBytes(frame.ReadU32());
}

// Remembers the tags that were seen, because no tag may occur twice.
class SeenTags {
 public:
  bool Add(std::uint8_t tag) {
    if (tag >= 32) return false;
    const std::uint32_t bit = 1U << tag;
    return (std::exchange(seen_, seen_ | bit) & bit) == 0;
  }

 private:
  std::uint32_t seen_ = 0;
};

// The place of a text that may be missing; null if the tag has none.
std::optional<std::string_view>* TextPlace(OperationTag tag,
                                           OperationFields& fields) {
  switch (tag) {
    case OperationTag::kIfMatch:
      return &fields.if_match;
    case OperationTag::kIfNoneMatch:
      return &fields.if_none_match;
    case OperationTag::kFilter:
      return &fields.options.filter;
    case OperationTag::kSelect:
      return &fields.options.select;
    case OperationTag::kTop:
      return &fields.options.top;
    case OperationTag::kNextPartitionKey:
      return &fields.next_partition_key;
    case OperationTag::kNextRowKey:
      return &fields.next_row_key;
    case OperationTag::kNextTableName:
      return &fields.next_table_name;
    case OperationTag::kOrderBy:
      return &fields.order_by;
    case OperationTag::kSkip:
      return &fields.skip;
    case OperationTag::kMost:
      return &fields.most;
    case OperationTag::kAggregates:
      return &fields.aggregates;
    case OperationTag::kSearch:
      return &fields.search;
    case OperationTag::kProperty:
      return &fields.property;
    default:
      return nullptr;
  }
}

// Returns false if the tag has no plain text.
bool SetText(OperationTag tag, std::string_view text, OperationFields& fields) {
  if (auto* place = TextPlace(tag, fields)) {
    *place = text;
  } else if (tag == OperationTag::kTable) {
    fields.address.table = text;
  } else if (tag == OperationTag::kPartitionKey) {
    fields.address.partition_key = text;
  } else if (tag == OperationTag::kRowKey) {
    fields.address.row_key = text;
  } else {
    return false;
  }
  return true;
}

bool TakeImportPart(std::string_view field, OperationFields& fields) {
  Decoder bytes(field);
  ImportPart part;
  part.import = bytes.ReadU32();
  const std::uint8_t mode = bytes.ReadU8();
  part.mode = static_cast<ImportMode>(mode);
  const std::uint8_t flags = bytes.ReadU8();
  part.begins = (flags & kBeginsFlag) != 0;
  part.ends = (flags & kEndsFlag) != 0;
  part.abandons = (flags & kAbandonsFlag) != 0;
  fields.import_part = part;
  return !bytes.failed() && bytes.at_end() &&
         mode <= static_cast<std::uint8_t>(ImportMode::kRestore) &&
         flags <= (kBeginsFlag | kEndsFlag | kAbandonsFlag);
}

// In decimal.  Record numbers are below 2^53.
bool TakePosition(std::string_view field, OperationFields& fields) {
  const auto number = ParseInt64(field);
  if (!number || *number < 0) return false;
  fields.position = static_cast<std::uint64_t>(*number);
  return true;
}

bool TakeHead(Decoder& frame, OperationFields& fields) {
  const std::uint8_t kind = frame.ReadU8();
  const std::uint8_t level = frame.ReadU8();
  const std::uint8_t flags = frame.ReadU8();
  fields.kind = static_cast<OperationKind>(kind);
  fields.form.level = static_cast<MetadataLevel>(level);
  fields.echo = (flags & kNoEchoFlag) == 0;
  fields.fresh = (flags & kFreshFlag) != 0;
  fields.keeps_doubles = (flags & kKeepsDoublesFlag) != 0;
  fields.any_word = (flags & kAnyWordFlag) != 0;
  fields.at_once = (flags & kAtOnceFlag) != 0;
  if ((flags & kExtendedFlag) != 0) {
    fields.options.dialect = FilterDialect::kExtended;
  }
  const int format = flags >> kFormatShift & kFormatMask;
  fields.form.format = static_cast<WireFormat>(format);
  return !frame.failed() && kind >= 1 &&
         kind <= static_cast<std::uint8_t>(OperationKind::kMergeMatching) &&
         level <= static_cast<std::uint8_t>(MetadataLevel::kTyped) &&
         format <= static_cast<int>(WireFormat::kLines);
}

// `readable_end` is the end of the bytes that may be read.  `parts` is null
// inside a part: a part has no parts of its own, so there is no recursion.
bool TakeFields(std::string_view bytes, const char* readable_end,
                OperationFields& fields, std::vector<std::string_view>* parts) {
  Decoder frame(bytes);
  if (!TakeHead(frame, fields)) return false;
  SeenTags seen;
  while (!frame.at_end()) {
    const std::uint8_t number = frame.ReadU8();
    const std::string_view field = TakeField(frame);
    if (frame.failed()) return false;
    const auto tag = static_cast<OperationTag>(number);
    if (tag == OperationTag::kPart) {
      if (parts == nullptr) return false;
      // One part too many is enough: the engine then rejects the transaction.
      if (parts->size() <= kMaxTransactionParts) parts->push_back(field);
      continue;
    }
    if (!seen.Add(number)) return false;
    if (tag == OperationTag::kBody || tag == OperationTag::kSync) {
      JsonText& place = tag == OperationTag::kBody ? fields.body : fields.sync;
      place = {field, static_cast<std::size_t>(readable_end - field.data())};
    } else if (tag == OperationTag::kImportPart) {
      if (!TakeImportPart(field, fields)) return false;
    } else if (tag == OperationTag::kPosition) {
      if (!TakePosition(field, fields)) return false;
    } else if (tag == OperationTag::kSchema) {
      // A transaction has one schema for all parts.
      if (parts == nullptr) return false;
      fields.schema = field;
    } else if (!SetText(tag, field, fields)) {
      return false;
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
  if (!response.etag.empty()) {
    AppendField(ResponseTag::kEtag, std::string_view(response.etag), frame);
  }
  AppendField(ResponseTag::kNextPartitionKey, response.next_partition_key,
              frame);
  AppendField(ResponseTag::kNextRowKey, response.next_row_key, frame);
  AppendField(ResponseTag::kNextTableName, response.next_table_name, frame);
  if (response.position) {
    std::string text;
    AppendDecimal(static_cast<std::int64_t>(*response.position), text);
    AppendField(ResponseTag::kPosition, std::string_view(text), frame);
  }
  if (!response.origins.empty()) {
    AppendField(ResponseTag::kOrigins, std::string_view(response.origins),
                frame);
  }
  if (!response.scores.empty()) {
    AppendField(ResponseTag::kScores, std::string_view(response.scores), frame);
  }
  if (!response.body.empty()) {
    AppendField(ResponseTag::kBody, std::string_view(response.body), frame);
  }
  if (!response.warnings.empty()) {
    std::string json;
    AppendJson(response.warnings, json);
    AppendField(ResponseTag::kWarnings, std::string_view(json), frame);
  }
}

}  // namespace

Result<Operation> DecodeOperation(BytesView frame, std::size_t capacity,
                                  std::vector<TransactionPart>& parts) {
  const char* readable_end = frame.data() + std::max(capacity, frame.size());
  OperationFields fields;
  std::vector<std::string_view> texts;
  bool is_sound = TakeFields(frame, readable_end, fields, &texts);
  parts.reserve(texts.size());
  for (const std::string_view text : texts) {
    OperationFields part;
    is_sound = is_sound && TakeFields(text, readable_end, part, nullptr);
    if (!is_sound) break;
    ENTITABLE_TRY(AddPart(part, parts));
  }
  if (!is_sound) return Fail(ErrorCode::kInvalidInput);
  return MakeOperation(fields, parts);
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
    if (is_present == 1) snapshot.values.back() = Bytes(TakeField(rest));
  }
  while (!rest.failed() && !rest.at_end()) {
    const std::uint64_t number = rest.ReadU64();
    snapshot.records.push_back({number, Bytes(TakeField(rest))});
  }
  if (rest.failed()) return Fail(ErrorCode::kInvalidInput);
  return snapshot;
}

}  // namespace entitable
