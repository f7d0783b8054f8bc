#include "sync/state.h"

#include <algorithm>

#include "model/etag.h"

namespace entitable::sync {

bool SameValue(const RowValue& a, const RowValue& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  if (a->count() != b->count()) return false;
  return a->bytes() == b->bytes() ||
         SortedByName(*a).bytes() == SortedByName(*b).bytes();
}

std::optional<DateTime> TimeOfEtag(std::string_view etag) {
  constexpr std::string_view kHead = "W/\"datetime'";
  constexpr std::string_view kColon = "%3A";
  if (!etag.starts_with(kHead)) return std::nullopt;
  std::string text(etag.substr(kHead.size()));
  text.resize(text.find('\'') == std::string::npos ? 0 : text.find('\''));
  for (std::size_t at = 0; (at = text.find(kColon, at)) != std::string::npos;) {
    text.replace(at, kColon.size(), ":");
  }
  const auto time = DateTime::Parse(text);
  if (!time || FormatEtag(*time) != etag) return std::nullopt;
  return time;
}

bool Mark::MayBeInserted(DateTime now) const {
  return std::ranges::any_of(sent, [now](const SentValue& value) {
    return value.is_insert && now < value.until;
  });
}

bool Mark::WasSent(const RowValue& value) const {
  return std::ranges::any_of(sent, [&value](const SentValue& one) {
    return SameValue(one.value, value);
  });
}

void Mark::Learn(RemoteRow remote) {
  if (remote != base) {
    std::erase_if(sent, [](const SentValue& one) { return !one.is_insert; });
  }
  base = std::move(remote);
}

void Mark::Prove(DateTime asked_at) {
  std::erase_if(
      sent, [asked_at](const SentValue& one) { return one.until <= asked_at; });
}

bool Mark::MayBeProven(DateTime now) const {
  return std::ranges::all_of(
      sent, [now](const SentValue& one) { return one.until <= now; });
}

void Mark::Expire(DateTime now) {
  // An insert has no effect on a row that is there.
  std::erase_if(sent, [this, now](const SentValue& one) {
    return one.is_insert && base && one.until <= now;
  });
  if (deleted_until <= now) {
    deleted_etag.clear();
    deleted_until = {};
  }
}

void Mark::Bound(DateTime now) {
  for (SentValue& one : sent) {
    one.until = std::min(one.until, {now.ticks + kLateEffect});
  }
  deleted_until = std::min(deleted_until, {now.ticks + kWideOverlap});
}

RemoteRow SyncedRow::base() const {
  if (mark) return mark->base;
  if (!local || remote_etag.empty()) return std::nullopt;
  return Version{remote_etag, *local};
}

const RowValue& SyncedRow::first_value() const {
  const Entry& first = mark->entries.front();
  return first.frozen ? *first.frozen : local;
}

void SyncedRow::SetBase(RemoteRow base) {
  if (mark) {
    mark->Learn(std::move(base));
  } else if (base) {
    remote_etag = std::move(base->etag);
    local = std::move(base->properties);
  } else {
    remote_etag.clear();
    local.reset();
  }
}

Mark& SyncedRow::Marked() {
  if (!mark) {
    RemoteRow known = base();
    mark.emplace().base = std::move(known);
    remote_etag.clear();
  }
  return *mark;
}

void SyncedRow::Tidy() {
  if (!mark || mark->is_dirty() || !mark->sent.empty() ||
      !mark->deleted_etag.empty()) {
    return;
  }
  remote_etag = mark->base ? mark->base->etag : std::string();
  mark.reset();
}

}  // namespace entitable::sync
