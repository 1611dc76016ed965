// Which lines of the printed text compute which statements: those in whose range of the source a line's places lie, and
// those that give an array its first value, or update it, as the line does.
#include "parts.h"

#include <algorithm>

namespace polymend {

namespace {

bool meet(const SourceRange &a, const SourceRange &b) { return a.begin < b.end && b.begin < a.end; }

bool isUpdate(const DrawnFunction &function, int statement) {
  return std::any_of(function.edges.begin(), function.edges.end(), [&](const DrawnEdge &edge) {
    return edge.reduction && edge.from == statement && edge.to == statement;
  });
}

std::vector<int> statementsOn(const DrawnFunction &function, const LineOrigin &line) {
  std::vector<int> found;
  for (std::size_t s = 0; s < function.statements.size(); ++s) {
    const DrawnStatement &statement = function.statements[s];
    const bool isThere = std::any_of(line.places.begin(), line.places.end(),
                                     [&](const SourceRange &place) { return meet(statement.where, place); });
    const bool stores = std::any_of(line.stored.begin(), line.stored.end(), [&](const Stored &one) {
      return one.array == statement.array && one.isUpdated == isUpdate(function, static_cast<int>(s));
    });
    if (isThere || stores) found.push_back(static_cast<int>(s));
  }
  return found;
}

} // namespace

void linkPrinted(Drawing &drawing, const std::vector<LineOrigin> &lines) {
  for (std::size_t line = 0; line < lines.size(); ++line)
    for (std::size_t f = 0; f < drawing.functions.size(); ++f) {
      std::vector<int> statements = statementsOn(drawing.functions[f], lines[line]);
      if (!statements.empty())
        drawing.printedLines.push_back(
            {static_cast<int>(line) + 1, static_cast<int>(f), std::move(statements), lines[line].isCopy});
    }
}

} // namespace polymend
