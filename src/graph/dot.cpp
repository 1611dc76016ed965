// Graphviz: statements are boxes, loops the clusters around them, dependences arrows. Line style is the kind of a
// dependence, colour what became of it (Okabe and Ito's colours, told apart by colour-blind eyes).
#include "parts.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace polymend {

namespace {

using Kind = Dependence::Kind;

constexpr std::size_t widestLine = 44;

std::string quoted(const std::string &words) {
  std::string result = "\"";
  for (const char c : words) {
    if (c == '\n') {
      result += "\\l";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// Broken after operators and commas where a line would become too long; nothing is cut.
std::string broken(const std::string &text) {
  std::string result, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + word.size() >= widestLine) {
      result += line + "\n";
      line = "   ";
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return result + line + "\n";
}

bool isDropped(const DrawnEdge &edge) { return edge.account.verdict == Verdict::Corrected; }

struct Look {
  const char *style, *colour;
  double width;
};

Look lookOf(const DrawnEdge &edge) {
  if (isDropped(edge)) return {"dashed", "#d55e00", 2.4};
  if (edge.account.verdict == Verdict::Refused) return {"bold", "#b00020", 2.4};
  if (edge.account.verdict == Verdict::Runtime) return {"dashed", "#7b3294", 1.4};
  const char *const style = edge.account.kind == "anti" ? "dotted" : "solid";
  if (edge.privatised) return {style, edge.account.kind == "output" ? "#8a8a8a:#8a8a8a" : "#8a8a8a", 1};
  if (edge.account.kind == "output") return {style, "#007a5a:#007a5a", 1};
  if (edge.account.kind == "anti") return {style, "#9a6700", 1.4};
  return {style, edge.reduction ? "#0072b2" : "#1b1b1b", 1.4};
}

bool isShown(const DrawnEdge &edge, const DotOptions &options) {
  return options.kinds == Kinds::All || edge.account.kind == "flow";
}

/// The outermost loop around a statement, or the statement itself as a number below 0.
int nestOf(const DrawnFunction &function, int statement) {
  const std::vector<int> &loops = function.statements[static_cast<std::size_t>(statement)].loops;
  return loops.empty() ? -1 - statement : loops.front();
}

bool alike(const DrawnFunction &function, const DrawnEdge &a, const DrawnEdge &b, const DotOptions &options) {
  const Look one = lookOf(a), other = lookOf(b);
  const bool samePlace = options.folded ? nestOf(function, a.from) == nestOf(function, b.from) &&
                                              nestOf(function, a.to) == nestOf(function, b.to)
                                        : a.from == b.from && a.to == b.to;
  return samePlace && one.style == other.style && std::string(one.colour) == other.colour;
}

std::string escaped(const std::string &words) {
  std::string result;
  for (const char c : words)
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

class Dot {
public:
  Dot(const DrawnFunction &drawn, const DotOptions &asked) : function(drawn), options(asked) {}

  std::string text() {
    out << "digraph " << quoted(function.name) << " {\n"
        << "  graph [id=" << quoted(options.prefix + "graph")
        << ", rankdir=TB, nodesep=0.3, ranksep=0.45, compound=true, "
        << "fontname=\"Helvetica\", fontsize=12, bgcolor=transparent];\n"
        << "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f6f8fa\", color=\"#6e7781\", "
        << "fontname=\"monospace\", fontsize=11];\n"
        << "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];\n";
    if (options.folded)
      folded();
    else
      loop(-1, 1);
    for (const std::vector<int> &group : merged(function, options)) arrow(group);
    if (options.legend) legend();
    out << "}\n";
    return out.str();
  }

private:
  [[nodiscard]] std::string indent(int depth) const { return std::string(static_cast<std::size_t>(2 * depth), ' '); }

  void node(std::size_t s, int depth) {
    const DrawnStatement &statement = function.statements[s];
    out << indent(depth) << statement.id << " [id=" << quoted(options.prefix + statement.id) << ", class=\"s" << s
        << "\", label="
        << quoted(statement.id + ", line " + std::to_string(statement.where.line) + "\n" + broken(statement.text))
        << "];\n";
  }

  /// Loops that hold nothing but the next one are one cluster: the last of them, and what is written over it.
  [[nodiscard]] std::pair<int, std::string> chainFrom(int index) const {
    std::string names = function.loops[static_cast<std::size_t>(index)].name;
    const unsigned line = function.loops[static_cast<std::size_t>(index)].where.line;
    for (int inner = onlyIn(index); inner >= 0; inner = onlyIn(index)) {
      names += ", " + function.loops[static_cast<std::size_t>(inner)].name;
      index = inner;
    }
    return {index, "for " + names + ", line " + std::to_string(line)};
  }

  /// The loop that is all the loop holds; -1: there is more.
  [[nodiscard]] int onlyIn(int index) const {
    const auto isHere = [&](const DrawnStatement &one) { return !one.loops.empty() && one.loops.back() == index; };
    if (std::any_of(function.statements.begin(), function.statements.end(), isHere)) return -1;
    int inner = -1;
    for (std::size_t k = 0; k < function.loops.size(); ++k)
      if (function.loops[k].parent == index) inner = inner == -1 ? static_cast<int>(k) : -2;
    return std::max(inner, -1);
  }

  /// What stands directly in the loop, and the loops in it, in the order of the text.
  void loop(int index, int depth) {
    std::vector<std::pair<unsigned, std::pair<bool, int>>> parts;
    for (std::size_t s = 0; s < function.statements.size(); ++s) {
      const std::vector<int> &loops = function.statements[s].loops;
      if ((loops.empty() ? -1 : loops.back()) == index)
        parts.push_back({function.statements[s].where.begin, {false, static_cast<int>(s)}});
    }
    for (std::size_t k = 0; k < function.loops.size(); ++k)
      if (function.loops[k].parent == index)
        parts.push_back({function.loops[k].where.begin, {true, static_cast<int>(k)}});
    std::sort(parts.begin(), parts.end());
    for (const auto &[where, part] : parts) {
      if (!part.first) {
        node(static_cast<std::size_t>(part.second), depth);
        continue;
      }
      const auto [innermost, label] = chainFrom(part.second);
      out << indent(depth) << "subgraph cluster_" << part.second << " {\n"
          << indent(depth + 1) << "id=" << quoted(options.prefix + "L" + std::to_string(part.second)) << "; class=\"l"
          << part.second << "\"; label=" << quoted(label) << "; labeljust=l; style=rounded; color=\"#8c959f\";\n";
      loop(innermost, depth + 1);
      out << indent(depth) << "}\n";
    }
  }

  static std::string nameOf(int nest) {
    return nest < 0 ? "N_" + std::to_string(-1 - nest) : "N" + std::to_string(nest);
  }

  void folded() {
    std::map<int, std::vector<std::size_t>> nests;
    for (std::size_t s = 0; s < function.statements.size(); ++s)
      nests[nestOf(function, static_cast<int>(s))].push_back(s);
    for (const auto &[nest, statements] : nests) {
      const DrawnStatement &first = function.statements[statements.front()],
                           &last = function.statements[statements.back()];
      std::string label = first.id + (statements.size() > 1 ? " to " + last.id : "") + ", line " +
                          std::to_string(first.where.line) + "\n";
      if (nest >= 0) label += "for " + function.loops[static_cast<std::size_t>(nest)].name + ": ";
      label += std::to_string(statements.size()) + (statements.size() > 1 ? " statements\n" : " statement\n");
      out << "  " << nameOf(nest) << " [id=" << quoted(options.prefix + nameOf(nest)) << ", class=\"nest n" << nest
          << "\", label=" << quoted(label) << "];\n";
    }
  }

  [[nodiscard]] std::string end(int statement) const {
    return options.folded ? nameOf(nestOf(function, statement))
                          : function.statements[static_cast<std::size_t>(statement)].id;
  }

  /// "m (0, >=1)" for each dependence, those that read alike once.
  [[nodiscard]] std::string label(const std::vector<int> &group) const {
    std::vector<std::string> lines;
    for (const int e : group) {
      const DrawnEdge &edge = function.edges[static_cast<std::size_t>(e)];
      std::string line = edge.account.array + (edge.steps.empty() ? "" : " " + spellDistance(edge.steps));
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
    constexpr std::size_t most = 3;
    const std::size_t left = lines.size() > most ? lines.size() - most + 1 : 0;
    lines.resize(lines.size() - left);
    if (left) lines.push_back("and " + std::to_string(left) + " more");
    const DrawnEdge &first = function.edges[static_cast<std::size_t>(group.front())];
    if (isDropped(first) || first.account.verdict == Verdict::Refused) {
      std::istringstream parts(broken(first.decided));
      for (std::string part; std::getline(parts, part);) lines.push_back(part);
    }
    std::string text;
    for (const std::string &line : lines) text += line + "\n";
    return text;
  }

  /// An arrow back takes no part in the ranks, nor does its label: Graphviz puts that beside it. As a node of its own
  /// such a label has made Graphviz 2.43 write beyond what it allocated.
  void arrow(const std::vector<int> &group) {
    const DrawnEdge &edge = function.edges[static_cast<std::size_t>(group.front())];
    const bool isBack = edge.from > edge.to;
    const Look look = lookOf(edge);
    out << "  " << end(edge.from) << " -> " << end(edge.to)
        << " [id=" << quoted(options.prefix + "g" + std::to_string(group.front())) << ", class=\"g" << group.front()
        << " " << edge.account.kind << " " << spell(edge.account.verdict) << (edge.privatised ? " private" : "")
        << (edge.reduction ? " reduction" : "") << "\", " << (isBack ? "constraint=false, xlabel=" : "label=")
        << quoted(label(group)) << ", style=" << look.style << ", color=\"" << look.colour
        << "\", penwidth=" << look.width << "];\n";
  }

  /// A line per look that occurs.
  void legend() {
    std::map<std::string, std::string> rows;
    for (const std::vector<int> &group : merged(function, options)) {
      const DrawnEdge &edge = function.edges[static_cast<std::size_t>(group.front())];
      const std::string colour = std::string(lookOf(edge).colour).substr(0, 7);
      std::string what = isDropped(edge)                            ? "dashed: dropped and mended"
                         : edge.account.verdict == Verdict::Refused ? "bold: refused, keeps its loops apart"
                         : edge.account.verdict == Verdict::Runtime ? "dashed: an index array says at run time"
                         : edge.account.kind == "anti"              ? "dotted: anti (read, then overwritten)"
                         : edge.account.kind == "output"            ? "double: output (written again)"
                         : edge.reduction                           ? "solid: flow along a reduction"
                                                                    : "solid: flow (written, then read)";
      if (edge.privatised) what += ", gone where each iteration has its own copy";
      rows[what] = colour;
    }
    if (rows.empty()) return;
    out << "  labelloc=b; labeljust=l;\n  label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"1\">";
    for (const auto &[what, colour] : rows)
      out << "<tr><td align=\"left\"><font color=\"" << colour << "\">" << escaped(what) << "</font></td></tr>";
    out << "<tr><td align=\"left\">labels: array (distance per common loop, outermost first)</td></tr></table>>;\n";
  }

  const DrawnFunction &function;
  const DotOptions &options;
  std::ostringstream out;
};

} // namespace

std::vector<std::vector<int>> merged(const DrawnFunction &function, const DotOptions &options) {
  std::vector<std::vector<int>> groups;
  for (std::size_t e = 0; e < function.edges.size(); ++e) {
    const DrawnEdge &edge = function.edges[e];
    const bool within = options.folded && nestOf(function, edge.from) == nestOf(function, edge.to);
    if (!isShown(edge, options) || within) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const std::vector<int> &one) {
      return alike(function, function.edges[static_cast<std::size_t>(one.front())], edge, options);
    });
    if (group == groups.end())
      groups.push_back({static_cast<int>(e)});
    else
      group->push_back(static_cast<int>(e));
  }
  return groups;
}

std::size_t countNests(const DrawnFunction &function) {
  std::set<int> nests;
  for (std::size_t s = 0; s < function.statements.size(); ++s) nests.insert(nestOf(function, static_cast<int>(s)));
  return nests.size();
}

std::string writeDot(const DrawnFunction &function, const DotOptions &options) { return Dot(function, options).text(); }

} // namespace polymend
