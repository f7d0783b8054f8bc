#include "steps.h"

#include <emscripten/em_js.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace entitable {
namespace {

EM_JS_DEPS(entitable_steps, "$textAt");

// One script makes each step.  Setting members one by one takes longer.
EM_JS(void, MakeSuccess,
      (std::uint32_t request, const char* start, std::size_t length), {
        // Addresses arrive as signed numbers.
        Module.step = {
          kind : 'answer',
          request,
          outcome : {ok : true, value : {start : start >>> 0, length}}
        };
      });
// A negative operation means that there is none; so does a null pointer for
// the keys and violations.
EM_JS(void, MakeFailure,
      (std::uint32_t request, const char* code, std::size_t code_length,
       const char* message, std::size_t message_length, int operation,
       const char* partition, std::size_t partition_length, const char* row,
       std::size_t row_length, const char* violations,
       std::size_t violations_length),
      {
        Module.step = {
          kind : 'answer',
          request,
          outcome : {
            ok : false,
            code : textAt(code, code_length),
            message : textAt(message, message_length),
            operation : operation < 0 ? undefined : operation,
            entityKeys : partition
                ? [ textAt(partition, partition_length), textAt(row, row_length) ]
                : undefined,
            violations : violations ? textAt(violations, violations_length)
                                    : undefined
          }
        };
      });
EM_JS(void, MakeIdle, (double background_work_in_ms), {
  Module.step = {
    kind : 'idle',
    backgroundWorkInMs : background_work_in_ms || undefined
  };
});

EM_JS(void, MakeYield, (), { Module.step = {kind : 'yield'}; });

// ----------------------------------------------------------- keys and values

// The lists of a read and of a commit.
enum class List { kKeys, kExpect, kPuts, kDeletes };

// Adds a key to a list of the step; or, for a pair, a key and a copy of its
// value.  The value is undefined if there is none.
//
// A step is made with empty lists, and each key comes by a call of its own.
EM_JS(void, Push,
      (std::uint32_t list, std::uint32_t kind, double number, bool is_pair,
       const char* start, std::size_t length),
      {
        // In the order of ValueKey::Kind.
        const kept = kind > 1 ? 'pages/' : 'log/';
        const key = kept + (kind & 1 ? number : kind ? 'root' : 'base');
        const first = start >>> 0;
        const value = first ? HEAPU8.slice(first, first + length) : undefined;
        const member = [ 'keys', 'expect', 'puts', 'deletes' ][list];
        (Module.step.batch ?? Module.step)[member].push(is_pair ? [ key, value ]
                                                               : key);
      });

void PushTo(List list, const ValueKey& key, bool is_pair, BytesView value) {
  Push(static_cast<std::uint32_t>(list), static_cast<std::uint32_t>(key.kind),
       static_cast<double>(key.number), is_pair, value.data(), value.size());
}

void PushTo(List list, const std::vector<ValueKey>& keys) {
  for (const ValueKey& key : keys) PushTo(list, key, false, {});
}

// -------------------------------------------------------------------- steps

void StepToJs(const Idle& idle) { MakeIdle(idle.background_work_in_ms); }

void StepToJs(const Yield& /*yield*/) { MakeYield(); }

// A failure: SuccessToJs() makes the others.
void StepToJs(const Answer& answer) {
  const Error& error = answer.outcome.error();
  const std::string_view code = ErrorName(error.code);
  const bool has_keys = error.entity_keys.size() == 2;
  const std::string_view partition =
      has_keys ? error.entity_keys[0] : std::string_view();
  const std::string_view row =
      has_keys ? error.entity_keys[1] : std::string_view();
  const std::string_view violations =
      error.violations.empty() ? std::string_view() : error.violations;
  MakeFailure(answer.request, code.data(), code.size(), error.message.data(),
              error.message.size(),
              error.operation ? static_cast<int>(*error.operation) : -1,
              partition.data(), partition.size(), row.data(), row.size(),
              violations.data(), violations.size());
}

EM_JS(void, MakeRead,
      (std::uint32_t id, bool is_of_log, double records_after,
       bool is_exclusive),
      {
        Module.step = {
          kind : 'read',
          id,
          keys : [],
          recordsAfter : is_of_log ? records_after : undefined,
          exclusive : !!is_exclusive
        };
      });

void StepToJs(const Read& read) {
  MakeRead(read.id, read.records_after.has_value(),
           static_cast<double>(read.records_after.value_or(0)),
           read.is_exclusive);
  PushTo(List::kKeys, read.keys);
}

EM_JS(void, MakeCommit,
      (std::uint32_t id, bool is_optimistic, bool frees, bool is_exclusive), {
        Module.step = {
          kind : 'commit',
          id,
          batch : {
            expect : [],
            puts : [],
            deletes : [],
            optimistic : !!is_optimistic,
            frees : !!frees
          },
          exclusive : !!is_exclusive
        };
      });

void StepToJs(const Commit& commit) {
  const Batch& batch = commit.batch;
  MakeCommit(commit.id, batch.is_optimistic, batch.frees, commit.is_exclusive);
  for (const auto& [key, value] : batch.expect) {
    PushTo(List::kExpect, key, true, value ? BytesView(*value) : BytesView());
  }
  for (const auto& [key, value] : batch.puts) {
    PushTo(List::kPuts, key, true, *value);
  }
  PushTo(List::kDeletes, batch.deletes);
}

}  // namespace

void SuccessToJs(RequestId request, BytesView frame) {
  MakeSuccess(request, frame.data(), frame.size());
}

void ToJs(const Step& step) {
  std::visit([](const auto& one) { StepToJs(one); }, step);
}

}  // namespace entitable
