// random_entity.h - entities with every kind of value, and their payloads.
//
// It is written only from data-model and payloads of the spec, without any code
// of the core.  A test compares the answers of the engine with it, byte for
// byte.

#ifndef ENTITABLE_TESTS_SUPPORT_RANDOM_ENTITY_H_
#define ENTITABLE_TESTS_SUPPORT_RANDOM_ENTITY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace entitable {

struct RandomProperty {
  std::u16string name;
  std::string annotation;  // "Edm.Int64"; empty for types that need none.
  std::string sent;        // The value as JSON, in one of its spellings.
  std::string answered;    // The value as JSON, as the service writes it.
  std::optional<double> number = {};  // Of a finite Double.
};

struct RandomEntity {
  std::u16string partition_key;
  std::u16string row_key;
  std::vector<RandomProperty> properties;
};

class RandomEntities {
 public:
  explicit RandomEntities(std::uint64_t seed) : random_(seed) {}

  RandomEntity Next();

  // The body of an Insert, with this and that left to chance.
  std::string SentBody(const RandomEntity& entity);

 private:
  std::size_t Below(std::size_t end) { return random_() % end; }
  bool OneIn(std::size_t count) { return Below(count) == 0; }

  std::u16string NextText(std::size_t max_length);
  std::u16string NextKey();
  std::u16string NextName(std::set<std::u16string>& used);
  std::string Spelled(std::u16string_view text);

  RandomProperty NextProperty(std::u16string name);
  void FillString(RandomProperty& property);
  void FillInteger(RandomProperty& property, bool is_long);
  void FillDouble(RandomProperty& property);
  void FillDateTime(RandomProperty& property);
  void FillGuid(RandomProperty& property);
  void FillBinary(RandomProperty& property);

  std::mt19937_64 random_;
};

enum class AnswerLevel { kNone, kMinimal, kFull, kTyped };

// The answer to a read by key.  `time` is its timestamp, canonical.
std::string AnsweredBody(const RandomEntity& entity, AnswerLevel level,
                         std::string_view table, std::string_view time);

// Doubles may be written in more than one way: those of the answer, where they
// are as good, become what is expected from now on.
void CopyDoubles(std::string_view answer, RandomEntity& entity);

std::string Utf8(std::u16string_view text);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_RANDOM_ENTITY_H_
