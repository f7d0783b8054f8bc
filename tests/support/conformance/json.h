// json.h - JSON as a tree, for tests.

#ifndef ENTITABLE_TESTS_SUPPORT_CONFORMANCE_JSON_H_
#define ENTITABLE_TESTS_SUPPORT_CONFORMANCE_JSON_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace entitable {

struct Json {
  enum class Kind { kNull, kBoolean, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  std::string name = {};  // Of a member.
  bool boolean = false;
  double number = 0;
  std::string text = {};
  std::vector<Json> items = {};  // Elements, or members in their order.

  // Null when there is no such member.
  const Json* Find(std::string_view member) const;

  // The text of a member; empty when there is none.
  std::string TextOf(std::string_view member) const;

  bool is_true() const { return kind == Kind::kBoolean && boolean; }

  // Names apart: what is compared is the value.
  bool Equals(const Json& other) const;
};

std::optional<Json> ParseJson(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_CONFORMANCE_JSON_H_
