// embind.cc - everything that JavaScript can see of the core.  It only
// translates and has no rules.
//
// Ownership: JavaScript owns the Engine handle and ends it with delete().
// Everything else is passed by value.  JavaScript writes a frame to the address
// that reserve() returns, and the core reads it at once.  Steps are new objects
// with new Uint8Arrays, except for the frame of an answer: it stays in wasm
// memory until the next call.  The only exception that is thrown is for invalid
// options. small_embind.js has what JavaScript needs of Embind for these types,
// and js/src/core/module.ts has the same functions as types.

#include <emscripten/bind.h>
#include <emscripten/em_js.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "entitable/engine.h"
#include "entitable/frame.h"
#include "entitable/http.h"
#include "entitable/validate.h"
#include "frame_buffer.h"
#include "heap.h"
#include "steps.h"

// libc++ would print the reason before it ends the program, and would add all
// of printf to the module.
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char* /*format*/, ...) {
  __builtin_trap();
}
_LIBCPP_END_NAMESPACE_STD

// Embind would use sprintf to name a type without a binding.  There is no such
// type.
extern "C" int siprintf(char* out, const char* /*format*/, ...) {
  *out = '\0';
  return 0;
}

// No page shows why the program ends, so no code for a message is needed.
extern "C" void abort() { __builtin_trap(); }

// There are no environment variables, but simdjson asks for one.
extern "C" char* getenv(const char* /*name*/) { return nullptr; }

namespace entitable {
namespace {

// The most memory, per byte of a request, that is needed besides its frame: its
// execution and what is stored.
constexpr double kBytesPerRequestByte = 4;

Profile ProfileOf(bool is_service) {
  return is_service ? Profile::kService : Profile::kDefault;
}

// An app that awaits each write sends its next write sooner than this, so the
// store does not count as idle in between.
constexpr double kIdleMs = 20;

EngineOptions OptionsOf(std::string account, std::string base_url,
                        std::string_view random, bool is_service,
                        double cache_bytes, double max_memory_bytes) {
  EngineOptions options{.account = std::move(account),
                        .base_url = std::move(base_url),
                        .profile = ProfileOf(is_service),
                        .has_room = HasRoom};
#ifdef ENTITABLE_SYNC
  options.sync = WithSync();
#endif
  options.store.idle_ms = kIdleMs;
  options.FitIntoMemory(LimitHeap(max_memory_bytes));
  options.store.cache_bytes =
      static_cast<std::size_t>(std::min(cache_bytes, double{UINT32_MAX}));
  if (random.size() < 2 * options.session.size()) return options;
  const auto half = random.begin() + 16;
  std::copy(random.begin(), half, options.session.begin());
  std::copy(half, half + 16, options.new_store_id.begin());
  return options;
}

EM_JS_DEPS(entitable_throw, "$textAt");
EM_JS(void, Throw, (const char* start, std::size_t length),
      { throw new Error(textAt(start, length)); });

// js/src/client/open-account.ts has checked the options.  Errors that remain
// are thrown.
Engine MakeEngine(EngineOptions options) {
  Result<Engine> engine = Engine::Create(std::move(options));
  if (!engine) {
    const std::string& message = engine.error().message;
    Throw(message.data(), message.size());
  }
  return *std::move(engine);
}

// The HTTP front end, with requests and answers as frames.
class FramedFrontEnd {
 public:
  FramedFrontEnd(Engine& engine, const std::string& base_url)
      : front_end_(engine, base_url) {}

  RequestId Submit(BytesView frame, std::size_t capacity) {
    return front_end_.SubmitFrame(frame, capacity);
  }
  bool Cancel(RequestId request) { return front_end_.Cancel(request); }

  // The frame of an answer, if it is one to a request of HTTP.
  std::optional<Bytes> Translate(Answer&& answer, double unix_milliseconds) {
    const auto response =
        front_end_.Translate(std::move(answer), unix_milliseconds);
    if (!response) return std::nullopt;
    return EncodeHttpResponse(*response);
  }

 private:
  HttpFrontEnd front_end_;
};

// An Engine, its HTTP front end, and the buffer of its next frame.
class BoundEngine {
 public:
  BoundEngine(std::string account, const std::string& base_url,
              const std::string& random, bool is_service, double cache_bytes,
              double max_memory_bytes)
      : engine_(
            MakeEngine(OptionsOf(std::move(account), base_url, random,
                                 is_service, cache_bytes, max_memory_bytes))),
        front_(engine_, base_url) {}

  // For a request of about `content_bytes`, in a frame of at most `bytes`.
  // Returns 0 if there is not enough memory for the request or for its
  // execution.
  std::uint32_t Reserve(double bytes, double content_bytes) {
    return ReserveFrame(bytes, kBytesPerRequestByte * content_bytes);
  }

