#include "base/text_buffer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace entitable {
namespace {

TEST(TextBufferTest, AddsToWhatIsThere) {
  std::string text = "a";
  {
    TextBuffer buffer(text);
    buffer += 'b';
    (buffer += "cd") += "";
    buffer.append(3, 'e');
    EXPECT_EQ(buffer.back(), 'e');
    EXPECT_EQ(buffer.size(), 7u);
  }
  EXPECT_EQ(text, "abcdeee");
}

TEST(TextBufferTest, LeavesATextAloneToWhichNothingIsAdded) {
  std::string text = "as it was";
  { TextBuffer buffer(text); }
  EXPECT_EQ(text, "as it was");
}

TEST(TextBufferTest, TakesBackWhatWasAddedLast) {
  std::string text = "name";
  {
    TextBuffer buffer(text);
    buffer += "\":";
    buffer.RemoveLast(2);
    buffer += '!';
  }
  EXPECT_EQ(text, "name!");
}

TEST(TextBufferTest, GrowsByPiecesOfAnyLength) {
  std::string text;
  std::string expected;
  {
    TextBuffer buffer(text);
    for (std::size_t length = 0; length < 300; ++length) {
      const std::string piece(length, static_cast<char>('a' + length % 26));
      buffer += piece;
      buffer += '.';
      expected.append(piece).push_back('.');
    }
  }
  EXPECT_EQ(text, expected);
}

TEST(TextBufferTest, CopiesAnyLengthAndNothingBeyondIt) {
  for (std::size_t length = 0; length < 40; ++length) {
    SCOPED_TRACE(length);
    std::string bytes;
    for (std::size_t i = 0; i < length; ++i) {
      bytes.push_back(static_cast<char>(i + 1));
    }
    std::string copy(42, '.');
    CopyShort(bytes, copy.data() + 1);
    EXPECT_EQ(copy, '.' + bytes + std::string(41 - length, '.'));
  }
}

TEST(TextBufferTest, TellsWhichBitsAnyOfTheCopiedBytesHas) {
  constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
  for (std::size_t length = 1; length < 40; ++length) {
    SCOPED_TRACE(length);
    std::string bytes(length, 'a');
    std::string copy(length, '.');
    EXPECT_EQ(CopyShort(bytes, copy.data()) & kHighBits, 0u);
    for (std::size_t i = 0; i < length; ++i) {
      bytes[i] = '\xC3';
      EXPECT_NE(CopyShort(bytes, copy.data()) & kHighBits, 0u);
      bytes[i] = 'a';
    }
  }
}

}  // namespace
}  // namespace entitable
