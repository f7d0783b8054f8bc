#include "read/search/search_matches.h"

#include <algorithm>
#include <bit>

#include "base/search_words.h"

namespace entitable {
namespace {

constexpr double kSaturation = 1.2;   // k1
constexpr double kLengthPart = 0.75;  // b

constexpr std::size_t kScoreBytes = 4;

// What the hash of a key and the vectors take for each row, beside its bytes.
constexpr std::size_t kMatchBytes = 32;

// Scores are added as integers, so that their order makes no difference.
constexpr double kScoreUnit = 1 << 30;

bool IsOf(const SearchTerm& term, std::string_view word) {
  return term.is_prefix ? word.starts_with(term.word) : word == term.word;
}

// The natural logarithm of a number from 1.  std::log() would add 3 KB to the
// module.
double Log(double number) {
  constexpr double kLogOf2 = 0.693147180559945309;
  int doublings = 0;
  for (; number >= 2; number /= 2) ++doublings;
  // The logarithm of (1 + x) / (1 - x) is 2 (x + x^3 / 3 + x^5 / 5 + ...).
  const double x = (number - 1) / (number + 1);
  double sum = 0;
  for (int power = 15; power > 0; power -= 2) sum = sum * x * x + 1.0 / power;
  return doublings * kLogOf2 + 2 * x * sum;
}

// How much a term tells: more if fewer texts have it.
double WeightOf(std::uint64_t texts_with, std::uint64_t texts) {
  const auto with = static_cast<double>(texts_with);
  const double without =
      static_cast<double>(std::max(texts, texts_with)) - with;
  return Log(1 + (without + 0.5) / (with + 0.5));
}

}  // namespace

// Hits come term by term, from an index, or text by text.  In both cases the
// terms of one row come in their order, so the last one that it has tells
// whether this one is new to it.
void SearchMatches::Add(std::size_t term, std::string_view row,
                        std::uint32_t count, std::uint32_t length) {
  // If all terms are needed, a row without the first one is no result.
  const bool is_needed = !needs_all_ || term == 0 || terms_[term].is_prefix;
  const std::size_t at = is_needed ? keys_.FindOrAdd(row) : keys_.Find(row);
  if (at == KeyTable::kNone) {
    ++texts_with_[term];
    return;
  }
  if (at == rows_.size()) rows_.push_back({length});
  Row& found = rows_[at];
  if (found.last != term + 1) {
    found.last = static_cast<std::uint32_t>(term + 1);
    ++found.terms;
    ++texts_with_[term];
  }
  hits_.push_back({static_cast<std::uint32_t>(at), count,
                   static_cast<std::uint32_t>(term)});
}

void SearchMatches::AddText(std::string_view row, std::string_view text) {
  const std::vector<CountedWord> words = CountWords(text);
  std::uint32_t length = 0;
  for (const CountedWord& word : words) length += word.count;
  for (std::size_t term = 0; term < terms_.size(); ++term) {
    for (const CountedWord& word : words) {
      if (IsOf(terms_[term], word.word)) Add(term, row, word.count, length);
    }
  }
}

// For a text that has changed: whether it would still be found.
bool SearchMatches::Fits(std::string_view text) const {
  SearchMatches alone(terms_, needs_all_);
  alone.AddText({}, text);
  return !alone.rows_.empty() && alone.IsComplete(alone.rows_.front());
}

double SearchMatches::MeanLength() const {
  double sum = 0;
  double count = 0;
  for (const Row& row : rows_) {
    if (!IsComplete(row)) continue;
    sum += row.length;
    ++count;
  }
  return sum / count;
}

void SearchMatches::BeginRanking(std::uint64_t texts) {
  weights_.reserve(texts_with_.size());
  for (const std::uint64_t with : texts_with_) {
    weights_.push_back(WeightOf(with, texts));
  }
  mean_length_ = MeanLength();
  scores_.resize(rows_.size());
}

// Two passes over what was found: the hits add to the scores of their rows,
// then each row gets its place.  Both stop where the slice ends.
bool SearchMatches::Rank(std::uint64_t texts, FirstRows& ranks,
                         WorkBudget& work) {
  if (weights_.empty()) {
    BeginRanking(texts);
    work.SpendParts(rows_.size());
  }
  while (next_hit_ < hits_.size()) {
    if (work.is_spent()) return false;
    const auto& [row, count, term] = hits_[next_hit_++];
    work.SpendParts(kPartsPerCondition);
    // Without a complete row there is no mean length, either.
    if (!IsComplete(rows_[row])) continue;
    const double relative = rows_[row].length / mean_length_;
    const double norm =
        kSaturation * (1 - kLengthPart + kLengthPart * relative);
    const double score =
        weights_[term] * count * (kSaturation + 1) / (count + norm);
    scores_[row] += static_cast<std::uint64_t>(score * kScoreUnit);
  }
  std::string rank;
  while (next_row_ < rows_.size()) {
    if (work.is_spent()) return false;
    const std::size_t row = next_row_++;
    work.SpendParts(kPartsPerCondition);
    if (!IsComplete(rows_[row])) continue;
    rank.clear();
    const double score = static_cast<double>(scores_[row]) / kScoreUnit;
    AppendRank(static_cast<float>(score), keys_[row], rank);
    ranks.Add(rank, work);
  }
  return true;
}

std::size_t SearchMatches::bytes() const {
  const std::size_t key_bytes =
      rows_.empty() ? 0 : rows_.size() * keys_[0].size();
  return key_bytes + rows_.size() * (kMatchBytes + sizeof(Row)) +
         hits_.size() * sizeof(Hit);
}

// Scores are positive, and the bits of positive floats have the order of the
// numbers.  So inverted bits put the best score first, and rows with equal
// scores are in key order.
void AppendRank(float score, std::string_view row, std::string& rank) {
  const auto bits = ~std::bit_cast<std::uint32_t>(score);
  for (int shift = 24; shift >= 0; shift -= 8) {
    rank.push_back(static_cast<char>(bits >> shift));
  }
  rank += row;
}

float ScoreOf(std::string_view rank) {
  std::uint32_t bits = 0;
  for (const char byte : rank.substr(0, kScoreBytes)) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
  }
  return std::bit_cast<float>(~bits);
}

std::string_view RowOf(std::string_view rank) {
  return rank.substr(kScoreBytes);
}

}  // namespace entitable
