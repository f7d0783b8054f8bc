// json_reader.h - JSON in: objects are found in a stream of parts, and read.

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

// --------------------------------------------------------------- json splitter

// Splits a stream of JSON into its objects.

// The stream is either an array of objects, or objects separated by white
// space, as in JSON Lines.  Its first character tells which.  It comes in
// pieces, which may be cut anywhere.  The splitter finds an object only by its
// braces and strings.  The reader of the object checks whether it is valid
// JSON.
//
//   splitter.Feed({piece, capacity});
//   while (splitter.Next() == JsonSplitter::Found::kObject) {
//     Read(splitter.object());
//   }
class JsonSplitter {
 public:
  enum class Found : std::uint8_t {
    kObject,
    kNothing,  // More input is needed.
    kFault,    // The next character does not begin an object.
  };

  // Adds the next piece, after Next() has used up the previous one.  The piece
  // must live until the next Feed().
  void Feed(JsonText piece) { piece_ = piece; }

  Found Next();

  // The object that Next() found, valid until the next call.
  JsonText object() const { return object_; }

  // The bytes of an unfinished object.
  std::size_t open_bytes() const { return carry_.size(); }

  // Whether the stream may end here.
  bool may_end() const;

 private:
  enum class State : std::uint8_t {
    kStart,      // At most a byte order mark was read.
    kFirst,      // Behind the bracket of an array.
    kElement,    // Behind a comma.
    kSeparator,  // Behind an element of an array.
    kLine,       // Between the objects of a stream without an array.
    kObject,     // Within an object.
    kEnd,        // Behind the array.
  };

  std::optional<State> Between(char c);
  std::size_t EndOfObject(std::string_view text);
  void CompleteObject(std::size_t size);
  void DropFront(std::size_t size);

  JsonText piece_;  // What is left of the piece.
  State state_ = State::kStart;
  std::uint8_t mark_bytes_ = 0;  // How much of a byte order mark was read.
  bool is_array_ = false;

  // The nesting depth in the current object.
  std::size_t depth_ = 0;
  bool is_in_string_ = false;
  bool is_escaped_ = false;
  std::string carry_;  // The bytes of the object in earlier pieces.

  std::string whole_;  // An object of several pieces, with padding.
  JsonText object_;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_JSON_READER_H_
