// import.h - one import: the input that was read, and how much is stored.

#ifndef ENTITABLE_LOAD_IMPORT_H_
#define ENTITABLE_LOAD_IMPORT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "entitable/steps.h"
#include "load/load_step.h"
#include "model/entity_reader.h"
#include "model/schema.h"

namespace entitable {

// Collects the next step while the previous one is being stored.  At most one
// step waits, so memory holds two steps however long the input is:
//
//   Read() --> collected_ --Advance()--> step_: waiting --StartStep()-->
//   step_: being stored --Complete()--> gone, or waiting again with the rest
//
// A part of the input is answered when there is room for the next one.  That is
// how the host learns to slow down.  An archive may have several short tables
// in one part: each is a step of its own, because it begins with the table.
class Import {
 public:
  Import(std::string table, const ImportPart& part,
         std::optional<Schema> schema);

  std::uint32_t number() const { return number_; }

  // The bytes that were read and are not stored yet.
  std::size_t bytes() const;

  // Reads a part of the input.
  void Read(const ImportEntities& operation, JsonReader& json, Profile profile);

  // Ends the input after the last part.
  void End();

  // Reads no more input and drops all steps that are not being stored.  No
  // reason: the import was cancelled.
  void Stop(std::optional<Error> reason);

  // Completes the next step if it is time for it.
  void Advance(std::size_t max_bytes);

  // Whether a step waits to be stored, and begins to store it.  The import owns
  // the step until it is completed.
  bool is_waiting() const { return is_waiting_; }
  LoadStep* StartStep();
  bool Owns(const LoadStep* step) const { return step == step_.get(); }
  void Complete(const Result<void>& outcome);

  // Whether the waiting parts can be answered: there is room for the next part,
  // or all is stored.
  bool is_answer_due(std::size_t max_bytes) const;
  bool is_done() const {
    return is_ended_ && !step_ && !is_step_due_ && collected_.size() <= 1;
  }

  // The progress, or the reason why the import ended.
  Result<Response> Answer();

  // The parts that wait for an answer.
  std::vector<RequestId> waiting = {};

 private:
  void ReadJson(JsonText part, JsonReader& json, Profile profile);
  void ReadValues(JsonText part, JsonReader& json, Profile profile);
  void ReadLine(JsonText line, JsonReader& json, Profile profile);
  void BeginTable(JsonText line, JsonReader& json);
  void EndArchive(std::string_view line);
  bool ParseSettings(JsonReader& json);
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
  std::optional<Schema> schema_;
  bool keeps_doubles_ = false;       // In the part that is read.
  std::optional<TableId> table_id_;  // Known after the first step was stored.
  // For an archive: how many tables have begun, and whether the last line was
  // read.
  std::uint64_t tables_ = 0;
  bool is_complete_ = false;

  // For an archive: lines of settings, which are read once all of them are
  // there, and whether another one may follow.
  std::string settings_;
  std::size_t setting_lines_ = 0;
  std::uint64_t all_setting_lines_ = 0;
  bool may_set_ = false;

  JsonSplitter splitter_;
  NewEntity entity_;  // Reused for each entity, to keep its memory.
  std::vector<Violation> warnings_;
  std::uint64_t read_ = 0;
  std::uint64_t stored_ = 0;

  LoadedKeys loaded_;
  // The steps that are being collected.  The last one is open.  There is none
  // before the first table of an archive, and several if one part has several
  // tables.
  std::vector<std::unique_ptr<LoadStep>> collected_;
  // The step before them, which waits or is being stored.
  std::unique_ptr<LoadStep> step_;
  bool is_waiting_ = false;  // The step is not being stored yet.

  // The open step must be stored even though it is small.  At least once per
  // import, so that an empty import still checks whether the table exists.
  bool is_step_due_ = false;
  bool is_ended_ = false;
  // Entities that were already read are not stored, either.
  bool is_stopped_ = false;
  std::optional<Error> failure_;
};

}  // namespace entitable

#endif  // ENTITABLE_LOAD_IMPORT_H_