  // The same for a snapshot.
  std::uint32_t ReserveSnapshot(double bytes) {
    return ReserveFrame(bytes, kBytesPerSnapshotByte * bytes);
  }

  // Returns 0 and an empty answer if there is not enough memory.
  RequestId Submit(std::uint32_t length) {
    ReleaseLargeAnswer();
    if (!MayTake(length)) return 0;
    const RequestId id = engine_.SubmitFrame(FrameOf(length), frame_.size());
    ReleaseLargeFrame();
    const auto response = engine_.TakeAnswer();
    if (!response) return id;
    EncodeResponse(*response, answer_);
    PlaceAnswer();
    return 0;
  }

  std::uint32_t Places() const { return AddressOf(&places_); }

  RequestId SubmitHttp(std::uint32_t length, double unix_milliseconds) {
    ReleaseLargeAnswer();
    if (!MayTake(length)) return 0;
    const RequestId id = front_.Submit(FrameOf(length), frame_.size());
    ReleaseLargeFrame();
    auto response = engine_.TakeAnswer();
    if (!response) return id;
    answer_ = *front_.Translate({id, *std::move(response)}, unix_milliseconds);
    PlaceAnswer();
    return 0;
  }

  bool Cancel(RequestId request) { return front_.Cancel(request); }

  // The step is a member of the module in JavaScript.  An answer to a request
  // of HTTP has its frame from the front end, any other success from the
  // engine; failures and all other steps become objects (steps.cc).
  void Run(double unix_milliseconds) {
    ReleaseLargeAnswer();
    engine_.MakeRoom(kStepBytes);
    Step step = engine_.Run(unix_milliseconds);
    if (auto* answer = std::get_if<Answer>(&step)) {
      auto frame = front_.Translate(std::move(*answer), unix_milliseconds);
      if (frame) {
        answer_ = *std::move(frame);
        return SuccessToJs(answer->request, answer_);
      }
      if (answer->outcome) {
        EncodeResponse(*answer->outcome, answer_);
        return SuccessToJs(answer->request, answer_);
      }
    }
    ToJs(step);
  }

  bool Supply(ReadId read, std::uint32_t length) {
    is_reserved_ = false;
    auto snapshot = DecodeSnapshot(FrameOf(length));
    ReleaseLargeFrame();
    if (snapshot) return engine_.Supply(read, *std::move(snapshot));
    engine_.ReadFailed(read, std::move(snapshot).error());
    return false;
  }

  void ReadFailed(ReadId read, const std::string& code, std::string message) {
    engine_.ReadFailed(
        read,
        Error{FindErrorCode(code).value_or(ErrorCode::kStorageUnavailable),
              std::move(message)});
  }

  // A storage may report any number.
  void Complete(CommitId commit, std::uint32_t outcome) {
    constexpr auto kUnknown = CommitOutcome::kUnknown;
    const bool is_known = outcome < static_cast<std::uint32_t>(kUnknown);
    engine_.Complete(commit,
                     is_known ? static_cast<CommitOutcome>(outcome) : kUnknown);
  }

  void StopBackgroundWork() { engine_.StopBackgroundWork(); }
  void ResumeBackgroundWork() { engine_.ResumeBackgroundWork(); }

  double ExaminedEntities() const {
    return static_cast<double>(engine_.examined_entities());
  }

 private:
  // The views of JavaScript end when the memory grows, so it gets addresses.
  void PlaceAnswer() {
    places_.answer = AddressOf(answer_.data());
    places_.answer_bytes = static_cast<std::uint32_t>(answer_.size());
  }

  static std::uint32_t AddressOf(const void* place) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
  }

  // An address has 32 bits, so a request that needs more can never be executed.
  // The answer of the last call is not needed any more by now.
  bool MakeRoom(double bytes) {
    const double room = bytes + double{kStepBytes};
    if (room >= double{1LL << 32}) return false;
    ReleaseLargeAnswer();
    return engine_.MakeRoom(static_cast<std::size_t>(room));
  }

  // A frame gets padding behind it, because the JSON parser reads beyond the
  // end of its text.  The least size keeps short frames in the same buffer.
  std::uint32_t ReserveFrame(double bytes, double further_bytes) {
    is_reserved_ = MakeRoom(bytes + further_bytes) &&
                   frame_.Reserve(std::max(static_cast<std::size_t>(bytes),
                                           kLeastFrameBytes) +
                                  kJsonPadding);
    NoteFrame();
    return is_reserved_ ? places_.frame : 0;
  }

