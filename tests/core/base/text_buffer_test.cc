#include "base/text_buffer.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace entitable
