#include "base/poll.h"

namespace entitable {

Stop::Stop(Pending reason) : pending(reason) {}
Stop::Stop(Error&& reason) : error(std::move(reason)) {}
Stop::Stop(Stop&& other) noexcept = default;
Stop& Stop::operator=(Stop&& other) noexcept = default;
Stop::~Stop() = default;

}  // namespace entitable
