// random_filter.h - filters and entities that have something to do with each
// other.

#ifndef ENTITABLE_TESTS_SUPPORT_RANDOM_FILTER_H_
#define ENTITABLE_TESTS_SUPPORT_RANDOM_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "support/naive_filter.h"

namespace entitable {

// Names and values come from a few, so that equality is as likely as any other
// outcome; their spelling, the spaces and the sides of comparisons vary.
class RandomFilters {
 public:
  explicit RandomFilters(std::uint64_t seed) : random_(seed) {}

  // Nearly always one that the service takes.
  std::string NextFilter();

  std::string NextEquality(const std::string& name) {
    return name + " eq " + Spelled(NextValue());
  }

  // The text with one character lost, doubled or replaced.
  std::string Damaged(std::string text);

  naive::Entity NextEntity();

 protected:
  std::size_t Below(std::size_t limit) { return random_() % limit; }
  bool OneIn(std::size_t count) { return Below(count) == 0; }
  template <typename Choices>
  auto Any(const Choices& choices);

  naive::Value NextValue();
  std::string Spelled(const naive::Value& value);
  std::string SpelledDouble(double value);
  std::string NextName();
  std::string NextComparison();
  std::string NextExpression(int depth);
  std::string Blanks();  // At least one.
  std::string MaybeBlanks() { return OneIn(4) ? Blanks() : std::string(); }

 private:
  std::mt19937_64 random_;
};

// "Name=value" for each property, on one line.
std::string ToString(const naive::Entity& entity);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_RANDOM_FILTER_H_
