// multiple_of.h - whether one number is a multiple of another.

#ifndef ENTITABLE_MODEL_MULTIPLE_OF_H_
#define ENTITABLE_MODEL_MULTIPLE_OF_H_

#include "model/value.h"

namespace entitable {

// Both are Int32, Int64 or Double values of one type.  The divisor is finite
// and above zero.  For Doubles it calculates with the shortest decimals that
// read back as the two numbers, so 0.3 is a multiple of 0.1.  NaN and infinity
// are not multiples.
bool IsMultiple(const Value& value, const Value& divisor);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_MULTIPLE_OF_H_
