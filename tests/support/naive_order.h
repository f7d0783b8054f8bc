// naive_order.h - an independent implementation of the order of entities.
//
// It is written only from the comment of QueryOrdered (entitable/operation.h).

#ifndef ENTITABLE_TESTS_SUPPORT_NAIVE_ORDER_H_
#define ENTITABLE_TESTS_SUPPORT_NAIVE_ORDER_H_

#include <string>
#include <vector>

#include "support/naive_filter.h"

namespace entitable::naive {

struct Term {
  std::string name;
  bool descends = false;
};
using Order = std::vector<Term>;

// For example "A desc,B".
std::string ToString(const Order& order);

// Less than zero, zero or more.  Does not compare the keys.
int Compare(const Order& order, const Entity& a, const Entity& b);

}  // namespace entitable::naive

#endif  // ENTITABLE_TESTS_SUPPORT_NAIVE_ORDER_H_
