#include "store/column_writer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/bits.h"
#include "store/array_writer.h"

namespace entitable {
namespace {

using Totals = ColumnWriter::Totals;

// In the directory but for name and base: type, form, sizes of up to three
// bytes each (the name's has two), width and the count of entries.  A longer
// page has one row, and nobody asks for its size.
constexpr std::size_t kMaxColumnBytes = 2 + 2 + 3 + 3 + 2;

// Up to here every whole number is a double.
constexpr double kMaxWhole = 9'007'199'254'740'992;

std::string_view TextOf(const Value& value) {
  return value.type() == EdmType::kString ? value.string() : value.binary();
}

// Not so for -0.0, which would come back as another.
bool IsWhole(double number) {
  return number >= -kMaxWhole && number <= kMaxWhole &&
         std::bit_cast<std::uint64_t>(number) ==
             std::bit_cast<std::uint64_t>(
                 static_cast<double>(static_cast<std::int64_t>(number)));
}

std::int64_t IntegerOf(const Value& value) {
  switch (value.type()) {
    case EdmType::kInt32:
      return value.int32();
    case EdmType::kDateTime:
      return value.date_time().ticks;
    default:
      return value.int64();
  }
}

std::uint64_t Difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

// By one more number, that `values` counts already.
void Extend(std::int64_t number, Totals& totals) {
  const bool is_first = totals.values == 1;
  if (!is_first && number >= totals.least && number <= totals.greatest) return;
  totals.least = is_first ? number : std::min(totals.least, number);
  totals.greatest = is_first ? number : std::max(totals.greatest, number);
  totals.width = IntegerWidth(Difference(totals.greatest, totals.least));
  totals.base_bytes =
      static_cast<std::uint8_t>(VarintSize(ZigZag(totals.least)));
}

std::size_t TextBytes(std::size_t bytes, std::size_t count) {
  return bytes + (count + 1) * StartWidth(bytes);
}

std::size_t DictionaryBytes(const Totals& totals) {
  return NumberWidth(totals.entries) * totals.values +
         TextBytes(totals.entry_bytes, totals.entries);
}

ColumnForm FormOf(EdmType type, const Totals& totals) {
  switch (type) {
    case EdmType::kBoolean:
      return ColumnForm::kBits;
    case EdmType::kGuid:
      return ColumnForm::kGuids;
    case EdmType::kDouble:
      return totals.is_whole && totals.width < 8 ? ColumnForm::kIntegers
                                                 : ColumnForm::kDoubles;
    case EdmType::kString:
    case EdmType::kBinary:
      return totals.has_few_entries &&
                     DictionaryBytes(totals) <
                         TextBytes(totals.bytes, totals.values)
                 ? ColumnForm::kDictionary
                 : ColumnForm::kTexts;
    default:
      return ColumnForm::kIntegers;
  }
}

}  // namespace

void ColumnWriter::Reset(std::string_view name, EdmType type) {
  name_.assign(name);
  directory_bytes_ = kMaxColumnBytes + name.size();
  type_ = type;
  totals_ = {};
  bytes_ = 0;
  presence_.clear();
  words_.clear();
  texts_.clear();
  entry_of_.clear();
  first_of_.clear();
  entries_.Truncate(0);
}

void ColumnWriter::Try(Candidate& candidate) const {
  const Value& value = candidate.value;
  Totals& totals = candidate.totals;
  totals = totals_;
  ++totals.values;
  switch (type_) {
    case EdmType::kString:
    case EdmType::kBinary:
      TryText(TextOf(value), candidate);
      break;
    case EdmType::kDouble:
      totals.is_whole = totals.is_whole && IsWhole(value.real());
      if (totals.is_whole) {
        Extend(static_cast<std::int64_t>(value.real()), totals);
      }
      break;
    case EdmType::kBoolean:
    case EdmType::kGuid:
      break;
    default:
      Extend(IntegerOf(value), totals);
  }
  candidate.bytes = BytesWith(totals);
}

void ColumnWriter::TryText(std::string_view text, Candidate& candidate) const {
  Totals& totals = candidate.totals;
  const auto size = static_cast<std::uint32_t>(text.size());
  totals.bytes += size;
  if (!totals.has_few_entries) return;

  candidate.hash = HashOf(text);
  candidate.entry = FindEntry(candidate.hash, text);
  if (candidate.entry == totals_.entries) {
    ++totals.entries;
    totals.entry_bytes += size;
    totals.has_few_entries = totals.entries <= kMaxEntries;
  }
}

// The number of the next entry when there is none yet.
std::uint32_t ColumnWriter::FindEntry(std::uint32_t hash,
                                      std::string_view text) const {
  auto probe = entries_.Begin(hash);
  while (true) {
    const std::size_t entry = entries_.Next(probe);
    if (entry == HashIndex::kNone) return totals_.entries;
    if (TextAt(first_of_[entry]) == text) {
      return static_cast<std::uint32_t>(entry);
    }
  }
}

void ColumnWriter::Add(const Candidate& candidate, std::size_t row) {
  if (presence_.size() <= row / kWordBits) {
    presence_.resize(row / kWordBits + 1);
  }
  presence_.back() |= std::uint64_t{1} << row % kWordBits;
  const Value& value = candidate.value;
  switch (type_) {
    case EdmType::kString:
    case EdmType::kBinary:
      AddText(TextOf(value), candidate);
      break;
    case EdmType::kGuid: {
      const auto halves =
          std::bit_cast<std::array<std::uint64_t, 2>>(value.guid().bytes);
      words_.insert(words_.end(), halves.begin(), halves.end());
      break;
    }
    case EdmType::kDouble:
      words_.push_back(std::bit_cast<std::uint64_t>(value.real()));
      break;
    case EdmType::kBoolean:
      words_.push_back(value.boolean());
      break;
    default:
      words_.push_back(static_cast<std::uint64_t>(IntegerOf(value)));
  }
  totals_ = candidate.totals;
  bytes_ = candidate.bytes;
}

void ColumnWriter::AddText(std::string_view text, const Candidate& candidate) {
  texts_ += text;
  words_.push_back(texts_.size());
  if (!candidate.totals.has_few_entries) return;
  if (candidate.entry == totals_.entries) {
    entries_.Add(candidate.hash);
    first_of_.push_back(static_cast<std::uint32_t>(words_.size() - 1));
  }
  entry_of_.push_back(static_cast<std::uint8_t>(candidate.entry));
}

std::string_view ColumnWriter::TextAt(std::size_t index) const {
  const std::uint64_t start = index == 0 ? 0 : words_[index - 1];
  return std::string_view(texts_).substr(
      static_cast<std::size_t>(start),
      static_cast<std::size_t>(words_[index] - start));
}

std::size_t ColumnWriter::BytesWith(const Totals& totals) const {
  const std::size_t values = totals.values;
  switch (FormOf(type_, totals)) {
    case ColumnForm::kIntegers:
      return directory_bytes_ + totals.base_bytes + totals.width * values;
    case ColumnForm::kDoubles:
      return directory_bytes_ + 8 * values;
    case ColumnForm::kBits:
      return directory_bytes_ + 8 * WordCount(values);
    case ColumnForm::kGuids:
      return directory_bytes_ + sizeof(Guid) * values;
    case ColumnForm::kTexts:
      return directory_bytes_ + TextBytes(totals.bytes, values);
    case ColumnForm::kDictionary:
      return directory_bytes_ + DictionaryBytes(totals);
  }
  return directory_bytes_;
}

ColumnLayout ColumnWriter::Layout() const {
  ColumnLayout layout;
  layout.type = type_;
  layout.form = FormOf(type_, totals_);
  layout.name = name_;
  layout.values = totals_.values;
  layout.width = totals_.width;
  layout.base = totals_.least;
  layout.bytes = totals_.bytes;
  if (layout.form == ColumnForm::kDictionary) {
    layout.bytes = totals_.entry_bytes;
    layout.entries = totals_.entries;
  }
  return layout;
}

void ColumnWriter::Write(const ColumnLayout& layout, char* page) const {
  PutAll(presence_, 0, layout.presence_array, page);
  switch (layout.form) {
    case ColumnForm::kIntegers:
      return WriteIntegers(layout, page);
    case ColumnForm::kDoubles:
    case ColumnForm::kGuids:
      return PutAll(words_, 0, layout.numbers_array, page);
    case ColumnForm::kBits:
      return WriteBits(layout, page);
    case ColumnForm::kTexts:
      return WriteTexts(layout, page);
    case ColumnForm::kDictionary:
      return WriteDictionary(layout, page);
  }
}

void ColumnWriter::WriteIntegers(const ColumnLayout& layout, char* page) const {
  const auto base = static_cast<std::uint64_t>(layout.base);
  if (type_ != EdmType::kDouble) {
    return PutAll(words_, base, layout.numbers_array, page);
  }
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto number =
        static_cast<std::int64_t>(std::bit_cast<double>(words_[i]));
    PutOne(Difference(number, layout.base), layout.numbers_array, i, page);
  }
}

