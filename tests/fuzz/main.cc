// The one way in for libFuzzer.

#include <cstddef>
#include <cstdint>

#include "fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  entitable::Test({reinterpret_cast<const char*>(data), size});
  return 0;
}
