// expect.h - how a fuzzer says that something does not hold.

#ifndef ENTITABLE_TESTS_FUZZ_EXPECT_H_
#define ENTITABLE_TESTS_FUZZ_EXPECT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace entitable {

class MemoryHost;

// Ends the program, in every build, unlike assert.
void Expect(bool holds, const char* what);

// JSON, and ASCII, as all that is sent.
void ExpectJson(std::string_view text);

// Gives the host the table `Pets` with the entities (p,n) and (p,r).
void Prepare(MemoryHost& host);

inline std::string_view TextOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_FUZZ_EXPECT_H_
