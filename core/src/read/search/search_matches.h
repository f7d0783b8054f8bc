// search_matches.h - the texts that a search has found, and how well they fit.

#ifndef ENTITABLE_READ_SEARCH_SEARCH_MATCHES_H_
#define ENTITABLE_READ_SEARCH_SEARCH_MATCHES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/key_table.h"
#include "base/work_budget.h"
#include "read/first_rows.h"
#include "read/search/search_request.h"

namespace entitable {

// The score of a text is BM25, with its usual k1 = 1.2 and b = 0.75: the sum of
// what each found word adds.  A word adds more if few texts have its term, if
// it occurs often, and if the text is short, compared with the other found
// texts.
//
//   weight = ln(1 + (N - n + 0.5) / (n + 0.5))    of N texts, n have the term
//   norm   = k1 (1 - b + b * length / mean length)
//   score += weight * count * (k1 + 1) / (count + norm)
//
// The mean length is that of the found texts, because no index has that of all.
// Each word that a prefix stands for adds a score of its own.
//
// Source: S.  Robertson, H.  Zaragoza, The Probabilistic Relevance Framework,
// 2009, 3.4.
class SearchMatches {
 public:
  // The terms must outlive this object.
  explicit SearchMatches(std::span<const SearchTerm> terms, bool needs_all)
      : terms_(terms), needs_all_(needs_all), texts_with_(terms.size()) {}

  // The text of this row has a word of the term `count` times, among `length`
  // words.  The words of a row come in the order of the terms.
  void Add(std::size_t term, std::string_view row, std::uint32_t count,
           std::uint32_t length);

  // The same for all words of a text.
  void AddText(std::string_view row, std::string_view text);

  // Whether such a text has the terms.
  bool Fits(std::string_view text) const;

  // Adds the rows that fit, as AppendRank() writes them: the best first.
  // `texts` is the number of all rows.  Returns false if the work budget is
  // spent first; the next call continues.  Nothing may be added in between.
  bool Rank(std::uint64_t texts, FirstRows& ranks, WorkBudget& work);

  // About how much memory all of this takes.
  std::size_t bytes() const;

 private:
  struct Row {
    std::uint32_t length;
    std::uint32_t terms = 0;  // How many of them it has.
    std::uint32_t last = 0;   // The last of them, counted from 1.
  };

  // Hits are kept as three numbers each, and no text.  They can only be scored
  // at the end, when it is known how many texts have each term.
  struct Hit {
    std::uint32_t row;
    std::uint32_t count;
    std::uint32_t term;
  };

  bool IsComplete(const Row& row) const {
    return !needs_all_ || row.terms == terms_.size();
  }
  void BeginRanking(std::uint64_t texts);
  double MeanLength() const;

  std::span<const SearchTerm> terms_;
  bool needs_all_;
  KeyTable keys_;
  std::vector<Row> rows_;
  std::vector<Hit> hits_;
  std::vector<std::uint64_t> texts_with_;  // By term.

  // Of Rank(): the scores of the rows so far, the next hit, and the next row
  // once all hits are added.
  std::vector<double> weights_;  // By term.  Empty before the first call.
  double mean_length_ = 0;
  std::vector<std::uint64_t> scores_;
  std::size_t next_hit_ = 0;
  std::size_t next_row_ = 0;
};

// The place of a row in the order of the scores, as bytes: the score as a float
// whose bits are inverted, the highest byte first; and the row.
void AppendRank(float score, std::string_view row, std::string& rank);
float ScoreOf(std::string_view rank);
std::string_view RowOf(std::string_view rank);

}  // namespace entitable

#endif  // ENTITABLE_READ_SEARCH_SEARCH_MATCHES_H_
