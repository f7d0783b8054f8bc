// value.h - a value of one of the eight EDM types.

#ifndef ENTITABLE_MODEL_VALUE_H_
#define ENTITABLE_MODEL_VALUE_H_

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/date_time.h"
#include "base/guid.h"

namespace entitable {

// Stored data contains these numbers: never change one.
enum class EdmType : std::uint8_t {
  kString = 1,
  kInt32 = 2,
  kInt64 = 3,
  kDouble = 4,
  kBoolean = 5,
  kDateTime = 6,
  kGuid = 7,
  kBinary = 8,
};

// For example "Edm.Int64".
std::string_view EdmTypeName(EdmType type);

// Case-sensitive.  Nothing for any other name.
std::optional<EdmType> ParseEdmType(std::string_view name);

// A view: the bytes of a String or Binary must outlive it.
class Value {
 public:
  static Value String(std::string_view utf8);
  static Value Int32(std::int32_t value);
  static Value Int64(std::int64_t value);
  static Value Double(double value);
  static Value Boolean(bool value);
  static Value OfDateTime(DateTime value);
  static Value OfGuid(const entitable::Guid& value);
  static Value Binary(std::string_view bytes);

  EdmType type() const { return type_; }

  // Each accessor requires its type.
  std::string_view string() const;
  std::int32_t int32() const;
  std::int64_t int64() const;
  double real() const;
  bool boolean() const;
  DateTime date_time() const;
  const entitable::Guid& guid() const;
  std::string_view binary() const;

  // Of a String or Binary; 0 for the others.
  std::size_t byte_count() const {
    const bool has_bytes =
        type_ == EdmType::kString || type_ == EdmType::kBinary;
    return has_bytes ? bytes_.size() : 0;
  }

 private:
  explicit Value(EdmType type) : type_(type), int64_(0) {}

  EdmType type_;
  union {
    std::int64_t int64_;  // Int32, Int64, Boolean, DateTime ticks
    double double_;
    std::string_view bytes_;  // String, Binary
    entitable::Guid guid_;
  };
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_VALUE_H_
