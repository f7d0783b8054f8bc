#include "base/json_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <utility>

namespace entitable {
namespace {

namespace ondemand = simdjson::ondemand;

static_assert(kJsonPadding >= simdjson::SIMDJSON_PADDING);

// The token includes the white space that follows it.
std::string_view WithoutTrailingSpace(std::string_view token) {
  return token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
}

bool ReadNumber(ondemand::value value, JsonMember& member) {
  member.text = WithoutTrailingSpace(value.raw_json_token());
  const bool is_decimal = std::ranges::any_of(
      member.text, [](char c) { return c == '.' || c == 'e' || c == 'E'; });
  member.kind =
      is_decimal ? JsonMember::Kind::kDecimal : JsonMember::Kind::kInteger;
  return value.get_double().get(member.number) == simdjson::SUCCESS;
}

// Decodes every value, because simdjson does not validate tokens that are not
// decoded.
bool ReadScalar(ondemand::value value, ondemand::json_type type,
                JsonMember& member) {
  switch (type) {
    case ondemand::json_type::null: {
      member.kind = JsonMember::Kind::kNull;
      bool is_null = false;
      return value.is_null().get(is_null) == simdjson::SUCCESS && is_null;
    }
    case ondemand::json_type::boolean:
      member.kind = JsonMember::Kind::kBoolean;
      return value.get_bool().get(member.boolean) == simdjson::SUCCESS;
    case ondemand::json_type::string:
      member.kind = JsonMember::Kind::kString;
      return value.get_string().get(member.text) == simdjson::SUCCESS;
    case ondemand::json_type::number:
      return ReadNumber(value, member);
    default:
      return false;
  }
}

// Returns false if the rest of the text cannot be read, either.
bool ReadValue(ondemand::value value, JsonMember& member) {
  ondemand::json_type type;
  if (value.type().get(type) != simdjson::SUCCESS) return false;
  if (type == ondemand::json_type::object ||
      type == ondemand::json_type::array) {
    member.kind = JsonMember::Kind::kNested;
  } else if (!ReadScalar(value, type, member)) {
    member.kind = JsonMember::Kind::kUnreadable;
  }
  return true;
}

bool ReadMember(simdjson::simdjson_result<ondemand::field> result,
                JsonMember& member) {
  ondemand::field field;
  if (std::move(result).get(field) != simdjson::SUCCESS) return false;
  if (field.unescaped_key(false).get(member.name) != simdjson::SUCCESS) {
    return false;
  }
  return ReadValue(field.value(), member);
}

// The parser has a number for each byte of the text, and room for all strings.
constexpr std::size_t kParserBytesPerByte = 6;

// While the list of members grows, it is there twice, and may be half empty.
constexpr std::size_t kBytesPerMember = 3 * sizeof(JsonMember);

// The buffers that stay between calls are for texts of at most this length.
constexpr std::size_t kMaxKeptText = std::size_t{256} * 1024;

// At least as many as the text has members.
std::size_t CountNames(std::string_view json) {
  std::size_t count = 0;
  char before = '\0';  // Without spaces.
  for (const char c : json) {
    if (c == ':' && before == '"') ++count;
    if (c > ' ') before = c;
  }
  return count;
}

}  // namespace

struct JsonReader::Buffers {
  ondemand::parser parser;
  simdjson::padded_string copy;
  std::vector<JsonMember> members;
};

JsonReader::JsonReader() : buffers_(std::make_unique<Buffers>()) {}
JsonReader::~JsonReader() = default;
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;

// simdjson first finds all brackets, quotes and commas of the text and checks
// its UTF-8, many bytes at a time.  Its "on demand" half then decodes each
// value when it is asked for, and checks no value that nobody asks for.  So
// this function asks for all of them, in their order, except what is in nested
// values.
//
// simdjson may read kJsonPadding bytes behind the text.  A text that has no
// such room is copied first.
std::optional<JsonReader::Members> JsonReader::ReadFlatObject(JsonText json) {
  simdjson::padded_string_view padded(json.text, json.capacity);
  if (json.capacity < json.text.size() + kJsonPadding) {
    buffers_->copy = simdjson::padded_string(json.text);
    padded = buffers_->copy;
  }
  ondemand::document document;
  // Also skips a byte order mark.
  if (buffers_->parser.iterate(padded).get(document) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  ondemand::object object;
  if (document.get_object().get(object) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  std::vector<JsonMember>& members = buffers_->members;
  members.clear();
  for (auto field : object) {
    if (!ReadMember(field, members.emplace_back())) return std::nullopt;
  }
  if (!document.at_end()) return std::nullopt;
  return Members(members);
}

std::size_t JsonReader::MemoryFor(std::string_view json) {
  return kParserBytesPerByte * (json.size() + kJsonPadding) +
         kBytesPerMember * CountNames(json);
}

void JsonReader::ReleaseLargeBuffers() {
  const std::size_t member_bytes =
      buffers_->members.capacity() * sizeof(JsonMember);
  if (std::max({buffers_->parser.capacity(), buffers_->copy.size(),
                member_bytes}) > kMaxKeptText) {
    buffers_ = std::make_unique<Buffers>();
  }
}

// --------------------------------------------------------------- json splitter

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr bool IsSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

// The splitter is a state machine over characters outside of objects:
//
//   array     kStart [ kFirst {..} kSeparator , kElement {..} kSeparator ] kEnd
//   no array  kStart {..} kLine {..} kLine
//
// Within an object only braces, brackets, quotes and backslashes count, and a
// depth and two flags say where the reader is.  They survive the end of a
// piece, so a piece may be cut within an escape.  An object that lies in one
// piece is a view of it.  Else its parts are collected in carry_, with padding
// at the end.
//
// Braces and brackets are not told apart here, so `{]` ends an object.  The
// reader of the object refuses it then.
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
  CompleteObject(size);
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

void JsonSplitter::CompleteObject(std::size_t size) {
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
