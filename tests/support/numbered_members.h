// numbered_members.h - many members of an entity, as JSON.

#ifndef ENTITABLE_TESTS_SUPPORT_NUMBERED_MEMBERS_H_
#define ENTITABLE_TESTS_SUPPORT_NUMBERED_MEMBERS_H_

#include <cstddef>
#include <string>

namespace entitable {

// `count` members n0, n1, ... with the value 1.
inline std::string NumberedMembers(std::size_t count) {
  std::string members;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) members += ',';
    members += "\"n" + std::to_string(i) + "\":1";
  }
  return members;
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_NUMBERED_MEMBERS_H_
