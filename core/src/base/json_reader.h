// json_reader.h - reads a flat JSON object, the only form of JSON in requests.

#ifndef ENTITABLE_BASE_JSON_READER_H_
#define ENTITABLE_BASE_JSON_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/json_text.h"

namespace entitable {

struct JsonMember {
  enum class Kind : std::uint8_t {
    kNull,
    kBoolean,
    kInteger,  // A number without '.', 'e' and 'E', of any size.
    kDecimal,  // Any other number.  It fits into a double.
    kString,
    // JSON that no request may contain.  The reader does not look inside.
    kNested,  // An object or an array.
    // A lone surrogate, a number outside the range of doubles, or a syntax
    // error.
    kUnreadable,
  };

  std::string_view name;
  Kind kind;
  bool boolean = false;  // kBoolean
  double number = 0;     // kInteger, kDecimal
  // kString: without escapes.  Numbers: as written.
  std::string_view text = {};
};

// A name of a member, with a note of the caller.
struct KnownName {
  std::string name;
  std::uint16_t note;
};

// Keeps its buffers between calls, so one reader serves many texts.
class JsonReader {
 public:
  JsonReader();
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  using Members = std::span<const JsonMember>;

  // The members in their order, valid until the next call.  Names may repeat.
  // Nothing unless the text is one object according to RFC 8259 (with an
  // optional byte order mark), in valid UTF-8, with no lone surrogate in a
  // name.  Values may have the last two kinds; then the text may have other
  // errors, too.
  std::optional<Members> ReadFlatObject(JsonText json);

  // The memory that ReadFlatObject() takes at the most.
  static std::size_t MemoryFor(std::string_view json);

  // Gives back buffers that a long text has made large.  The members of the
  // last call are not valid afterwards.
  void ReleaseLargeBuffers();

  // For callers that check the names of members: the last names that were
  // valid.
  std::vector<KnownName>& known_names() { return known_names_; }

 private:
  std::vector<KnownName> known_names_;
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_JSON_READER_H_
