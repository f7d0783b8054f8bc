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

  // Of what it has read and not stored.
  std::size_t bytes() const;

  // Reads a part of the input.
  void Read(JsonText part, JsonReader& json, Profile profile);

  // The same for one of values, which is not cut within an entity.
  void ReadValues(JsonText part, JsonReader& json, Profile profile);

  // Behind the last part.
  void End();

  // No more is read, and what is not being stored is dropped.  Without a reason
  // it was abandoned.
  void Stop(std::optional<Error> reason);

  // Seals the next step, if it is time for it.
  void Advance(std::size_t max_bytes);

  // Whether a step waits; takes it.  It stays here until it is settled.
  bool is_waiting() const { return is_waiting_; }
  LoadStep* TakeStep();
  bool Owns(const LoadStep* step) const { return step == step_.get(); }
  void Complete(const Result<Response>& outcome);

  // Whether its parts can be answered: the next one may come, or all is done.
  bool is_answer_due(std::size_t max_bytes) const;
  bool is_done() const {
    return is_ended_ && !step_ && !is_step_due_ && collected_.size() <= 1;
  }

  // How far it is, or why it ended.
  Result<Response> Answer();

  // Who waits for an answer.
  std::vector<RequestId> waiting = {};

 private:
  void ReadLine(JsonText line, JsonReader& json, Profile profile);
  bool TakeSettings(JsonReader& json);
  void ReadEntity(JsonText text, bool is_packed, JsonReader& json,
                  Profile profile);
  void Collect(bool makes_table);
  bool has_collected() const {
    return !collected_.empty() && !collected_.back()->is_empty();
  }
  std::size_t collected_bytes() const {
    return collected_.empty() ? 0 : collected_.back()->bytes();
  }
  void FailHere(Error reason);

  std::uint32_t number_;
  std::string table_;
  ImportMode mode_;
  std::optional<TableId> table_id_;  // Known once a step was stored.
  std::uint64_t tables_ = 0;         // Of an archive: how many have begun,
  bool is_complete_ = false;         // and whether its last line was read.

  // Of an archive: lines of settings, to be read when all of them are there,
  // and whether another may follow.
  std::string settings_;
  std::size_t setting_lines_ = 0;
  std::uint64_t all_setting_lines_ = 0;
  bool may_set_ = false;

  JsonSplitter splitter_;
  NewEntity entity_;  // Keeps its memory from one to the next.
  std::vector<Violation> warnings_;
  std::uint64_t read_ = 0;
  std::uint64_t stored_ = 0;

  LoadedKeys loaded_;
  // The last is open; none before the first table of an archive, and several
  // when a part of it has several tables.
  std::vector<std::unique_ptr<LoadStep>> collected_;
  std::unique_ptr<LoadStep> step_;  // The one before them.
  bool is_waiting_ = false;         // And is not being stored yet.

  // What was gathered last is to be stored though it is not much; at least
  // once, so that an import of nothing finds out whether there is a table.
  bool is_step_due_ = false;
  bool is_ended_ = false;
  bool is_stopped_ = false;  // Also what is there is not to be stored.
  std::optional<Error> failure_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_IMPORT_H_
