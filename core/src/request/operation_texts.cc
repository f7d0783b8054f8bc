#include "request/operation_texts.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/json_reader.h"
#include "base/utf.h"
#include "base/visit.h"
#include "request/operation_fields.h"

namespace entitable {
namespace {

constexpr std::size_t kLongText = std::size_t{64} * 1024;

struct TextTotals {
  OperationTexts texts = {};

  void operator()(const auto& operation) { EachField(operation, *this); }
  void operator()(const TransactionPart& part) { Visit(*this, part); }

  void operator()(const SentText& text, SentText OperationFields::*) {
    if (!text) return;
    texts.bytes += text->size();
    texts.are_valid = texts.are_valid && IsValidUtf8(*text);
  }
  void operator()(const SentText& bytes, SentBytes OperationFields::*) {
    if (bytes) texts.bytes += bytes->size();
  }
  void operator()(std::string_view bytes, JsonText OperationFields::*) {
    texts.bytes += bytes.size();
  }
  void operator()(const JsonText& body, JsonText OperationFields::*) {
    texts.bytes += body.text.size();
    if (body.text.size() < kLongText) return;
    texts.parse_bytes = JsonReader::MemoryFor(body.text);
  }
  void operator()(std::span<const TransactionPart> parts,
                  std::span<const TransactionPart> OperationFields::*) {
    for (const TransactionPart& part : parts) {
      const OperationTexts of_part = TextsOf(part);
      texts.bytes += of_part.bytes;
      texts.parse_bytes = std::max(texts.parse_bytes, of_part.parse_bytes);
    }
  }
  // No text.
  void operator()(bool, SentText OperationFields::*) {}
  template <typename T>
  void operator()(const T&, T OperationFields::*) {}
};

template <typename Variant>
OperationTexts TotalsOf(const Variant& operation) {
  TextTotals totals;
  Visit(totals, operation);
  return totals.texts;
}

}  // namespace

OperationTexts TextsOf(const ReadOperation& operation) {
  return TotalsOf(operation);
}

OperationTexts TextsOf(const WriteOperation& operation) {
  return TotalsOf(operation);
}

OperationTexts TextsOf(const TransactionPart& part) { return TotalsOf(part); }

}  // namespace entitable
