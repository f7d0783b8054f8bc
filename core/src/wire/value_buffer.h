// value_buffer.h - values in the form of WireFormat::kValues: numbers, and
// beside them the texts.  docs/internals/frames.md has the grammar.

#ifndef ENTITABLE_WIRE_VALUE_BUFFER_H_
#define ENTITABLE_WIRE_VALUE_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/date_time.h"
#include "base/text_buffer.h"
#include "model/column.h"
#include "model/value.h"

namespace entitable {

class ValueBuffer {
 public:
  void Clear();

  std::size_t size() const { return numbers_.size() + texts_.size(); }

  template <typename Number>
  void PutNumber(Number number) {
    numbers_.Put(number);
  }
  void PutText(std::string_view text);
  void PutEtag(std::string_view time);
  void PutValue(EdmType type, std::string_view packed);

  // The values at these places of a column, whose numbers ascend.
  void PutColumn(const Column& column, std::span<const std::uint32_t> places);

  // The length of the numbers, the numbers, and the texts.
  std::string Copy() const;

 private:
  void PutBinary(std::string_view bytes);
  void PutDateTime(DateTime time);
  void PutDouble(double value);
  void PutIntegers(const Column& column, std::span<const std::uint32_t> places);
  void PutTexts(const Column& column, std::span<const std::uint32_t> places);
  void PutTextsInSequence(const Column& column, std::size_t first,
                          std::size_t count);

  std::string number_bytes_;
  std::string text_bytes_;
  TextBuffer numbers_{number_bytes_};
  TextBuffer texts_{text_bytes_};
};

}  // namespace entitable

#endif  // ENTITABLE_WIRE_VALUE_BUFFER_H_
