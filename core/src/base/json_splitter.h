// json_splitter.h - splits a stream of JSON into its objects.

#ifndef ENTITABLE_BASE_JSON_SPLITTER_H_
#define ENTITABLE_BASE_JSON_SPLITTER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_reader.h"

namespace entitable {

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
  void TakeObject(std::size_t size);
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

#endif  // ENTITABLE_BASE_JSON_SPLITTER_H_
