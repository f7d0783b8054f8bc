// verify.cc - everything that JavaScript can see of a Verifier.  It is a module
// of its own, which only apps that check or repair a store load.
//
// These are plain functions over one buffer.  The caller writes where
// verify_reserve() says, and the result of a function is in the buffer; its
// length is the return value.  Each instance has one verifier.
// js/src/recovery/verify-module.ts has the same functions as types.

#include "entitable/verify.h"

#include <emscripten/emscripten.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "entitable/frame.h"

_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char* /*format*/, ...) {
  __builtin_trap();
}
_LIBCPP_END_NAMESPACE_STD

namespace entitable {
namespace {

struct State {
  Bytes buffer;
  std::optional<Verifier> verifier;
};

State& TheState() {
  static State state;
  return state;
}

std::uint32_t Give(Bytes bytes) {
  Bytes& buffer = TheState().buffer;
  buffer = std::move(bytes);
  return static_cast<std::uint32_t>(buffer.size());
}

void AppendNumber(std::uint64_t number, std::size_t bytes, Bytes& out) {
  for (; bytes > 0; --bytes, number >>= 8) {
    out += static_cast<char>(number & 0xFF);
  }
}

void AppendKey(const ValueKey& key, Bytes& out) {
  AppendNumber(static_cast<std::uint64_t>(key.kind), 1, out);
  AppendNumber(key.number, 8, out);
}

std::uint64_t NumberAt(BytesView bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = 8; i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

}  // namespace
}  // namespace entitable

extern "C" {

// Makes room for this many bytes and returns the address of the buffer, which
// also holds the last result.
EMSCRIPTEN_KEEPALIVE char* verify_reserve(std::uint32_t bytes) {
  auto& buffer = entitable::TheState().buffer;
  if (buffer.size() < bytes) buffer.resize(bytes);
  return buffer.data();
}

// The buffer has `bytes` bytes of page numbers with 64 bits each.  If
// `is_listed` is 0, there are none, and the host does not know them.
EMSCRIPTEN_KEEPALIVE void verify_begin(std::uint32_t repairs,
                                       std::uint32_t is_listed,
                                       std::uint32_t bytes) {
  auto& state = entitable::TheState();
  entitable::VerifierOptions options{.repairs = repairs != 0};
  if (is_listed != 0) {
    options.pages.emplace();
    for (std::size_t at = 0; at + 8 <= bytes; at += 8) {
      options.pages->push_back(entitable::NumberAt(state.buffer, at));
    }
  }
  state.verifier.emplace(std::move(options));
}

// Result: the kind (1 byte) and number (8 bytes) of each key to read next;
// empty at the end.  If the checkpoint is among the keys, all log records are
// to be read, too.
EMSCRIPTEN_KEEPALIVE std::uint32_t verify_next() {
  entitable::Bytes keys;
  if (const auto wanted = entitable::TheState().verifier->Next()) {
    for (const auto& key : wanted->keys) entitable::AppendKey(key, keys);
  }
  return entitable::Give(std::move(keys));
}

// The buffer has a snapshot frame.
EMSCRIPTEN_KEEPALIVE void verify_supply(std::uint32_t bytes) {
  auto& state = entitable::TheState();
  auto snapshot = entitable::DecodeSnapshot(
      entitable::BytesView(state.buffer).substr(0, bytes));
  if (snapshot) state.verifier->Supply(*std::move(snapshot));
}

// Result: the kind, number, length (4 bytes) and bytes of each value.
EMSCRIPTEN_KEEPALIVE std::uint32_t verify_take_recovered() {
  entitable::Bytes values;
  for (const auto& [key, value] :
       entitable::TheState().verifier->TakeRecovered()) {
    entitable::AppendKey(key, values);
    entitable::AppendNumber(value->size(), 4, values);
    values += *value;
  }
  return entitable::Give(std::move(values));
}

EMSCRIPTEN_KEEPALIVE std::uint32_t verify_report() {
  return entitable::Give(entitable::TheState().verifier->ToJson());
}

}  // extern "C"
