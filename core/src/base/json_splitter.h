// json_splitter.h - cuts a stream of JSON into its objects.

#ifndef ENTITABLE_BASE_JSON_SPLITTER_H_
#define ENTITABLE_BASE_JSON_SPLITTER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_reader.h"

namespace entitable {

// The stream is an array of objects, or objects one after another with white
// space between them, as in JSON Lines; its first character tells.  It comes in
// pieces that may be cut anywhere.  An object is found by its braces and
// strings alone: whether what it holds is JSON is for its reader to say.
//
//   splitter.Feed({piece, capacity});
//   while (splitter.Next() == JsonSplitter::Found::kObject) {
//     Read(splitter.object());
//   }
class JsonSplitter {
 public:
  enum class Found : std::uint8_t {
    kObject,
    kNothing,  // The next piece is needed.
    kFault,    // What follows is no object.
  };

  // The piece after all earlier ones, of which Next() has found the end.  It
  // must live until the next.
  void Feed(JsonText piece) { piece_ = piece; }

  Found Next();

  // What Next() found; until the next call.
  JsonText object() const { return object_; }

  // Of an object that has begun in an earlier piece, or in this one.
  std::size_t open_bytes() const { return carry_.size(); }

  // Whether the stream may end here.
  bool may_end() const;

 private:
  enum class State : std::uint8_t {
    kStart,      // Nothing but a byte order mark.
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

  JsonText piece_;  // What is left of it.
  State state_ = State::kStart;
  std::uint8_t mark_bytes_ = 0;  // Of the byte order mark.
  bool is_array_ = false;

  // Of the object that is open.
  std::size_t depth_ = 0;
  bool is_in_string_ = false;
  bool is_escaped_ = false;
  std::string carry_;  // What earlier pieces had of it.

  std::string whole_;  // An object of several pieces, with padding.
  JsonText object_;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_JSON_SPLITTER_H_
