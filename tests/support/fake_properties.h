// fake_properties.h - an entity made on the spot, for tests of filters.

#ifndef ENTITABLE_TESTS_SUPPORT_FAKE_PROPERTIES_H_
#define ENTITABLE_TESTS_SUPPORT_FAKE_PROPERTIES_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/property_source.h"

namespace entitable {

// Values are views: the texts in them must outlive it.
class FakeProperties final : public PropertySource {
 public:
  using Map = std::map<std::string, Value, std::less<>>;

  explicit FakeProperties(Map values) : values_(std::move(values)) {}

  std::optional<Value> Find(std::string_view name) const override {
    asked_.emplace_back(name);
    const auto found = values_.find(name);
    if (found == values_.end()) return std::nullopt;
    return found->second;
  }

  // The names that were looked for, in order.
  const std::vector<std::string>& asked() const { return asked_; }

 private:
  Map values_;
  mutable std::vector<std::string> asked_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_FAKE_PROPERTIES_H_
