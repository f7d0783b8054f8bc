// The census explains why a filter finds nothing, or everything.  It notes for
// each property which types are stored, and for each comparison whether any of
// them compares with the literal at all.  If none does, the answer of the
// comparison is the same for every entity that has the property: it always
// holds, or never.
//
// The census only grows: a type that was seen once stays.  So a scan may end as
// soon as every comparison was met by a type that it depends on.

#include "query/type_census.h"

#include <algorithm>
#include <compare>

#include "base/json_writer.h"
#include "query/compare_op.h"
#include "query/evaluator.h"

namespace entitable {
namespace {

// A table may have any number of names, and memory is bounded.
constexpr std::size_t kMaxNames = 1000;

// Elements of a list are separated by commas.
void AppendName(std::string_view separated, std::string_view text,
                std::string& json) {
  if (json.back() != '[') json += ',';
  json += separated;
  AppendJsonString(text, json);
}

}  // namespace

TypeCensus::TypeCensus(const Filter& filter) {
  for (const FilterNode& node : filter.nodes()) {
    if (node.kind == FilterNodeKind::kTest) {
      for (const ExpressionNode& part : filter.TestOf(node)) {
        const bool has_name = part.kind == ExpressionKind::kProperty ||
                              part.kind == ExpressionKind::kWhole;
        if (has_name) NumberOf(part.name);
      }
    }
    const bool is_comparison = node.kind == FilterNodeKind::kCompare ||
                               node.kind == FilterNodeKind::kProperty;
    if (!is_comparison) continue;
    // A property alone is compared with a Boolean.
    const Comparison comparison{NumberOf(node.name), node.op,
                                node.literal.type(), node.by_value};
    if (std::ranges::find(comparisons_, comparison) != comparisons_.end()) {
      continue;
    }
    comparisons_.push_back(comparison);
    ++undecided_;
  }
  Add("PartitionKey", EdmType::kString);
  Add("RowKey", EdmType::kString);
  Add("Timestamp", EdmType::kDateTime);
}

std::size_t TypeCensus::NumberOf(std::string_view name) {
  const std::size_t number = names_.FindOrAdd(name);
  if (number == types_.size()) types_.push_back(0);
  return number;
}

void TypeCensus::Add(std::string_view name, EdmType type) {
  const bool is_full = names_.size() >= kMaxNames;
  if (is_full && names_.Find(name) == KeyTable::kNone) return;
  const std::size_t number = NumberOf(name);
  const unsigned bit = 1U << static_cast<unsigned>(type);
  if ((types_[number] & bit) != 0) return;
  types_[number] |= bit;
  for (Comparison& comparison : comparisons_) {
    if (comparison.name != number || comparison.depends ||
        !AreCompared(comparison, type)) {
      continue;
    }
    comparison.depends = true;
    --undecided_;
  }
}

bool TypeCensus::AreCompared(const Comparison& comparison, EdmType stored) {
  return comparison.by_value ? HaveOrder(stored, comparison.literal)
                             : IsComparable(stored, comparison.literal);
}

void TypeCensus::AppendJson(std::string& json) const {
  json += '[';
  for (std::size_t i = 0; i < types_.size(); ++i) {
    AppendName(R"({"name":)", names_[i], json);
    json += R"(,"types":[)";
    for (unsigned type = 1; types_[i] >> type != 0; ++type) {
      if ((types_[i] >> type & 1) == 0) continue;
      AppendName({}, EdmTypeName(static_cast<EdmType>(type)), json);
    }
    json += R"(],"comparisons":[)";
    for (const Comparison& comparison : comparisons_) {
      if (comparison.name == i) AppendComparison(comparison, json);
    }
    json += "]}";
  }
  json += ']';
}

// A property of another type counts as less than the literal; in the extended
// dialect, as missing.
void TypeCensus::AppendComparison(const Comparison& comparison,
                                  std::string& json) {
  const auto& [name, op, literal, by_value, depends] = comparison;
  AppendName(R"({"operator":)", CompareOpKeyword(op), json);
  json += R"(,"type":)";
  AppendJsonString(EdmTypeName(literal), json);
  json += R"(,"holds":)";
  json += depends ? R"("sometimes"})"
          : !by_value && Holds(op, std::partial_ordering::less) ? R"("always"})"
                                                                : R"("never"})";
}

}  // namespace entitable
