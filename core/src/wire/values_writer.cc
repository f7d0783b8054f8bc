#include "wire/values_writer.h"

#include <cassert>
#include <utility>

#include "base/text_buffer.h"
#include "model/names.h"

namespace entitable {
namespace {

constexpr std::uint32_t kSame = 0xFFFF'FFFF;

constexpr char kSystemKind = '0';
constexpr char kMissingKind = '9';

constexpr std::string_view kEtag = "etag";
constexpr std::string_view kPartitionKey = "partitionKey";
constexpr std::string_view kRowKey = "rowKey";
constexpr std::string_view kTimestamp = "timestamp";

char KindOf(EdmType type) {
  return static_cast<char>('0' + static_cast<char>(type));
}

// Each description begins with a dot.
void Describe(char kind, std::string_view name, TextBuffer& schema) {
  char* at = schema.Extend(2 + name.size());
  *at++ = '.';
  *at++ = kind;
  CopyShort(name, at);
}

}  // namespace

ValuesWriter::ValuesWriter() = default;
ValuesWriter::~ValuesWriter() = default;

// ------------------------------------------------------------------- entities

void ValuesWriter::Add(const PayloadContext& context, EntityKeyView key,
                       const EntityView& entity) {
  BeginMembers(context);
  for (PropertyCursor cursor(entity.properties);
       const auto property = cursor.NextPacked();) {
    AddMember(context,
              {property->type, property->name, property->value, nullptr});
  }
  DescribeSchema(context);
  schema_of_ = {};
  AddHeader(key, entity.timestamp);
  EndBlock();
}

void ValuesWriter::Add(const PayloadContext& context, EntityKeyView key,
                       const PageRow& entity) {
  AddToBlock(context, key, entity);
  EndBlock();
}

void ValuesWriter::AddToBlock(const PayloadContext& context, EntityKeyView key,
                              const PageRow& entity) {
  if (!entity.HasSchemaOf(schema_of_)) {
    BeginMembers(context);
    members_.reserve(entity.schema.count);
    for (std::size_t i = 0; i < entity.schema.count; ++i) {
      const Column& column = entity.property(i);
      AddMember(context, {column.type, column.name, {}, &column});
    }
    shared_bytes_ = 0;
    for (const Member& member : members_) {
      const bool is_shared = member.column->form == ColumnForm::kDictionary;
      if (is_shared) shared_bytes_ += member.column->bytes.count;
    }
    DescribeSchema(context);
  }
  schema_of_ = entity;
  rows_.push_back(static_cast<std::uint32_t>(entity.row));
  AddHeader(key, entity.timestamp());
}

void ValuesWriter::BeginMembers(const PayloadContext& context) {
  EndBlock();
  members_.clear();
  if (context.select != nullptr) present_.assign(context.select->size(), false);
}

void ValuesWriter::AddMember(const PayloadContext& context,
                             const Member& member) {
  if (context.select != nullptr) {
    const std::size_t i = context.select->Find(member.name);
    if (i == KeyTable::kNone) return;
    present_[i] = true;
  }
  members_.push_back(member);
}

void ValuesWriter::DescribeSchema(const PayloadContext& context) {
  has_partition_key_ = context.Selects("PartitionKey");
  has_row_key_ = context.Selects("RowKey");
  has_timestamp_ = context.Selects("Timestamp");
  next_schema_.clear();
  {
    TextBuffer schema(next_schema_);
    Describe(kSystemKind, kEtag, schema);
    if (has_partition_key_) Describe(kSystemKind, kPartitionKey, schema);
    if (has_row_key_) Describe(kSystemKind, kRowKey, schema);
    if (has_timestamp_) Describe(kSystemKind, kTimestamp, schema);
    for (const Member& member : members_) {
      Describe(KindOf(member.type), member.name, schema);
    }
    for (std::size_t i = 0; context.select != nullptr && i < present_.size();
         ++i) {
      const std::string_view name = (*context.select)[i];
      if (present_[i] || IsSystemName(name)) continue;
      Describe(kMissingKind, name, schema);
    }
  }
  has_new_schema_ = next_schema_ != schema_;
}

void ValuesWriter::AddHeader(EntityKeyView key, DateTime timestamp) {
  headers_.push_back({key_bytes_.size(), key.partition_key.size(),
                      key.row_key.size(), timestamp});
  key_bytes_ += key.partition_key;
  key_bytes_ += key.row_key;
}

// --------------------------------------------------------------------- blocks

void ValuesWriter::EndBlock() {
  if (headers_.empty()) return;
  const bool has_row_before = !has_new_schema_;
  PutSchema();
  values_.PutNumber(static_cast<std::uint32_t>(headers_.size()));
  if (rows_.size() == 1) Touch();
  PutEtags(has_row_before);
  if (has_partition_key_) PutPartitionKeys(has_row_before);
  if (has_row_key_) PutRowKeys();
  if (has_timestamp_) PutTimestamps();
  for (const Member& member : members_) {
    if (member.column != nullptr) {
      values_.PutColumn(*member.column, PlacesOf(member));
    } else {
      values_.PutValue(member.type, member.packed);
    }
  }
  headers_.clear();
  key_bytes_.clear();
  rows_.clear();
}

void ValuesWriter::PutSchema() {
  if (!has_new_schema_) return values_.PutNumber(std::uint32_t{0});
  values_.PutText(std::string_view(next_schema_).substr(1));
  std::swap(schema_, next_schema_);
  has_new_schema_ = false;
}

void ValuesWriter::PutEtags(bool has_row_before) {
  const DateTime first = headers_.front().timestamp;
  bool have_all_one_time = true;
  for (const Header& header : headers_) {
    have_all_one_time &= header.timestamp == first;
  }
  times_.clear();
  for (const Header& header : BeginColumn(have_all_one_time)) {
    times_.emplace_back();
    if (has_row_before && header.timestamp == timestamp_) {
      values_.PutNumber(kSame);
    } else {
      timestamp_ = header.timestamp;
      times_.back() = timestamp_.ToText();
      values_.PutEtag(times_.back().view());
    }
    has_row_before = true;
  }
}

void ValuesWriter::PutPartitionKeys(bool has_row_before) {
  // Rows come in the order of their keys.
  const bool have_all_one_key = headers_.front().partition_key(key_bytes_) ==
                                headers_.back().partition_key(key_bytes_);
  for (const Header& header : BeginColumn(have_all_one_key)) {
    const std::string_view key = header.partition_key(key_bytes_);
    if (has_row_before && key == partition_key_) {
      values_.PutNumber(kSame);
    } else {
      values_.PutText(key);
      partition_key_ = key;
    }
    has_row_before = true;
  }
}

void ValuesWriter::PutRowKeys() {
  for (const Header& header : BeginColumn(headers_.size() == 1)) {
    values_.PutText(header.row_key(key_bytes_));
  }
}

void ValuesWriter::PutTimestamps() {
  values_.PutNumber(static_cast<std::uint32_t>(times_.size()));
  for (const DateTimeText& time : times_) {
    if (time.size == 0) {
      values_.PutNumber(kSame);
    } else {
      values_.PutText(time.view());
    }
  }
}

// Returns the rows whose values to write.
std::span<const ValuesWriter::Header> ValuesWriter::BeginColumn(
    bool have_all_one_value) {
  const auto rows =
      std::span(headers_).first(have_all_one_value ? 1 : headers_.size());
  values_.PutNumber(static_cast<std::uint32_t>(rows.size()));
  return rows;
}

// The values of a row lie in as many places as there are columns, and few are
// in a cache of the processor.  It does not wait for these loads, so it fetches
// all values at the same time.  Booleans are so small that they are there.
void ValuesWriter::Touch() {
  std::uint64_t bits = 0;
  for (Member& member : members_) {
    const Column& column = *member.column;
    const std::size_t i = column.IndexOf(rows_.front());
    member.place = static_cast<std::uint32_t>(i);
    if (column.form == ColumnForm::kTexts) {
      const std::string_view text = column.EntryTextAt(i);
      if (!text.empty()) bits += static_cast<unsigned char>(text.back());
    } else if (column.form != ColumnForm::kBits) {
      const bool is_guid = column.form == ColumnForm::kGuids;
      bits += column.numbers[is_guid ? 2 * i : i];
    }
  }
  touched_ += bits;
}

// The places of the rows of the block in a column.  All of them have values, so
// two rows that follow one another do so in the column, too.
std::span<const std::uint32_t> ValuesWriter::PlacesOf(const Member& member) {
  if (rows_.size() == 1) return {&member.place, 1};
  if (member.column->presence.data == nullptr) return rows_;
  places_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool follows = i > 0 && rows_[i] == rows_[i - 1] + 1;
    places_.push_back(
        follows ? places_.back() + 1
                : static_cast<std::uint32_t>(member.column->IndexOf(rows_[i])));
  }
  return places_;
}

std::string ValuesWriter::Finish() {
  assert(headers_.empty());
  std::string values = values_.Copy();
  Clear();
  return values;
}

void ValuesWriter::Clear() {
  values_.Clear();
  headers_.clear();
  key_bytes_.clear();
  rows_.clear();
  schema_.clear();
  schema_of_ = {};
}

}  // namespace entitable
