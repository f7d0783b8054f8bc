#include "fuzz/frame_mutator.h"

#include <algorithm>
#include <utility>

#include "base/coding.h"

// libFuzzer's own way to change bytes: it knows dictionaries and comparisons.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t max_size);

namespace entitable {
namespace {

constexpr std::size_t kMaxFieldBytes = 4096;

void MutateText(std::size_t max_size, std::string& text) {
  const std::size_t size = text.size();
  text.resize(std::max(size, max_size));
  auto* const bytes = reinterpret_cast<std::uint8_t*>(text.data());
  text.resize(LLVMFuzzerMutate(bytes, size, text.size()));
}

}  // namespace

std::size_t FrameMutator::Mutate(std::uint8_t* data, std::size_t size,
                                 std::size_t max_size) {
  auto frame = Parse({reinterpret_cast<const char*>(data), size});
  // Now and then any byte at all, for the decoder's sake.
  if (!frame || Below(16) == 0) return LLVMFuzzerMutate(data, size, max_size);
  Change(*frame);
  const std::string changed = Print(*frame);
  if (changed.size() > max_size) return size;
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}

std::optional<FrameMutator::Frame> FrameMutator::Parse(
    std::string_view bytes) const {
  Decoder rest(bytes);
  Frame frame{std::string(rest.ReadBytes(grammar_.head_bytes)), {}};
  while (!rest.failed() && !rest.at_end()) {
    const std::uint8_t tag = rest.ReadU8();
    frame.fields.push_back({tag, std::string(rest.ReadBytes(rest.ReadU32()))});
  }
  if (rest.failed()) return std::nullopt;
  return frame;
}

std::string FrameMutator::Print(const Frame& frame) {
  std::string bytes = frame.head;
  for (const Field& field : frame.fields) {
    AppendU8(field.tag, bytes);
    AppendU32(static_cast<std::uint32_t>(field.bytes.size()), bytes);
    bytes += field.bytes;
  }
  return bytes;
}

void FrameMutator::Change(Frame& frame) {
  std::vector<Field>& fields = frame.fields;
  const std::size_t kind = Below(10);
  if (kind == 0 && grammar_.head_bytes > 0) {
    MutateText(grammar_.head_bytes, frame.head);
    frame.head.resize(grammar_.head_bytes);
  } else if (kind == 1 || fields.empty()) {
    fields.push_back({static_cast<std::uint8_t>(1 + Below(grammar_.last_tag)),
                      std::string()});
    ChangeField(fields.back());
  } else if (kind == 2) {
    fields.push_back(fields[Below(fields.size())]);
  } else if (kind == 3) {
    std::swap(fields[Below(fields.size())], fields.back());
    fields.pop_back();
  } else {
    ChangeField(fields[Below(fields.size())]);
  }
}

// A part is shorter than what holds it, so this ends.
void FrameMutator::ChangeField(Field& field) {
  auto part = field.tag == grammar_.part_tag ? Parse(field.bytes)
                                             : std::optional<Frame>();
  if (!part) return MutateText(kMaxFieldBytes, field.bytes);
  Change(*part);
  field.bytes = Print(*part);
}

}  // namespace entitable
