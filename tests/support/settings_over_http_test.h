// settings_over_http_test.h - tests of the settings of an account over HTTP.

#ifndef ENTITABLE_TESTS_SUPPORT_SETTINGS_OVER_HTTP_TEST_H_
#define ENTITABLE_TESTS_SUPPORT_SETTINGS_OVER_HTTP_TEST_H_

#include <gtest/gtest.h>

#include <string>

#include "support/http_client.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {

inline constexpr char kProperties[] = "/?restype=service&comp=properties";

inline std::string Properties(const std::string& content) {
  return "<StorageServiceProperties>" + content + "</StorageServiceProperties>";
}

inline std::string Rule(const std::string& origins = "https://a.example",
                        const std::string& headers = "x-ms-*") {
  return "<CorsRule><AllowedOrigins>" + origins +
         "</AllowedOrigins><AllowedMethods>GET</AllowedMethods>"
         "<MaxAgeInSeconds>60</MaxAgeInSeconds><ExposedHeaders>" +
         headers + "</ExposedHeaders><AllowedHeaders>" + headers +
         "</AllowedHeaders></CorsRule>";
}

// The account has the table Tab.
class SettingsOverHttpTest : public testing::Test {
 protected:
  SettingsOverHttpTest() { EXPECT_TRUE(host_.Do(NewTable("Tab")).has_value()); }

  HttpResponse Send(const std::string& method, const std::string& target,
                    const std::string& body = "",
                    const HeaderPairs& headers = {}) {
    return client_.Send(
        {.method = method, .target = target, .headers = headers, .body = body});
  }

  std::string Put(const std::string& target, const std::string& body) {
    return Outcome(Send("PUT", target, body));
  }

  MemoryHost host_;
  HttpClient client_{host_};
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_SETTINGS_OVER_HTTP_TEST_H_