void ColumnWriter::WriteBits(const ColumnLayout& layout, char* page) const {
  std::vector<std::uint64_t> bits(WordCount(words_.size()));
  for (std::size_t i = 0; i < words_.size(); ++i) {
    bits[i / kWordBits] |= words_[i] << i % kWordBits;
  }
  PutAll(bits, 0, layout.numbers_array, page);
}

void ColumnWriter::WriteTexts(const ColumnLayout& layout, char* page) const {
  // The first start is 0, and stands there already.
  StoredArray ends = layout.starts_array;
  ends.at += ends.width;
  PutAll(words_, 0, ends, page);
  std::copy(texts_.begin(), texts_.end(), page + layout.bytes_array.at);
}

void ColumnWriter::WriteDictionary(const ColumnLayout& layout,
                                   char* page) const {
  std::copy_n(entry_of_.begin(), layout.numbers_array.size(),
              page + layout.numbers_array.at);
  std::size_t end = 0;
  for (std::size_t k = 0; k < first_of_.size(); ++k) {
    const std::string_view text = TextAt(first_of_[k]);
    std::copy(text.begin(), text.end(), page + layout.bytes_array.at + end);
    end += text.size();
    PutOne(end, layout.starts_array, k + 1, page);
  }
}

}  // namespace entitable
