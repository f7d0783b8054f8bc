// request_route.h - where a request belongs, for an account that is spread over
// several stores by a hash of table and PartitionKey.

#ifndef ENTITABLE_PROTOCOL_REQUEST_ROUTE_H_
#define ENTITABLE_PROTOCOL_REQUEST_ROUTE_H_

#include <string>
#include <string_view>

#include "entitable/http.h"

namespace entitable {

// As the other RouteOf() in http.h.
std::string RouteOf(const HttpRequest& request, std::string_view account_path,
                    Profile profile);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_REQUEST_ROUTE_H_
