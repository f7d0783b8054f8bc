// json_reader.h - reads the one shape of JSON that requests have: a flat
// object.

#ifndef ENTITABLE_BASE_JSON_READER_H_
#define ENTITABLE_BASE_JSON_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace entitable {

// A text and how many bytes can be read from its start.  With
// kJsonPadding bytes behind the text it is parsed where it lies.
struct JsonText {
  std::string_view text;
  std::size_t capacity = 0;
};

inline constexpr std::size_t kJsonPadding = 64;

struct JsonMember {
  enum class Kind : std::uint8_t {
    kNull,
    kBoolean,
    kInteger,  // A number without '.', 'e' and 'E', of any size.
    kDecimal,  // Every other number; it fits a double.
    kString,
    // JSON that no request may hold.  Neither is looked into.
    kNested,      // An object or an array.
    kUnreadable,  // A lone surrogate, a number beyond a double, bad syntax.
  };

  std::string_view name;
  Kind kind;
  bool boolean = false;        // kBoolean
  double number = 0;           // kInteger, kDecimal
  std::string_view text = {};  // kString: unescaped.  Numbers: as written.
};

// Keeps its buffers between calls, so one reader serves many texts.
class JsonReader {
 public:
  JsonReader();
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  // The members in their order, valid until the next call; names may repeat.
  // Nothing unless the text is one object by RFC 8259 (a byte order mark is
  // passed over) in valid UTF-8, with no lone surrogate in a name; but values
  // may be of the last two kinds, and then the text may have other faults too.
  std::optional<std::vector<JsonMember>> ReadFlatObject(JsonText json);

  // For whoever checks the names of members: those that were found good last,
  // because one object mostly has the names of the one before.
  std::vector<std::string>& good_names() { return good_names_; }

 private:
  std::vector<std::string> good_names_;
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_JSON_READER_H_
