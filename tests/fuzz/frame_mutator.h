// frame_mutator.h - changes frames without breaking them.
//
// A frame is a head of some bytes, and then fields { tag:u8 length:u32 bytes }.
// Bytes changed at random nearly always leave a length that runs past the end,
// and then nothing behind the decoder is ever reached.  Here fields change, and
// lengths follow.

#ifndef ENTITABLE_TESTS_FUZZ_FRAME_MUTATOR_H_
#define ENTITABLE_TESTS_FUZZ_FRAME_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace entitable {

struct FrameGrammar {
  std::size_t head_bytes;
  std::uint8_t last_tag;

  // The tag of fields that are such frames again.
  std::optional<std::uint8_t> part_tag = std::nullopt;
};

class FrameMutator {
 public:
  FrameMutator(FrameGrammar grammar, unsigned seed)
      : grammar_(grammar), random_(seed) {}

  // As LLVMFuzzerCustomMutator().
  std::size_t Mutate(std::uint8_t* data, std::size_t size,
                     std::size_t max_size);

 private:
  struct Field {
    std::uint8_t tag;
    std::string bytes;
  };
  struct Frame {
    std::string head;
    std::vector<Field> fields;
  };

  std::optional<Frame> Parse(std::string_view bytes) const;
  static std::string Print(const Frame& frame);

  void Change(Frame& frame);
  void ChangeField(Field& field);

  std::size_t Below(std::size_t end) { return random_() % end; }

  FrameGrammar grammar_;
  std::minstd_rand random_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_FUZZ_FRAME_MUTATOR_H_
