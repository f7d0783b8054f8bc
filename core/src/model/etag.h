// etag.h - the tag of an entity's version, and the condition that names one.

#ifndef ENTITABLE_MODEL_ETAG_H_
#define ENTITABLE_MODEL_ETAG_H_

#include <string>
#include <string_view>

#include "base/date_time.h"
#include "base/text_buffer.h"
#include "entitable/result.h"

namespace entitable {

// W/"datetime'2017-08-30T13%3A20%3A32.6680946Z'"
// Source: data model of the spec, section 1.6.
std::string FormatEtag(DateTime timestamp);

// The same of the time as DateTime::AppendTo() writes it.
void AppendEtag(std::string_view time, TextBuffer& out);

// What an If-Match header demands of an entity that exists.
// Source: operations of the spec, section 2.11.4.
class EtagCondition {
 public:
  // Takes `*` or one weak tag with any content.  Fails with InvalidInput for
  // all else: a strong tag, no quotes, nothing, several tags.
  static Result<EtagCondition> Parse(std::string_view header);

  // Whether the header was `*`, which every entity meets.
  bool is_any() const { return is_any_; }

  // Letter for letter, except that the colons of the tag may have been decoded.
  bool Matches(DateTime timestamp) const;

 private:
  EtagCondition(bool is_any, std::string_view content)
      : is_any_(is_any), content_(content) {}

  bool is_any_;
  std::string content_;  // Between the quotes; empty for `*`.
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ETAG_H_
