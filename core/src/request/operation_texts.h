// operation_texts.h - what of an operation the engine keeps: its texts, and the
// form of the answer.

#ifndef ENTITABLE_REQUEST_OPERATION_TEXTS_H_
#define ENTITABLE_REQUEST_OPERATION_TEXTS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "entitable/engine.h"
#include "entitable/operation.h"
#include "wire/entity_writer.h"

namespace entitable {

struct OperationTexts {
  std::size_t bytes = 0;  // Of all texts, with bodies.

  // The memory that the JSON reader takes for the longest body, if it is long.
  // The memory for one step is enough for others.
  std::size_t parse_bytes = 0;

  // Whether all texts are UTF-8, except bodies, which the JSON reader checks,
  // schemas, and the parts of a transaction, which are checked one by one.
  bool are_valid = true;
};

OperationTexts TextsOf(const ReadOperation& operation);
OperationTexts TextsOf(const WriteOperation& operation);
OperationTexts TextsOf(const TransactionPart& part);

// ----------------------------------------------------------------- answer form

// How to write an answer.

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

#endif  // ENTITABLE_REQUEST_OPERATION_TEXTS_H_
