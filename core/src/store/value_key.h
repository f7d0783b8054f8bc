// value_key.h - the names of stored values, as a host and its users know them.

#ifndef ENTITABLE_STORE_VALUE_KEY_H_
#define ENTITABLE_STORE_VALUE_KEY_H_

#include <string>

#include "entitable/error.h"
#include "entitable/page.h"

namespace entitable {

// "log/base", "log/17", "pages/root", "pages/17".
std::string KeyText(ValueKey key);

// The error of a value: its message begins with the key and a colon, by which
// js/src/core/outcome.ts finds it.
Error Named(ValueKey key, Error error);

}  // namespace entitable

#endif  // ENTITABLE_STORE_VALUE_KEY_H_
