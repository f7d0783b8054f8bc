// fake_properties.h - an entity made on the spot, for tests of filters.

#ifndef ENTITABLE_TESTS_SUPPORT_FAKE_PROPERTIES_H_
#define ENTITABLE_TESTS_SUPPORT_FAKE_PROPERTIES_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "model/entity.h"

namespace entitable {

// Values are views: the texts in them must outlive it.
class FakeProperties final : public PropertySource {
 public:
  using Map = std::map<std::string, Value, std::less<>>;

  explicit FakeProperties(Map values) : values_(std::move(values)) {}

  std::size_t FindAll(const KeyTable& names,
                      std::span<std::optional<Value>> values) const override {
    for (const auto& [name, value] : values_) {
      const std::size_t i = names.Find(name);
      if (i != KeyTable::kNone) values[i] = value;
    }
    return values_.size();
  }

 private:
  Map values_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_FAKE_PROPERTIES_H_