  // Whether there is memory for the request in the frame.  A frame that was
  // written without Reserve() is in the buffer of an earlier one.  Without
  // memory the request is not submitted, and JavaScript sees that by the length
  // of the answer, which is 0.
  bool MayTake(std::uint32_t length) {
    const bool has_room = std::exchange(is_reserved_, false) ||
                          MakeRoom(kBytesPerRequestByte * length);
    if (!has_room) places_.answer_bytes = 0;
    return has_room;
  }

  void NoteFrame() {
    places_.frame = AddressOf(frame_.data());
    places_.frame_bytes = static_cast<std::uint32_t>(
        frame_.size() - std::min(frame_.size(), kJsonPadding));
  }

  // The most memory, per byte of a snapshot, that is needed besides its frame:
  // its values.  The frame is freed before rows are made of the values.
  static constexpr double kBytesPerSnapshotByte = 1;

  // A frame buffer of up to this size is kept between calls.  Larger ones are
  // freed.
  static constexpr std::size_t kKeptBytes = std::size_t{1} << 20;

  // The least size of a frame buffer, so that it fits most later frames, too.
  static constexpr std::size_t kLeastFrameBytes = std::size_t{4} << 10;

  BytesView FrameOf(std::uint32_t length) const {
    return {frame_.data(), std::min<std::size_t>(length, frame_.size())};
  }

  void ReleaseLargeFrame() {
    if (frame_.size() <= kKeptBytes) return;
    frame_.Release();
    NoteFrame();
  }

  // The answer of the last call has been read.
  void ReleaseLargeAnswer() {
    if (answer_.capacity() > kKeptBytes) answer_ = Bytes();
  }

  Engine engine_;
  FramedFrontEnd front_;
  FrameBuffer frame_;
  Bytes answer_;
  bool is_reserved_ = false;

  // JavaScript reads these from memory, which is faster than a call.
  struct {
    std::uint32_t answer;  // The answer of Submit().
    std::uint32_t answer_bytes;
    std::uint32_t frame;  // The buffer, with the longest frame that fits.
    std::uint32_t frame_bytes;
  } places_{};
};

Findings FindingsOf(const std::string& what, std::string_view utf8,
                    Profile profile, const std::string& schema) {
  if (what == "table-name") return ValidateTableName(utf8);
  if (what == "property-name") return ValidatePropertyName(utf8);
  if (what == "key") return ValidateKey(utf8, profile);
  if (schema.empty()) return ValidateEntity(utf8, profile);
  return ValidateEntity(utf8, profile, schema);
}

// The memory for the JSON of at most 4,096 violations.
constexpr double kFindingsBytes = 1 << 20;

// Returns an empty text if there is not enough memory.
std::string Validate(const std::string& what, const std::string& utf8,
                     bool is_service, const std::string& schema) {
  const double per_byte = what == "entity" ? kBytesPerRequestByte : 0;
  const double bytes = per_byte * static_cast<double>(utf8.size());
  if (!HasRoom(static_cast<std::size_t>(bytes + kFindingsBytes))) return {};
  return ToJson(FindingsOf(what, utf8, ProfileOf(is_service), schema));
}

// Returns an empty text if there is not enough memory.
std::string Route(const std::string& account_path, const std::string& frame,
                  bool is_service) {
  const double bytes =
      kBytesPerRequestByte * static_cast<double>(frame.size()) + kFindingsBytes;
  if (!HasRoom(static_cast<std::size_t>(bytes))) return {};
  return RouteOf(frame, account_path, ProfileOf(is_service));
}

}  // namespace
}  // namespace entitable

EMSCRIPTEN_BINDINGS(entitable) {
  using entitable::BoundEngine;
  emscripten::class_<BoundEngine>("Engine")
      .constructor<std::string, std::string, std::string, bool, double,
                   double>()
      .function("reserve", &BoundEngine::Reserve)
      .function("reserveSnapshot", &BoundEngine::ReserveSnapshot)
      .function("submit", &BoundEngine::Submit)
      .function("places", &BoundEngine::Places)
      .function("submitHttp", &BoundEngine::SubmitHttp)
      .function("cancel", &BoundEngine::Cancel)
      .function("run", &BoundEngine::Run)
      .function("supply", &BoundEngine::Supply)
      .function("readFailed", &BoundEngine::ReadFailed)
      .function("complete", &BoundEngine::Complete)
      .function("stopBackgroundWork", &BoundEngine::StopBackgroundWork)
      .function("resumeBackgroundWork", &BoundEngine::ResumeBackgroundWork)
      .function("examinedEntities", &BoundEngine::ExaminedEntities);
  emscripten::function("validate", &entitable::Validate);
  emscripten::function("route", &entitable::Route);
}
