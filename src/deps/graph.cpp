// The dependence graph in three forms: a table that a teacher shows, DOT for Graphviz (statements are nodes, the kind
// of an edge is its line style), and JSON with one entry an edge as in the report.
#include "polymend/deps.h"

#include <boost/json.hpp>

#include <algorithm>
#include <sstream>

namespace polymend {

namespace {

using Row = std::vector<std::string>;

const Statement &statement(const Scop &scop, int index) { return scop.statements[static_cast<std::size_t>(index)]; }

std::string verdict(const std::vector<std::string> &verdicts, std::size_t edge) {
  return edge < verdicts.size() ? verdicts[edge] : "";
}

std::string text(const std::optional<std::vector<std::int64_t>> &distance) {
  if (!distance) return "varies";
  std::string result = "(";
  for (std::size_t k = 0; k < distance->size(); ++k) result += (k ? ", " : "") + std::to_string((*distance)[k]);
  return result + ")";
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

std::string text(const Statement &writer) {
  return show(Expr::read(writer.write.array, writer.target, writer.value.type())) + " = " + show(writer.value);
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

std::string quoted(const std::string &words) {
  std::string result = "\"";
  for (const char c : words) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

const char *style(Dependence::Kind kind) {
  switch (kind) {
  case Dependence::Kind::Flow: return "solid";
  case Dependence::Kind::Anti: return "dashed";
  case Dependence::Kind::Output: return "dotted";
  }
  return "solid";
}

const char *colour(const Dependence &edge) {
  if (edge.privatised) return "gray60";
  return edge.reduction ? "blue" : "black";
}

boost::json::value orNull(const std::string &words) {
  return words.empty() ? boost::json::value(nullptr) : boost::json::value(words);
}

boost::json::object placeObject(const Statement &one) {
  return {{"id", one.id}, {"file", one.where.file}, {"line", one.where.line}, {"col", one.where.column}};
}

boost::json::object entry(const Scop &scop, const Dependence &edge, const std::string &decided) {
  boost::json::value distance = nullptr;
  if (edge.distance) distance = boost::json::array(edge.distance->begin(), edge.distance->end());
  return {{"function", scop.function},
          {"array", edge.array},
          {"kind", spell(edge.kind)},
          {"loop", orNull(edge.loop)},
          {"distance", distance},
          {"from", placeObject(statement(scop, edge.from))},
          {"to", placeObject(statement(scop, edge.to))},
          {"reduction", edge.reduction},
          {"privatised", edge.privatised},
          {"exact", edge.exact},
          {"verdict", orNull(decided)}};
}

} // namespace

std::string spell(Dependence::Kind kind) {
  switch (kind) {
  case Dependence::Kind::Flow: return "flow";
  case Dependence::Kind::Anti: return "anti";
  case Dependence::Kind::Output: return "output";
  }
  return "";
}

std::string graphText(const Scop &scop, const Dependences &dependences, const std::vector<std::string> &verdicts) {
  std::vector<Row> nodes{{"statement", "line", "text"}};
  for (const Statement &one : scop.statements)
    nodes.push_back({one.id, std::to_string(one.where.line), cut(text(one), 90)});
  std::vector<Row> rows{
      {"from", "to", "array", "kind", "carried by", "distance", "remark", verdicts.empty() ? "" : "verdict"}};
  for (std::size_t i = 0; i < dependences.edges.size(); ++i) {
    const Dependence &edge = dependences.edges[i];
    rows.push_back({place(statement(scop, edge.from)), place(statement(scop, edge.to)), edge.array, spell(edge.kind),
                    edge.loop.empty() ? "-" : edge.loop, text(edge.distance), remarks(edge), verdict(verdicts, i)});
  }
  return "function " + scop.function + "\n" + aligned(nodes) + "\n" + aligned(rows);
}

std::string graphDot(const Scop &scop, const Dependences &dependences, const std::vector<std::string> &verdicts) {
  std::ostringstream out;
  out << "digraph " << quoted(scop.function) << " {\n  node [shape=box, fontname=\"monospace\"];\n";
  for (const Statement &one : scop.statements)
    out << "  " << one.id << " [label=" << quoted(place(one) + "  " + cut(text(one), 60)) << "];\n";
  for (std::size_t i = 0; i < dependences.edges.size(); ++i) {
    const Dependence &edge = dependences.edges[i];
    std::string label = edge.array + (edge.loop.empty() ? "" : " / " + edge.loop);
    for (const std::string &more : {remarks(edge), verdict(verdicts, i)})
      if (!more.empty()) label += ", " + more;
    out << "  " << statement(scop, edge.from).id << " -> " << statement(scop, edge.to).id << " [label=" << quoted(label)
        << ", style=" << style(edge.kind) << ", color=" << colour(edge) << "];\n";
  }
  out << "}\n";
  return out.str();
}

std::string graphJson(const std::vector<Graph> &graphs) {
  boost::json::array entries;
  for (const Graph &graph : graphs)
    for (std::size_t i = 0; i < graph.dependences.edges.size(); ++i)
      entries.push_back(entry(graph.scop, graph.dependences.edges[i], verdict(graph.verdicts, i)));
  return boost::json::serialize(entries) + "\n";
}

} // namespace polymend
