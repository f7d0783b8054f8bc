// http_status.h - the HTTP status of answers that are no errors and not 200.
//
// Source: operations of the spec; error.h has those of errors.

#ifndef ENTITABLE_BASE_HTTP_STATUS_H_
#define ENTITABLE_BASE_HTTP_STATUS_H_

namespace entitable {

inline constexpr int kCreated = 201;
inline constexpr int kAccepted = 202;
inline constexpr int kNoContent = 204;
inline constexpr int kNotModified = 304;

}  // namespace entitable

#endif  // ENTITABLE_BASE_HTTP_STATUS_H_
