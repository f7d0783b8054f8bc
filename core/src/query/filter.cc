#include "query/filter.h"

#include <cassert>
#include <cstddef>
#include <utility>

#include "query/literal.h"

namespace entitable {
namespace {

bool IsInner(const FilterNode& node) {
  return node.kind >= FilterNodeKind::kNot;
}

void AppendLeaf(const Filter& filter, const FilterNode& leaf,
                std::string& out) {
  switch (leaf.kind) {
    case FilterNodeKind::kConstant:
      AppendLiteral(leaf.literal, out);
      break;
    case FilterNodeKind::kProperty:
      out.append(leaf.name);
      break;
    case FilterNodeKind::kTest:
      out.append(entitable::ToString(filter.TestOf(leaf)));
      break;
    default:
      out.append("(").append(CompareOpKeyword(leaf.op));
      out.append(" ").append(leaf.name).append(" ");
      AppendLiteral(leaf.literal, out);
      out.append(")");
      break;
  }
}

std::string_view InnerKeyword(FilterNodeKind kind) {
  return kind == FilterNodeKind::kNot   ? "not"
         : kind == FilterNodeKind::kAnd ? "and"
                                        : "or";
}

}  // namespace

Filter::Filter(FixedStringBuffer text, std::vector<FilterNode> nodes,
               std::vector<ExpressionNode> expressions)
    : text_(std::move(text)),
      nodes_(std::move(nodes)),
      expressions_(std::move(expressions)) {
  assert(!nodes_.empty() && !IsInner(nodes_.front()));
}

// From the root down, so the stack holds what is still to come: for each inner
// node its sides, the left one on top, and the bracket that ends it.
std::string Filter::ToString() const {
  constexpr std::size_t kClosing = SIZE_MAX;
  std::string text;
  // What is still to be printed, the next item on top: nodes and closing
  // brackets.
  std::vector<std::size_t> pending = {nodes_.size() - 1};
  while (!pending.empty()) {
    const std::size_t index = pending.back();
    pending.pop_back();
    if (index == kClosing) {
      text.push_back(')');
      continue;
    }
    const FilterNode& node = nodes_[index];
    if (!text.empty()) text.push_back(' ');
    if (!IsInner(node)) {
      AppendLeaf(*this, node, text);
      continue;
    }
    text.append("(").append(InnerKeyword(node.kind));
    pending.push_back(kClosing);
    pending.push_back(index - 1);
    if (node.kind != FilterNodeKind::kNot) pending.push_back(node.left);
  }
  return text;
}

}  // namespace entitable
