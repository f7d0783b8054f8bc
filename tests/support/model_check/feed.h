// feed.h - what an answer's JSON says, in the words of the model.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_FEED_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_FEED_H_

#include <string_view>
#include <utility>
#include <vector>

#include "support/model_check/model.h"

namespace entitable::model_check {

using Feed = std::vector<std::pair<Key, Entity>>;

// The entities of a body, be it a feed or one entity, in their order.  Reads
// the JSON that engines write of a schedule's entities, and no other.
Feed EntitiesIn(std::string_view body);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_FEED_H_
