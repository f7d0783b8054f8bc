#include "base/json_splitter.h"

#include <algorithm>
#include <utility>

namespace entitable {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr bool IsSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

bool JsonSplitter::may_end() const {
  return state_ == State::kLine || state_ == State::kEnd ||
         (state_ == State::kStart &&
          (mark_bytes_ == 0 || mark_bytes_ == kByteOrderMark.size()));
}

JsonSplitter::Found JsonSplitter::Next() {
  while (state_ != State::kObject) {
    if (piece_.text.empty()) return Found::kNothing;
    const char c = piece_.text.front();
    if (!IsSpace(c)) {
      const auto next = Between(c);
      if (!next) return Found::kFault;
      state_ = *next;
      if (state_ == State::kObject) break;
    }
    DropFront(1);
  }
  const std::size_t size = EndOfObject(piece_.text);
  if (depth_ > 0) {
    carry_ += piece_.text;
    DropFront(piece_.text.size());
    return Found::kNothing;
  }
  TakeObject(size);
  state_ = is_array_ ? State::kSeparator : State::kLine;
  return Found::kObject;
}

// The next state after a character that is not white space; nothing if the
// character is not allowed here.
std::optional<JsonSplitter::State> JsonSplitter::Between(char c) {
  switch (state_) {
    case State::kStart:
      if (mark_bytes_ < kByteOrderMark.size() &&
          c == kByteOrderMark[mark_bytes_]) {
        ++mark_bytes_;
        return State::kStart;
      }
      if (!may_end()) return std::nullopt;
      is_array_ = c == '[';
      if (is_array_) return State::kFirst;
      break;
    case State::kFirst:
      if (c == ']') return State::kEnd;
      break;
    case State::kSeparator:
      if (c == ',') return State::kElement;
      if (c == ']') return State::kEnd;
      return std::nullopt;
    case State::kEnd:
      return std::nullopt;
    default:
      break;
  }
  if (c != '{') return std::nullopt;
  return State::kObject;
}

// The number of bytes that belong to the object.  If depth_ is 0 afterwards,
// the object ends there.
std::size_t JsonSplitter::EndOfObject(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (is_in_string_) {
      if (is_escaped_) {
        is_escaped_ = false;
        ++at;
        continue;
      }
      while (at != end && *at != '"' && *at != '\\') ++at;
      if (at == end) break;
      is_escaped_ = *at == '\\';
      is_in_string_ = is_escaped_;
      ++at;
      continue;
    }
    switch (*at++) {
      case '"':
        is_in_string_ = true;
        break;
      case '{':
      case '[':
        ++depth_;
        break;
      case '}':
      case ']':
        if (--depth_ == 0) return static_cast<std::size_t>(at - text.data());
        break;
      default:
        break;
    }
  }
  return text.size();
}

void JsonSplitter::TakeObject(std::size_t size) {
  if (carry_.empty()) {
    object_ = {piece_.text.substr(0, size), piece_.capacity};
  } else {
    std::swap(whole_, carry_);
    carry_.clear();
    whole_ += piece_.text.substr(0, size);
    const std::size_t whole_size = whole_.size();
    whole_.append(kJsonPadding, ' ');
    object_ = {std::string_view(whole_).substr(0, whole_size), whole_.size()};
  }
  DropFront(size);
}

void JsonSplitter::DropFront(std::size_t size) {
  piece_.text.remove_prefix(size);
  piece_.capacity -= std::min(size, piece_.capacity);
}

}  // namespace entitable
