// one_entity_test.h - tests of writes, most of them to one entity.

#ifndef ENTITABLE_TESTS_SUPPORT_ONE_ENTITY_TEST_H_
#define ENTITABLE_TESTS_SUPPORT_ONE_ENTITY_TEST_H_

#include <string>
#include <string_view>
#include <utility>

#include "support/engine_test.h"

namespace entitable {

// Most cases are about the entity p/r of the table Tab.
class OneEntityTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  // The entity of the case's state.
  void GivenEntity(std::string_view members) {
    Given(Insert("Tab", EntityBody("p", "r", members)));
  }

  std::string Put(std::string body, With with = {}) {
    return Do(Replace("Tab", "p", "r", std::move(body), std::move(with)));
  }
  std::string Patch(std::string body, With with = {}) {
    return Do(Merge("Tab", "p", "r", std::move(body), std::move(with)));
  }
  std::string Remove(With with) {
    return Do(Delete("Tab", "p", "r", std::move(with)));
  }

  std::string Stored() { return EngineTest::Stored("Tab", "p", "r"); }
  std::string StoredEtag() { return EtagOf(Get("Tab", "p", "r")); }
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_ONE_ENTITY_TEST_H_
