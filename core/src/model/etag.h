// etag.h - ETags, which identify the version of an entity, and conditions on
// them.

#ifndef ENTITABLE_MODEL_ETAG_H_
#define ENTITABLE_MODEL_ETAG_H_

#include <string>
#include <string_view>

#include "base/date_time.h"
#include "base/text_buffer.h"
#include "entitable/result.h"

namespace entitable {

// W/"datetime'2017-08-30T13%3A20%3A32.6680946Z'" Source: data model of the
// spec, section 1.6.
std::string FormatEtag(DateTime timestamp);

// The same for a time as DateTime::AppendTo() writes it.
void AppendEtag(std::string_view time, TextBuffer& out);

// The condition of an If-Match header.  Source: operations of the spec, section
// 2.11.4.
class EtagCondition {
 public:
  // Accepts `*` or one weak tag with any content.  Fails with InvalidInput for
  // anything else: a strong tag, no quotes, empty text, several tags.
  static Result<EtagCondition> Parse(std::string_view header);

  // Whether the header was `*`, which matches every entity.
  bool is_any() const { return is_any_; }

  // Compares character by character, except that the tag's colons may be
  // percent-decoded.
  bool Matches(DateTime timestamp) const;

 private:
  EtagCondition(bool is_any, std::string_view content)
      : is_any_(is_any), content_(content) {}

  bool is_any_;
  std::string content_;  // The text between the quotes; empty for `*`.
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ETAG_H_
