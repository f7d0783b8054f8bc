#include "support/values_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/coding.h"

namespace entitable {
namespace {

constexpr std::uint32_t kSame = 0xFFFFFFFF;

class Reader {
 public:
  explicit Reader(std::string_view body) : numbers_(body) {
    const std::uint32_t bytes = numbers_.ReadU32();
    numbers_ = Decoder(body.substr(4, bytes));
    texts_ = body.substr(4 + bytes);
  }

  std::vector<ValuesRow> Rows() {
    std::vector<ValuesRow> rows;
    std::string schema;
    while (!numbers_.at_end() && !numbers_.failed()) {
      const std::uint32_t units = numbers_.ReadU32();
      if (units > 0) schema = Text(units);
      std::vector<ValuesRow> block(numbers_.ReadU32());
      for (std::string_view rest = schema; !rest.empty();) {
        const std::string_view member = rest.substr(0, rest.find('.'));
        rest.remove_prefix(std::min(member.size() + 1, rest.size()));
        const std::string name(member.substr(1));
        if (member.front() == '0') {
          TakeSystem(name, Before(rows, name), block);
        } else {
          for (ValuesRow& row : block) row[name] = Value(member.front());
        }
      }
      rows.insert(rows.end(), block.begin(), block.end());
    }
    return rows;
  }

 private:
  static std::string Before(const std::vector<ValuesRow>& rows,
                            const std::string& name) {
    if (rows.empty()) return {};
    const auto member = rows.back().find(name);
    return member == rows.back().end() ? std::string() : member->second;
  }

  // Four bytes of UTF-8 are two units.
  std::string Text(std::uint32_t units) {
    std::size_t size = 0;
    while (units > 0) {
      const auto lead = static_cast<unsigned char>(texts_[size]);
      size += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      units -= lead < 0xF0 ? 1 : 2;
    }
    const std::string text(texts_.substr(0, size));
    texts_.remove_prefix(size);
    return text;
  }

  // One value for each row, or one for all of them.
  void TakeSystem(const std::string& name, std::string last,
                  std::vector<ValuesRow>& block) {
    const std::uint32_t count = numbers_.ReadU32();
    EXPECT_TRUE(count == 1 || count == block.size());
    for (std::size_t row = 0; row < block.size(); ++row) {
      if (row < count) {
        const std::uint32_t units = numbers_.ReadU32();
        if (units != kSame) last = Text(units);
      }
      block[row][name] = last;
    }
  }

  std::string Value(char kind) {
    switch (kind) {
      case '1':
      case '7':
        return Text(numbers_.ReadU32());
      case '2':
        return std::to_string(static_cast<std::int32_t>(numbers_.ReadU32()));
      case '3':
      case '4':
        return std::string(numbers_.ReadBytes(8));
      case '5':
        return std::string(numbers_.ReadBytes(1));
      case '6': {
        const auto time = std::bit_cast<double>(numbers_.ReadU64());
        return std::isnan(time) ? Text(numbers_.ReadU32())
                                : std::to_string(time);
      }
      case '8':
        return std::string(numbers_.ReadBytes(numbers_.ReadU32()));
      default:
        return {};
    }
  }

  Decoder numbers_;
  std::string_view texts_;
};

}  // namespace

std::vector<ValuesRow> ReadValues(std::string_view body) {
  return Reader(body).Rows();
}

}  // namespace entitable
