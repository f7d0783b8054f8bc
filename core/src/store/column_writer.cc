// How a column grows.  A leaf page must not pass its limit, and how wide its
// arrays are depends on all of their values.  So a row is not added at once:
// Try() computes the size that the column would have with one more value, from
// a few totals and without looking at the values before it, and Add() makes
// these totals true when the whole row fits.
//
//   form       what decides the size
//   integers   the least and the greatest value: each value is stored as its
//              distance from the least one, in 0, 1, 2, 4 or 8 bytes
//   doubles    the number of values, and the same for bits and GUIDs
//   texts      the number of bytes, and that of values
//   dictionary the bytes of the different texts, and how many those are
//
// A text column is a dictionary while it has at most 256 different texts and
// takes fewer bytes that way.  Both sizes are known all the time, because
// texts_ has each text once, and entry_of_ says which one each value is.  The
// page decides between the two only when it is described, so a column may be
// written as plain texts although the writer has a dictionary.  With the 257th
// text the dictionary is given up for good, and texts_ becomes all texts in
// their order.
//
// The writers of a page are used again for the next page.  Reset() keeps their
// memory, since most pages of a run have the same columns.

#include "store/column_writer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bits.h"
#include "store/leaf_format.h"

namespace entitable {
namespace {

// The view is of a page that is being written, so its bytes may be changed.
char* AddressOf(const PackedArray& array) {
  return const_cast<char*>(array.data);
}

// One loop for each width: this is the hot part of writing a page.
template <typename Unsigned>
void PutEach(const Words& numbers, std::uint64_t base, char* to) {
  for (const std::uint64_t number : numbers) {
    const auto element = static_cast<Unsigned>(number - base);
    std::memcpy(to, &element, sizeof element);
    to += sizeof element;
  }
}

}  // namespace

void SetBit(std::size_t i, bool bit, Words& words) {
  if (words.size() <= i / kWordBits) words.resize(i / kWordBits + 1);
  words.back() |= std::uint64_t{bit} << i % kWordBits;
}

void PutAll(const Words& numbers, const PackedArray& array, std::uint64_t base,
            std::size_t first) {
  char* const to = AddressOf(array) + first * array.width;
  switch (array.width) {
    case 1:
      return PutEach<std::uint8_t>(numbers, base, to);
    case 2:
      return PutEach<std::uint16_t>(numbers, base, to);
    case 4:
      return PutEach<std::uint32_t>(numbers, base, to);
    case 8:
      return PutEach<std::uint64_t>(numbers, base, to);
    default:
      return;
  }
}

void PutBytes(std::string_view bytes, const PackedArray& array,
              std::size_t first) {
  std::copy(bytes.begin(), bytes.end(), AddressOf(array) + first);
}

// --------------------------------------------------------------- column writer

namespace {

std::uint64_t WordIn(std::string_view packed, std::size_t i) {
  std::uint64_t word = 0;
  std::memcpy(&word, packed.data() + i * sizeof word,
              std::min(packed.size(), sizeof word));
  return word;
}

std::int64_t IntegerIn(std::string_view packed) {
  const auto word = static_cast<std::int64_t>(WordIn(packed, 0));
  return packed.size() == 4 ? static_cast<std::int32_t>(word) : word;
}

std::uint64_t Difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

std::size_t TextBytes(std::size_t bytes, std::size_t count) {
  return VarintSize(bytes) + bytes + (count + 1) * StartWidth(bytes);
}

}  // namespace

void ColumnWriter::Reset(std::string_view name, EdmType type) {
  name_.assign(name);
  type_ = type;
  form_ = FormOf(type);
  directory_bytes_ = 2 + VarintSize(name.size()) + name.size();
  totals_ = {};
  presence_.clear();
  numbers_.clear();
  texts_.bytes.clear();
  texts_.ends.clear();
  entry_of_.clear();
  entries_.Truncate(0);
}

void ColumnWriter::Try(std::string_view packed) {
  packed_ = packed;
  tried_ = totals_;
  ++tried_.values;
  if (form_ == ColumnForm::kIntegers) TryInteger();
  if (form_ == ColumnForm::kTexts) TryText();
  tried_.size = static_cast<std::uint32_t>(
      directory_bytes_ + VarintSize(tried_.values) + BytesOf(tried_));
}

void ColumnWriter::TryInteger() {
  const std::int64_t number = IntegerIn(packed_);
  if (tried_.values == 1) tried_.least = tried_.greatest = number;
  tried_.least = std::min(tried_.least, number);
  tried_.greatest = std::max(tried_.greatest, number);
}

void ColumnWriter::TryText() {
  const auto size = static_cast<std::uint32_t>(packed_.size());
  tried_.bytes += size;
  if (tried_.entries > kMaxEntries) return;
  hash_ = entries_.HashOf(packed_);
  entry_ = FindEntry();
  if (entry_ < entries_.size()) return;
  ++tried_.entries;
  tried_.entry_bytes += size;
}

// The number of the text's entry; if it has none, that of the next new entry.
std::size_t ColumnWriter::FindEntry() const {
  auto probe = entries_.Begin(hash_);
  while (true) {
    const std::size_t entry = entries_.Next(probe);
    if (entry == HashIndex::kNone) return entries_.size();
    if (texts_.At(entry) == packed_) return entry;
  }
}

std::size_t ColumnWriter::BytesOf(Totals& totals) const {
  const std::size_t values = totals.values;
  switch (form_) {
    case ColumnForm::kIntegers:
      totals.width = IntegerWidth(Difference(totals.greatest, totals.least));
      return 1 + VarintSize(ZigZag(totals.least)) + totals.width * values;
    case ColumnForm::kDoubles:
      return 8 * values;
    case ColumnForm::kBits:
      return 8 * WordCount(values);
    case ColumnForm::kGuids:
      return 16 * values;
    default:
      break;
  }
  const std::size_t each = TextBytes(totals.bytes, values);
  const std::size_t once = VarintSize(totals.entries) +
                           NumberWidth(totals.entries) * values +
                           TextBytes(totals.entry_bytes, totals.entries);
  totals.is_dictionary = totals.entries <= kMaxEntries && once < each;
  return totals.is_dictionary ? once : each;
}

void ColumnWriter::Add(std::size_t row) {
  SetBit(row, true, presence_);
  const std::size_t index = totals_.values;
  totals_ = tried_;
  switch (form_) {
    case ColumnForm::kIntegers:
      numbers_.push_back(static_cast<std::uint64_t>(IntegerIn(packed_)));
      return;
    case ColumnForm::kBits:
      return SetBit(index, packed_.front() != 0, numbers_);
    case ColumnForm::kTexts:
      return AddText();
    default:
      for (std::size_t i = 0; i < packed_.size() / 8; ++i) {
        numbers_.push_back(WordIn(packed_, i));
      }
  }
}

void ColumnWriter::AddText() {
  if (totals_.entries > kMaxEntries) {
    // The page has room for all of them.
    if (!entry_of_.empty()) texts_ = AllTexts();
    entry_of_.clear();
    return texts_.Append(packed_);
  }
  entry_of_.push_back(entry_);
  if (entry_ < entries_.size()) return;
  entries_.Add(hash_);
  texts_.Append(packed_);
}

std::string_view ColumnWriter::Texts::At(std::size_t index) const {
  const auto start = static_cast<std::size_t>(index == 0 ? 0 : ends[index - 1]);
  return {bytes.data() + start, static_cast<std::size_t>(ends[index]) - start};
}

void ColumnWriter::Texts::Append(std::string_view text) {
  bytes += text;
  ends.push_back(bytes.size());
}

ColumnWriter::Texts ColumnWriter::AllTexts() const {
  Texts all;
  for (const std::uint64_t entry : entry_of_) {
    all.Append(texts_.At(static_cast<std::size_t>(entry)));
  }
  return all;
}

Column ColumnWriter::Describe() const {
  Column column;
  column.name = name_;
  column.type = type_;
  column.form = totals_.is_dictionary ? ColumnForm::kDictionary : form_;
  column.value_count = totals_.values;
  column.base = totals_.least;
  column.numbers.width = totals_.width;
  column.bytes.count = totals_.bytes;
  if (totals_.is_dictionary) {
    column.bytes.count = totals_.entry_bytes;
    column.entry_count = totals_.entries;
  }
  return column;
}

void ColumnWriter::Write(const Column& column) const {
  PutAll(presence_, column.presence);
  if (column.form == ColumnForm::kDictionary) {
    PutAll(entry_of_, column.numbers);
    return WriteTexts(texts_, column);
  }
  if (column.form == ColumnForm::kTexts) {
    return WriteTexts(entry_of_.empty() ? texts_ : AllTexts(), column);
  }
  PutAll(numbers_, column.numbers, static_cast<std::uint64_t>(column.base));
}

// The first start is 0, and was written before.
void ColumnWriter::WriteTexts(const Texts& texts, const Column& column) {
  PutAll(texts.ends, column.starts, 0, 1);
  PutBytes(texts.bytes, column.bytes);
}

// ----------------------------------------------------------- row schema writer

namespace {

std::string_view BytesOf(const RowSchema& schema) {
  return {reinterpret_cast<const char*>(schema.data()),
          schema.size() * sizeof(std::uint64_t)};
}

}  // namespace

bool RowSchemaWriter::IsAt(std::size_t number, const RowSchema& schema) const {
  const auto at = [this](std::uint64_t start) {
    return columns_.data() + start;
  };
  return std::equal(at(starts_[number]), at(starts_[number + 1]), schema.data(),
                    schema.data() + schema.size());
}

std::size_t RowSchemaWriter::Find(const RowSchema& schema) const {
  // Usually the schema of the previous row.
  if (index_.size() > 0) {
    const auto last = static_cast<std::size_t>(numbers_.back());
    if (IsAt(last, schema)) return last;
  }
  auto probe = index_.Begin(index_.HashOf(BytesOf(schema)));
  while (true) {
    const std::size_t number = index_.Next(probe);
    if (number == HashIndex::kNone) return index_.size();
    if (IsAt(number, schema)) return number;
  }
}

void RowSchemaWriter::Add(std::size_t number, const RowSchema& schema) {
  numbers_.push_back(number);
  if (number < index_.size()) return;
  index_.Add(index_.HashOf(BytesOf(schema)));
  for (const std::uint64_t column : schema) columns_.push_back(column);
  starts_.push_back(columns_.size());
}

std::size_t RowSchemaWriter::BytesWith(std::size_t number, std::size_t size,
                                       std::size_t column_count) const {
  const bool is_new = number == index_.size();
  const std::size_t schemas = index_.size() + is_new;
  return NumberWidth(schemas) * (numbers_.size() + 1) + 2 * (schemas + 1) +
         SchemaColumnWidth(column_count) *
             (columns_.size() + (is_new ? size : 0));
}

void RowSchemaWriter::FillIn(LeafLayout& layout) const {
  layout.schema_starts.count = static_cast<std::uint32_t>(starts_.size());
  layout.schema_columns.count = static_cast<std::uint32_t>(columns_.size());
}

void RowSchemaWriter::Write(const LeafLayout& layout) const {
  PutAll(numbers_, layout.schema_numbers);
  PutAll(starts_, layout.schema_starts);
  PutAll(columns_, layout.schema_columns);
}

void RowSchemaWriter::Clear() {
  numbers_.clear();
  starts_.assign(1, 0);
  columns_.clear();
  index_.Truncate(0);
}

}  // namespace entitable
