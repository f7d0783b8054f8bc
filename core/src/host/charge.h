// charge.h - adds an amount to a sum for the lifetime of an object.

#ifndef ENTITABLE_HOST_CHARGE_H_
#define ENTITABLE_HOST_CHARGE_H_

#include <cstddef>
#include <utility>

namespace entitable {

class Charge {
 public:
  // The sum must outlive the charge.
  Charge(std::size_t& sum, std::size_t bytes) : sum_(&sum), bytes_(bytes) {
    sum += bytes;
  }
  ~Charge() { *sum_ -= bytes_; }
  Charge(Charge&& other) noexcept
      : sum_(other.sum_), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(sum_, other.sum_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

 private:
  std::size_t* sum_;
  std::size_t bytes_;
};

}  // namespace entitable

#endif  // ENTITABLE_HOST_CHARGE_H_
