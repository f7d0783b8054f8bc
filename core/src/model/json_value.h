// json_value.h - looks into a text of JSON that a property has.
//
// simdjson goes forward only, and its code for paths and arrays is larger than
// all of this.  The texts are short, and are read once for a row.

#ifndef ENTITABLE_MODEL_JSON_VALUE_H_
#define ENTITABLE_MODEL_JSON_VALUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/value.h"

namespace entitable {

// A view of one value within a text of JSON.
class JsonValue {
 public:
  // Nothing unless the text, which must be valid UTF-8, is one value according
  // to RFC 8259.
  static std::optional<JsonValue> Read(std::string_view text);

  // The value at a path: for each step the byte 00 and the name of a member or
  // the number of an item, from 0 on.  Nothing if there is none.  Of members
  // with the same name, the last one counts, as in JavaScript.
  std::optional<JsonValue> At(std::string_view path) const;

  // A text, a number, true or false; nothing for null, objects and arrays, for
  // a text with a lone surrogate, and for a number beyond Double.  The result
  // is a view of the JSON, or of `room` if the text has escapes.
  std::optional<Value> Scalar(std::string& room) const;

  bool is_array() const { return text_.starts_with('['); }

 private:
  friend class JsonElements;
  explicit JsonValue(std::string_view text) : text_(text) {}

  std::string_view text_;  // Valid JSON, without space around it.
};

// Goes through the items of an array, or the members of an object:
//   for (JsonElements items(list); items.Next();) Use(items.value());
class JsonElements {
 public:
  // Of another value: there are none.
  explicit JsonElements(const JsonValue& value);

  bool Next();

  // Of the current element.
  JsonValue value() const { return JsonValue(value_); }
  bool HasName(std::string_view name) const;

 private:
  std::string_view rest_;
  std::string_view name_;  // As written, without quotes.
  std::string_view value_;
  bool have_names_;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_JSON_VALUE_H_
