// value_key.h - the names of stored values, as hosts and users know them.

#ifndef ENTITABLE_STORE_VALUE_KEY_H_
#define ENTITABLE_STORE_VALUE_KEY_H_

#include <string>

#include "entitable/error.h"
#include "entitable/storage.h"

namespace entitable {

// "log/base", "log/17", "pages/root", "pages/17".
std::string KeyText(ValueKey key);

// An error about a stored value: the message begins with the key and a colon.
// js/src/core/outcome.ts relies on this form.
Error Named(ValueKey key, Error error);

}  // namespace entitable

#endif  // ENTITABLE_STORE_VALUE_KEY_H_
