// Pictures for slides: the graphs as Graphviz lays them out, one below the other, and the points of a small size. A
// statement is a block of points: rows along its next to last loop, columns along its last one.
#include "polymend/page.h"

#include "layout.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace polymend {

using namespace page_room;

namespace {

constexpr int step = 22, margin = 14, labelWidth = 60;

struct Block {
  std::string text;
  int width = 0, height = 0; // pixels
};

/// The number behind `attribute="` of an SVG's first tag, which Graphviz writes in points, in pixels.
int measure(const std::string &svg, const std::string &attribute) {
  const std::size_t at = svg.find(attribute + "=\"");
  return at == std::string::npos ? 0 : std::atoi(svg.c_str() + at + attribute.size() + 2) * 4 / 3 + 1;
}

Block graphBlock(const std::string &svg) { return {svg, measure(svg, "width"), measure(svg, "height")}; }

/// Places of a replay's points: statement after statement, downwards.
struct Places {
  std::vector<std::pair<int, int>> at;
  std::vector<std::pair<int, int>> lanes; // y, statement
  int width = 0, height = 0;
};

Places placesOf(const Replay &replay, std::size_t statements) {
  Places places;
  places.at.resize(replay.points.size());
  int y = margin + step;
  for (int s = 0; s < static_cast<int>(statements); ++s) {
    std::set<std::int64_t> rows, columns;
    for (const ReplayPoint &p : replay.points)
      if (p.statement == s) {
        rows.insert(p.at.size() > 1 ? p.at[p.at.size() - 2] : 0);
        columns.insert(p.at.empty() ? 0 : p.at.back());
      }
    if (rows.empty()) continue;
    places.lanes.emplace_back(y, s);
    for (std::size_t k = 0; k < replay.points.size(); ++k) {
      const ReplayPoint &p = replay.points[k];
      if (p.statement != s) continue;
      const auto row = std::distance(rows.begin(), rows.find(p.at.size() > 1 ? p.at[p.at.size() - 2] : 0));
      const auto column = std::distance(columns.begin(), columns.find(p.at.empty() ? 0 : p.at.back()));
      places.at[k] = {margin + labelWidth + static_cast<int>(column) * step, y + static_cast<int>(row) * step};
    }
    places.width = std::max(places.width, 2 * margin + labelWidth + static_cast<int>(columns.size()) * step);
    y += static_cast<int>(rows.size()) * step + step / 2;
  }
  places.height = y;
  return places;
}

std::string line(const std::pair<int, int> &a, const std::pair<int, int> &b, bool violated) {
  const int bend = (a.first == b.first || a.second == b.second) ? step / 2 : 0;
  const std::string colour = violated ? "#b00020" : "#8c959f";
  return "<path d=\"M" + std::to_string(a.first) + " " + std::to_string(a.second) + " Q" +
         std::to_string((a.first + b.first) / 2 + bend) + " " + std::to_string((a.second + b.second) / 2 - bend) + " " +
         std::to_string(b.first) + " " + std::to_string(b.second) + "\" fill=\"none\" stroke=\"" + colour +
         "\" stroke-width=\"" + (violated ? "1.6" : "0.8") + "\" marker-end=\"url(#" + (violated ? "red" : "grey") +
         ")\"/>\n";
}

Block replayBlock(const DrawnFunction &function, const Replay &replay) {
  const Places places = placesOf(replay, function.statements.size());
  std::string words;
  for (const auto &[name, value] : replay.sizes)
    words += (words.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  for (const std::string &held : replay.fixed) words += (words.empty() ? "" : "; ") + held;
  std::string text =
      "<text x=\"" + std::to_string(margin) + "\" y=\"" + std::to_string(margin) + "\">" + escaped(words) + "</text>\n";
  for (const ReplayArrow &arrow : replay.arrows)
    if (function.edges[static_cast<std::size_t>(arrow.edge)].account.kind == "flow")
      text += line(places.at[static_cast<std::size_t>(arrow.from)], places.at[static_cast<std::size_t>(arrow.to)],
                   arrow.violated);
  for (const auto &[y, statement] : places.lanes)
    text += "<text x=\"" + std::to_string(margin) + "\" y=\"" + std::to_string(y + 4) + "\">" +
            escaped(function.statements[static_cast<std::size_t>(statement)].id) + "</text>\n";
  for (const auto &[x, y] : places.at)
    text += "<circle cx=\"" + std::to_string(x) + "\" cy=\"" + std::to_string(y) + "\" r=\"5\" fill=\"#0072b2\"/>\n";
  const int width = std::max(places.width, static_cast<int>(words.size()) * 7 + 2 * margin);
  return {text, width, places.height};
}

} // namespace

Result<std::string> writeSvg(const Drawing &drawing, Kinds kinds) {
  const auto program = graphviz();
  if (!program) return program.refusal();
  std::vector<Block> blocks;
  for (const DrawnFunction &function : drawing.functions) {
    if (!function.reason.empty())
      blocks.push_back({"<text x=\"14\" y=\"18\">" +
                            escaped(function.name + ": " + function.outcome + ", " + function.reason) + "</text>\n",
                        static_cast<int>(function.name.size() + function.reason.size()) * 7 + 120, 28});
    if (function.statements.empty()) continue;
    const DotOptions options{kinds, "f" + std::to_string(&function - drawing.functions.data()) + "-", false, true};
    if (const std::size_t arrows = merged(function, options).size(); arrows > manyArrows)
      return Refusal{"'" + function.name + "' has " + std::to_string(arrows) +
                         " arrows, too many to draw: --format=json lists them",
                     function.where};
    const auto picture = laidOut(*program, writeDot(function, options));
    if (!picture) return picture.refusal();
    blocks.push_back(graphBlock(*picture));
    for (const Replay &replay : function.replays) blocks.push_back(replayBlock(function, replay));
  }
  int width = 1, height = 0;
  std::string body;
  for (const Block &block : blocks) {
    body += "<g transform=\"translate(0 " + std::to_string(height) + ")\">\n" + block.text + "</g>\n";
    height += block.height + margin;
    width = std::max(width, block.width + margin);
  }
  const auto marker = [](const std::string &name, const std::string &colour) {
    return "<marker id=\"" + name +
           "\" viewBox=\"0 0 6 6\" refX=\"9\" refY=\"3\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">"
           "<path d=\"M0 0L6 3L0 6z\" fill=\"" +
           colour + "\"/></marker>";
  };
  const std::string w = std::to_string(width), h = std::to_string(std::max(height, 1));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"" + w +
         "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h +
         "\" font-family=\"Helvetica, sans-serif\" font-size=\"12\">\n<title>" + escaped(drawing.file) +
         "</title>\n<defs>" + marker("red", "#b00020") + marker("grey", "#8c959f") + "</defs>\n" + body + "</svg>\n";
}

} // namespace polymend
