// answer_form.h - how to write an answer.

#ifndef ENTITABLE_REQUEST_ANSWER_FORM_H_
#define ENTITABLE_REQUEST_ANSWER_FORM_H_

#include <string>
#include <string_view>

#include "entitable/engine.h"
#include "entitable/operation.h"
#include "wire/entity_writer.h"

namespace entitable {

struct OwnedAnswerForm : AnswerForm {
  std::string base_url = {};  // If empty, EngineOptions::base_url.

  PayloadContext ContextFor(const EngineOptions& options,
                            std::string_view table = {}) const {
    const bool is_archive = format == WireFormat::kLines;
    return {.level = is_archive ? MetadataLevel::kTyped : level,
            .account = options.account,
            .base_url = base_url.empty() ? options.base_url : base_url,
            .table = table,
            .format = format};
  }
};

}  // namespace entitable

#endif  // ENTITABLE_REQUEST_ANSWER_FORM_H_
