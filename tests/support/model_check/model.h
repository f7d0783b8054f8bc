// model.h - what requests mean, over plain maps.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_MODEL_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_MODEL_H_

#include <cstdint>
#include <map>
#include <string>

#include "support/model_check/request.h"

namespace entitable::model_check {

struct Entity {
  std::string etag;
  std::int64_t ticks = 0;  // Of its Timestamp.
  Properties properties;

  bool operator==(const Entity&) const = default;
};

using Entities = std::map<Key, Entity>;

// All that an account says of itself, by the names of its tables.
using State = std::map<std::string, Entities>;

// Of a transaction that would no longer see what it has read.
inline constexpr char kConflict[] = "409 TransactionConflict";

// As Outcome() tells an answer: "204", "404 ResourceNotFound at 1".  Of reads,
// kGetTable alone.
std::string OutcomeOf(const Request& request, const State& state);

// Whether an outcome is a success.
bool IsSuccess(const std::string& outcome);

// Does a write whose outcome is a success.  The model does not know the etags
// that the engine gives: it leaves NewEtag() in their place.
void Apply(const Request& request, State& state);
std::string NewEtag(const Request& request);

// Whether the query wants the entity, wherever its page begins and ends.
bool Selects(const Selection& selection, const Key& key, const Entity& entity);

// For people.
std::string Describe(const State& state);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_MODEL_H_
