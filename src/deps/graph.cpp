// The dependence graph as a table that a teacher shows: statements, then an edge a line.
#include "polymend/deps.h"

#include <algorithm>

namespace polymend {

namespace {

using Row = std::vector<std::string>;

const Statement &statement(const Scop &scop, int index) { return scop.statements[static_cast<std::size_t>(index)]; }

std::string verdict(const std::vector<std::string> &verdicts, std::size_t edge) {
  return edge < verdicts.size() ? verdicts[edge] : "";
}

std::string remarks(const Dependence &edge) {
  std::string result;
  const auto say = [&](bool holds, const char *word) {
    if (holds) result += (result.empty() ? "" : ", ") + std::string(word);
  };
  say(edge.reduction, "reduction");
  say(edge.privatised, "private");
  say(!edge.exact, "may");
  return result;
}

std::string cut(const std::string &line, std::size_t limit) {
  return line.size() <= limit ? line : line.substr(0, limit - 3) + "...";
}

/// Columns as wide as their widest cell, two spaces between.
std::string aligned(const std::vector<Row> &rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row &row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string result;
  for (const Row &row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += row[c] + std::string(widths[c] - row[c].size() + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

std::string place(const Statement &one) { return one.id + ":" + std::to_string(one.where.line); }

} // namespace

std::string spell(Dependence::Kind kind) {
  switch (kind) {
  case Dependence::Kind::Flow: return "flow";
  case Dependence::Kind::Anti: return "anti";
  case Dependence::Kind::Output: return "output";
  }
  return "";
}

std::string spell(const Statement &statement) {
  return show(Expr::read(statement.write.array, statement.target, statement.value.type())) + " = " +
         show(statement.value);
}

std::string graphText(const Scop &scop, const Dependences &dependences, const std::vector<std::string> &verdicts) {
  std::vector<Row> nodes{{"statement", "line", "text"}};
  for (const Statement &one : scop.statements)
    nodes.push_back({one.id, std::to_string(one.where.line), cut(spell(one), 90)});
  const std::vector<std::vector<Step>> steps = stepsOf(scop, dependences);
  std::vector<Row> rows{
      {"from", "to", "array", "kind", "carried by", "distance", "remark", verdicts.empty() ? "" : "verdict"}};
  for (std::size_t i = 0; i < dependences.edges.size(); ++i) {
    const Dependence &edge = dependences.edges[i];
    rows.push_back({place(statement(scop, edge.from)), place(statement(scop, edge.to)), edge.array, spell(edge.kind),
                    edge.loop.empty() ? "-" : edge.loop, spellDistance(steps[i]), remarks(edge), verdict(verdicts, i)});
  }
  return "function " + scop.function + "\n" + aligned(nodes) + "\n" + aligned(rows);
}

} // namespace polymend
