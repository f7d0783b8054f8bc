#include "steps.h"

#include <emscripten/em_js.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace entitable {
namespace {

using emscripten::val;

// One script makes each step.  Setting members one by one takes longer.
EM_JS(emscripten::EM_VAL, MakeSuccess,
      (std::uint32_t request, const char* start, std::size_t length), {
        // Addresses arrive as signed numbers.
        return Emval.toHandle({
          kind : 'answer',
          request,
          outcome : {ok : true, value : {start : start >>> 0, length}}
        });
      });
// A negative operation means that there is none; so does `undefined` for keys.
EM_JS(emscripten::EM_VAL, MakeFailure,
      (std::uint32_t request, emscripten::EM_VAL code,
       emscripten::EM_VAL message, int operation, emscripten::EM_VAL keys),
      {
        return Emval.toHandle({
          kind : 'answer',
          request,
          outcome : {
            ok : false,
            code : Emval.toValue(code),
            message : Emval.toValue(message),
            operation : operation < 0 ? undefined : operation,
            entityKeys : Emval.toValue(keys)
          }
        });
      });
EM_JS(emscripten::EM_VAL, MakeIdle, (double background_work_in_ms), {
  return Emval.toHandle(
      {kind : 'idle', backgroundWorkInMs : background_work_in_ms || undefined});
});

EM_JS(emscripten::EM_VAL, MakeYield, (),
      { return Emval.toHandle({kind : 'yield'}); });

// ----------------------------------------------------------- keys and values

// A key; or, for a pair, a key and a copy of its value.  The value is undefined
// if there is none.
EM_JS(
    void, Push,
    (emscripten::EM_VAL array, std::uint32_t kind, double number, bool is_pair,
     const char* start, std::size_t length),
    {
      // In the order of ValueKey::Kind.
      const texts =
          [ 'log/base', 'log/' + number, 'pages/root', 'pages/' + number ];
      const first = start >>> 0;
      const value = first ? HEAPU8.slice(first, first + length) : undefined;
      Emval.toValue(array).push(is_pair ? [ texts[kind], value ] : texts[kind]);
    });

void PushTo(const val& array, const ValueKey& key, bool is_pair,
            BytesView value) {
  Push(array.as_handle(), static_cast<std::uint32_t>(key.kind),
       static_cast<double>(key.number), is_pair, value.data(), value.size());
}

val ToJs(const std::vector<ValueKey>& keys) {
  val array = val::array();
  for (const ValueKey& key : keys) PushTo(array, key, false, {});
  return array;
}

// -------------------------------------------------------------------- steps

val ToJs(const Idle& idle) {
  return val::take_ownership(MakeIdle(idle.background_work_in_ms));
}

val ToJs(const Yield& /*yield*/) { return val::take_ownership(MakeYield()); }

// A failure: SuccessToJs() makes the others.
val ToJs(const Answer& answer) {
  const Error& error = answer.outcome.error();
  const val code(std::string(ErrorName(error.code)));
  const val message(error.message);
  const val keys = error.entity_keys.empty() ? val::undefined()
                                             : val::array(error.entity_keys);
  return val::take_ownership(
      MakeFailure(answer.request, code.as_handle(), message.as_handle(),
                  error.operation ? static_cast<int>(*error.operation) : -1,
                  keys.as_handle()));
}

EM_JS(emscripten::EM_VAL, MakeRead,
      (std::uint32_t id, emscripten::EM_VAL keys, bool is_of_log,
       double records_after, bool is_exclusive),
      {
        return Emval.toHandle({
          kind : 'read',
          id,
          keys : Emval.toValue(keys),
          recordsAfter : is_of_log ? records_after : undefined,
          exclusive : !!is_exclusive
        });
      });

val ToJs(const Read& read) {
  const val keys = ToJs(read.keys);
  return val::take_ownership(MakeRead(
      read.id, keys.as_handle(), read.records_after.has_value(),
      static_cast<double>(read.records_after.value_or(0)), read.is_exclusive));
}

EM_JS(emscripten::EM_VAL, MakeCommit,
      (std::uint32_t id, emscripten::EM_VAL expect, emscripten::EM_VAL puts,
       emscripten::EM_VAL deletes, bool is_optimistic, bool frees,
       bool is_exclusive),
      {
        return Emval.toHandle({
          kind : 'commit',
          id,
          batch : {
            expect : Emval.toValue(expect),
            puts : Emval.toValue(puts),
            deletes : Emval.toValue(deletes),
            optimistic : !!is_optimistic,
            frees : !!frees
          },
          exclusive : !!is_exclusive
        });
      });

val ToJs(const Commit& commit) {
  const Batch& batch = commit.batch;
  const val expect = val::array();
  for (const auto& [key, value] : batch.expect) {
    PushTo(expect, key, true, value ? BytesView(*value) : BytesView());
  }
  const val puts = val::array();
  for (const auto& [key, value] : batch.puts) PushTo(puts, key, true, value);
  const val deletes = ToJs(batch.deletes);
  return val::take_ownership(MakeCommit(
      commit.id, expect.as_handle(), puts.as_handle(), deletes.as_handle(),
      batch.is_optimistic, batch.frees, commit.is_exclusive));
}

}  // namespace

val SuccessToJs(RequestId request, BytesView frame) {
  return val::take_ownership(MakeSuccess(request, frame.data(), frame.size()));
}

val ToJs(const Step& step) {
  return std::visit([](const auto& one) { return ToJs(one); }, step);
}

}  // namespace entitable
