// naive_rows.h - the entities of the naive evaluator as the engine has them.

#ifndef ENTITABLE_TESTS_SUPPORT_NAIVE_ROWS_H_
#define ENTITABLE_TESTS_SUPPORT_NAIVE_ROWS_H_

#include "model/entity.h"
#include "support/naive_filter.h"

namespace entitable {

// Times of the naive evaluator are ticks from 1601.
Entity EntityOf(const naive::Entity& entity);

// A view of the keys of the entity.
EntityKeyView KeyOf(const naive::Entity& entity);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_NAIVE_ROWS_H_
