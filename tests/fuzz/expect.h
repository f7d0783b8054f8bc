// expect.h - what a fuzzer is, and how it says that something does not hold.

#ifndef ENTITABLE_TESTS_FUZZ_EXPECT_H_
#define ENTITABLE_TESTS_FUZZ_EXPECT_H_

#include <string_view>

#include "entitable/error.h"

namespace entitable {

class MemoryHost;

// What a fuzzer does with its input; each has its own.
void Test(std::string_view input);

// Ends the program, in every build, unlike assert.
void Expect(bool holds, const char* what);

// Of a value that was stored; one whose version was harmed looks like a newer
// one.
void ExpectDamaged(const Error& error);

// JSON, and ASCII, as all that is sent.
void ExpectJson(std::string_view text);

// Gives the host the table `Pets` with the entities (p,n) and (p,r).
void Prepare(MemoryHost& host);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_FUZZ_EXPECT_H_
