// operation_texts.h - what the texts of an operation take, and whether they are
// valid.

#ifndef ENTITABLE_REQUEST_OPERATION_TEXTS_H_
#define ENTITABLE_REQUEST_OPERATION_TEXTS_H_

#include <cstddef>

#include "entitable/operation.h"

namespace entitable {

struct OperationTexts {
  std::size_t bytes = 0;  // Of all texts, with bodies.

  // The memory that the JSON reader takes for the longest body, if it is long.
  // The memory for one step is enough for others.
  std::size_t parse_bytes = 0;

  // Whether all texts are UTF-8, except bodies, which the JSON reader checks,
  // schemas, and the parts of a transaction, which are checked one by one.
  bool are_valid = true;
};

OperationTexts TextsOf(const ReadOperation& operation);
OperationTexts TextsOf(const WriteOperation& operation);
OperationTexts TextsOf(const TransactionPart& part);

}  // namespace entitable

#endif  // ENTITABLE_REQUEST_OPERATION_TEXTS_H_
