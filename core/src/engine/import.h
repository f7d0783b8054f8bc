// import.h - one import: what has been read of its input, and how far it is.

#ifndef ENTITABLE_ENGINE_IMPORT_H_
#define ENTITABLE_ENGINE_IMPORT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "base/json_splitter.h"
#include "engine/load_step.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "model/entity_reader.h"

namespace entitable {

// A step is gathered while the one before it is stored: at most one waits.
class Import {
 public:
  Import(std::string table, const ImportPart& part);

  std::uint32_t number() const { return number_; }

  // Reads a part of the input.
  void Read(JsonText part, JsonReader& json, Profile profile);

  // Behind the last part.
  void End();

  // No more is read, and what was gathered is dropped.  Without a reason it was
  // abandoned.
  void Stop(std::optional<Error> reason);

  // The next step, if it is time for it: null when it is not.
  std::shared_ptr<LoadStep> TakeStep(std::size_t max_bytes);

  // What became of it.
  void Settle(const LoadStep& step, const Result<Response>& outcome);
  void Withdraw() { is_step_out_ = false; }

  // Whether the next part may come; whether all is done.
  bool has_room(std::size_t max_bytes) const {
    return !is_step_out_ || gathered_->bytes() < max_bytes;
  }
  bool is_done() const { return is_ended_ && !is_step_out_ && !is_step_due_; }
  bool is_ended() const { return is_ended_; }

  // What to answer: how far it is, or why it ended.
  Result<Response> Answer();

  // Who waits for an answer.
  std::vector<RequestId> waiting = {};

 private:
  void ReadObject(JsonText object, JsonReader& json, Profile profile);
  void Gather();
  void FailHere(Error reason);

  std::uint32_t number_;
  std::string table_;
  ImportMode mode_;
  std::optional<TableId> table_id_;  // Known once a step was stored.

  JsonSplitter splitter_;
  NewEntity entity_;  // Keeps its memory from one to the next.
  std::vector<Violation> warnings_;
  std::uint64_t read_ = 0;
  std::uint64_t stored_ = 0;

  std::shared_ptr<LoadStep> gathered_;
  bool is_step_out_ = false;
  // What was gathered is to be stored though it is not much; at least once, so
  // that an import of nothing finds out whether there is a table.
  bool is_step_due_ = false;
  bool is_ended_ = false;
  std::optional<Error> failure_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_IMPORT_H_
