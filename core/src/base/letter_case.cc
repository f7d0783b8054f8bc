// Unicode has about 1,460 pairs of letters.  A table of them all would be a
// large part of the module, but most pairs come in rows: the capital letters of
// an alphabet follow one another with the small ones at a fixed distance
// (delta), or both alternate (step 2, delta 1).  So fewer than 200 rows hold
// all pairs:
//
//   { 0x391, 17, 1, 32 }   17 Greek capitals, each 32 before its small letter
//   { 0x100, 24, 2, 1 }    24 Latin capitals, each just before its small letter
//
// The rows are sorted by their capitals, which LowerOf() searches.  UpperOf()
// searches the same rows in the order of their small letters, kByLowerCase,
// which the compiler makes.  What is not symmetric is a list of its own: small
// letters whose capital has another small letter, or none, such as the long s.

#include "base/letter_case.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "base/ascii.h"
#include "base/utf.h"

namespace entitable {
namespace {

// Upper-case letters beyond ASCII: `count` from `first` on, `step` apart.  The
// lower-case letter of each is `delta` further.
struct Letters {
  std::uint32_t first;
  std::uint8_t count;
  std::uint8_t step;
  std::int32_t delta;
};

// In ascending order.
constexpr Letters kUpperCase[] = {
    {0xC0, 23, 1, 32},      {0xD8, 7, 1, 32},       {0x100, 24, 2, 1},
    {0x132, 3, 2, 1},       {0x139, 8, 2, 1},       {0x14A, 23, 2, 1},
    {0x178, 1, 1, -121},    {0x179, 3, 2, 1},       {0x181, 1, 1, 210},
    {0x182, 2, 2, 1},       {0x186, 1, 1, 206},     {0x187, 1, 1, 1},
    {0x189, 2, 1, 205},     {0x18B, 1, 1, 1},       {0x18E, 1, 1, 79},
    {0x18F, 1, 1, 202},     {0x190, 1, 1, 203},     {0x191, 1, 1, 1},
    {0x193, 1, 1, 205},     {0x194, 1, 1, 207},     {0x196, 1, 1, 211},
    {0x197, 1, 1, 209},     {0x198, 1, 1, 1},       {0x19C, 1, 1, 211},
    {0x19D, 1, 1, 213},     {0x19F, 1, 1, 214},     {0x1A0, 3, 2, 1},
    {0x1A6, 1, 1, 218},     {0x1A7, 1, 1, 1},       {0x1A9, 1, 1, 218},
    {0x1AC, 1, 1, 1},       {0x1AE, 1, 1, 218},     {0x1AF, 1, 1, 1},
    {0x1B1, 2, 1, 217},     {0x1B3, 2, 2, 1},       {0x1B7, 1, 1, 219},
    {0x1B8, 1, 1, 1},       {0x1BC, 1, 1, 1},       {0x1C4, 1, 1, 2},
    {0x1C5, 1, 1, 1},       {0x1C7, 1, 1, 2},       {0x1C8, 1, 1, 1},
    {0x1CA, 1, 1, 2},       {0x1CB, 1, 1, 1},       {0x1CD, 8, 2, 1},
    {0x1DE, 9, 2, 1},       {0x1F1, 1, 1, 2},       {0x1F2, 1, 1, 1},
    {0x1F4, 1, 1, 1},       {0x1F6, 1, 1, -97},     {0x1F7, 1, 1, -56},
    {0x1F8, 20, 2, 1},      {0x220, 1, 1, -130},    {0x222, 9, 2, 1},
    {0x23A, 1, 1, 10795},   {0x23B, 1, 1, 1},       {0x23D, 1, 1, -163},
    {0x23E, 1, 1, 10792},   {0x241, 1, 1, 1},       {0x243, 1, 1, -195},
    {0x244, 1, 1, 69},      {0x245, 1, 1, 71},      {0x246, 5, 2, 1},
    {0x370, 2, 2, 1},       {0x376, 1, 1, 1},       {0x37F, 1, 1, 116},
    {0x386, 1, 1, 38},      {0x388, 3, 1, 37},      {0x38C, 1, 1, 64},
    {0x38E, 2, 1, 63},      {0x391, 17, 1, 32},     {0x3A3, 9, 1, 32},
    {0x3CF, 1, 1, 8},       {0x3D8, 12, 2, 1},      {0x3F4, 1, 1, -60},
    {0x3F7, 1, 1, 1},       {0x3F9, 1, 1, -7},      {0x3FA, 1, 1, 1},
    {0x3FD, 3, 1, -130},    {0x400, 16, 1, 80},     {0x410, 32, 1, 32},
    {0x460, 17, 2, 1},      {0x48A, 27, 2, 1},      {0x4C0, 1, 1, 15},
    {0x4C1, 7, 2, 1},       {0x4D0, 48, 2, 1},      {0x531, 38, 1, 48},
    {0x10A0, 38, 1, 7264},  {0x10C7, 1, 1, 7264},   {0x10CD, 1, 1, 7264},
    {0x13A0, 80, 1, 38864}, {0x13F0, 6, 1, 8},      {0x1C89, 1, 1, 1},
    {0x1C90, 43, 1, -3008}, {0x1CBD, 3, 1, -3008},  {0x1E00, 75, 2, 1},
    {0x1E9E, 1, 1, -7615},  {0x1EA0, 48, 2, 1},     {0x1F08, 8, 1, -8},
    {0x1F18, 6, 1, -8},     {0x1F28, 8, 1, -8},     {0x1F38, 8, 1, -8},
    {0x1F48, 6, 1, -8},     {0x1F59, 4, 2, -8},     {0x1F68, 8, 1, -8},
    {0x1F88, 8, 1, -8},     {0x1F98, 8, 1, -8},     {0x1FA8, 8, 1, -8},
    {0x1FB8, 2, 1, -8},     {0x1FBA, 2, 1, -74},    {0x1FBC, 1, 1, -9},
    {0x1FC8, 4, 1, -86},    {0x1FCC, 1, 1, -9},     {0x1FD8, 2, 1, -8},
    {0x1FDA, 2, 1, -100},   {0x1FE8, 2, 1, -8},     {0x1FEA, 2, 1, -112},
    {0x1FEC, 1, 1, -7},     {0x1FF8, 2, 1, -128},   {0x1FFA, 2, 1, -126},
    {0x1FFC, 1, 1, -9},     {0x2126, 1, 1, -7517},  {0x212A, 1, 1, -8383},
    {0x212B, 1, 1, -8262},  {0x2132, 1, 1, 28},     {0x2160, 16, 1, 16},
    {0x2183, 1, 1, 1},      {0x24B6, 26, 1, 26},    {0x2C00, 48, 1, 48},
    {0x2C60, 1, 1, 1},      {0x2C62, 1, 1, -10743}, {0x2C63, 1, 1, -3814},
    {0x2C64, 1, 1, -10727}, {0x2C67, 3, 2, 1},      {0x2C6D, 1, 1, -10780},
    {0x2C6E, 1, 1, -10749}, {0x2C6F, 1, 1, -10783}, {0x2C70, 1, 1, -10782},
    {0x2C72, 1, 1, 1},      {0x2C75, 1, 1, 1},      {0x2C7E, 2, 1, -10815},
    {0x2C80, 50, 2, 1},     {0x2CEB, 2, 2, 1},      {0x2CF2, 1, 1, 1},
    {0xA640, 23, 2, 1},     {0xA680, 14, 2, 1},     {0xA722, 7, 2, 1},
    {0xA732, 31, 2, 1},     {0xA779, 2, 2, 1},      {0xA77D, 1, 1, -35332},
    {0xA77E, 5, 2, 1},      {0xA78B, 1, 1, 1},      {0xA78D, 1, 1, -42280},
    {0xA790, 2, 2, 1},      {0xA796, 10, 2, 1},     {0xA7AA, 1, 1, -42308},
    {0xA7AB, 1, 1, -42319}, {0xA7AC, 1, 1, -42315}, {0xA7AD, 1, 1, -42305},
    {0xA7AE, 1, 1, -42308}, {0xA7B0, 1, 1, -42258}, {0xA7B1, 1, 1, -42282},
    {0xA7B2, 1, 1, -42261}, {0xA7B3, 1, 1, 928},    {0xA7B4, 8, 2, 1},
    {0xA7C4, 1, 1, -48},    {0xA7C5, 1, 1, -42307}, {0xA7C6, 1, 1, -35384},
    {0xA7C7, 2, 2, 1},      {0xA7CB, 1, 1, -42343}, {0xA7CC, 8, 2, 1},
    {0xA7DC, 1, 1, -42561}, {0xA7F5, 1, 1, 1},      {0xFF21, 26, 1, 32},
    {0x10400, 40, 1, 40},   {0x104B0, 36, 1, 40},   {0x10570, 11, 1, 39},
    {0x1057C, 15, 1, 39},   {0x1058C, 7, 1, 39},    {0x10594, 2, 1, 39},
    {0x10C80, 51, 1, 64},   {0x10D50, 22, 1, 32},   {0x118A0, 32, 1, 32},
    {0x16E40, 32, 1, 32},   {0x16EA0, 25, 1, 27},   {0x1E900, 34, 1, 34},
};

// Lower-case letters whose upper case has another lower case, or none.
struct Exception {
  std::uint32_t lower;
  std::uint32_t upper;
};

constexpr Exception kExceptions[] = {
    {0xB5, 0x39C},   {0xDF, 0xDF},     {0x131, 0x49},    {0x17F, 0x53},
    {0x1C5, 0x1C4},  {0x1C8, 0x1C7},   {0x1CB, 0x1CA},   {0x1F2, 0x1F1},
    {0x345, 0x399},  {0x3C2, 0x3A3},   {0x3D0, 0x392},   {0x3D1, 0x398},
    {0x3D5, 0x3A6},  {0x3D6, 0x3A0},   {0x3F0, 0x39A},   {0x3F1, 0x3A1},
    {0x3F5, 0x395},  {0x1C80, 0x412},  {0x1C81, 0x414},  {0x1C82, 0x41E},
    {0x1C83, 0x421}, {0x1C84, 0x422},  {0x1C85, 0x422},  {0x1C86, 0x42A},
    {0x1C87, 0x462}, {0x1C88, 0xA64A}, {0x1E9B, 0x1E60}, {0x1FBE, 0x399},
};

constexpr bool IsIn(const Letters& letters, std::uint32_t letter) {
  const std::uint32_t distance = letter - letters.first;
  return letter >= letters.first && distance % letters.step == 0 &&
         distance / letters.step < letters.count;
}

constexpr std::uint32_t FirstLowerOf(const Letters& letters) {
  return letters.first + static_cast<std::uint32_t>(letters.delta);
}

// The signs for ohm, kelvin and so on have the lower case of other letters.
constexpr bool IsSign(std::size_t at) {
  const std::uint32_t lower = FirstLowerOf(kUpperCase[at]);
  return std::ranges::any_of(
      kUpperCase, kUpperCase + at, [lower](const Letters& letters) {
        return IsIn(letters, lower - static_cast<std::uint32_t>(letters.delta));
      });
}

constexpr std::size_t kSigns = [] {
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::size(kUpperCase); ++i) count += IsSign(i);
  return count;
}();

// The numbers of all letters above but signs, in the order of their lower case.
constexpr auto kByLowerCase = [] {
  std::array<std::uint8_t, std::size(kUpperCase) - kSigns> order{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::size(kUpperCase); ++i) {
    if (!IsSign(i)) order[count++] = static_cast<std::uint8_t>(i);
  }
  std::ranges::sort(
      order, {}, [](std::uint8_t at) { return FirstLowerOf(kUpperCase[at]); });
  return order;
}();
static_assert(std::size(kUpperCase) <= 256);

char32_t LowerOf(char32_t letter) {
  const auto* const behind = std::ranges::upper_bound(
      kUpperCase, std::uint32_t{letter}, {}, &Letters::first);
  if (behind == kUpperCase || !IsIn(behind[-1], letter)) return letter;
  return letter + static_cast<char32_t>(behind[-1].delta);
}

char32_t UpperOf(char32_t letter) {
  const auto* const exception = std::ranges::lower_bound(
      kExceptions, std::uint32_t{letter}, {}, &Exception::lower);
  if (exception != std::end(kExceptions) && exception->lower == letter) {
    return exception->upper;
  }
  const auto* const behind = std::ranges::upper_bound(
      kByLowerCase, std::uint32_t{letter}, {},
      [](std::uint8_t at) { return FirstLowerOf(kUpperCase[at]); });
  if (behind == kByLowerCase.begin()) return letter;
  const Letters& found = kUpperCase[behind[-1]];
  const auto upper = letter - static_cast<char32_t>(found.delta);
  return IsIn(found, upper) ? upper : letter;
}

// Letters of ASCII are changed in blocks, others one by one.
template <typename OfAscii, typename OfOthers>
void Append(std::string_view text, std::string& out, OfAscii of_ascii,
            OfOthers of_others) {
  const auto is_other = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80;
  };
  out.reserve(out.size() + text.size());
  while (!text.empty()) {
    const auto* const end = std::ranges::find_if(text, is_other);
    const std::size_t block = out.size();
    out.append(text.begin(), end);
    std::transform(out.begin() + static_cast<std::ptrdiff_t>(block), out.end(),
                   out.begin() + static_cast<std::ptrdiff_t>(block), of_ascii);
    text.remove_prefix(out.size() - block);
    while (!text.empty() && is_other(text.front())) {
      AppendUtf8(of_others(ReadCodePoint(text)), out);
    }
  }
}

}  // namespace

void AppendLowerCase(std::string_view text, std::string& out) {
  Append(
      text, out, [](char c) { return ToLowerAscii(c); }, LowerOf);
}

void AppendUpperCase(std::string_view text, std::string& out) {
  const auto upper = [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  };
  Append(text, out, upper, UpperOf);
}

}  // namespace entitable
