// visit.h - calls a function with the alternative of a variant.

#ifndef ENTITABLE_BASE_VISIT_H_
#define ENTITABLE_BASE_VISIT_H_

#include <cstddef>
#include <type_traits>
#include <variant>

namespace entitable {

// Like std::visit, but without its table of functions, which takes more wasm.
template <std::size_t kIndex = 0, typename Visitor, typename Variant>
decltype(auto) Visit(Visitor&& visitor, Variant& variant) {
  constexpr std::size_t kCount =
      std::variant_size_v<std::remove_const_t<Variant>>;
  if constexpr (kIndex + 1 < kCount) {
    if (variant.index() != kIndex) return Visit<kIndex + 1>(visitor, variant);
  }
  return visitor(*std::get_if<kIndex>(&variant));
}

}  // namespace entitable

#endif  // ENTITABLE_BASE_VISIT_H_
