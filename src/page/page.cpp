// The page: a template, its style and its script (src/page/assets), the drawings that Graphviz makes, and the data as
// JSON. Text of the input reaches the page through escaped() or as JSON in which no tag can begin; the script shows it
// as text only.
#include "polymend/page.h"

#include "assets.h"
#include "layout.h"

namespace polymend {

using namespace page_room;

namespace {

/// From so many statements on a graph is first shown folded.
constexpr std::size_t manyStatements = 20;
const std::string &asset(const std::string &name) {
  for (const Asset &one : assets)
    if (one.name == name) return one.text;
  throw std::logic_error("no asset " + name);
}

/// JSON that may stand in a script element: no "<" is left.
std::string inScript(const std::string &json) {
  std::string result;
  for (const char c : json) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

struct View {
  std::size_t function = 0;
  std::string name;
  std::size_t arrows = 0;
  std::string dot; // empty: there are too many arrows
};

View viewOf(const DrawnFunction &function, std::size_t index, const std::string &name, const DotOptions &options) {
  const std::size_t arrows = merged(function, options).size();
  return {index, name, arrows, arrows <= manyArrows ? writeDot(function, options) : ""};
}

/// What is drawn of a function: flow alone, everything, and folded where that says something.
std::vector<View> viewsOf(const DrawnFunction &function, std::size_t index) {
  if (function.statements.empty()) return {};
  const std::string prefix = "f" + std::to_string(index);
  std::vector<View> views{viewOf(function, index, "flow", {Kinds::Flow, prefix + "a-", false, true}),
                          viewOf(function, index, "all", {Kinds::All, prefix + "b-", false, true})};
  if (function.statements.size() >= manyStatements && countNests(function) > 1)
    views.push_back(viewOf(function, index, "folded", {Kinds::Flow, prefix + "c-", true, true}));
  return views;
}

/// A view as a hidden part of the page; where there is no picture, it says why.
std::string drawingOf(const View &view, const std::string &program) {
  std::string shown;
  if (view.dot.empty()) {
    shown = "<p>" + std::to_string(view.arrows) + " arrows are too many to draw; the table below lists them.</p>";
  } else {
    const auto picture = laidOut(program, view.dot);
    shown = picture ? *picture : "<p>" + escaped(picture.refusal().reason) + "; the table below lists its arrows.</p>";
  }
  return "<div class=\"drawing\" hidden data-function=\"" + std::to_string(view.function) + "\" data-view=\"" +
         view.name + "\">" + shown + "</div>\n";
}

/// Replaces each {{name}} of the template by its text; what is put in is not looked at again.
std::string filled(const std::string &text, const std::map<std::string, std::string> &parts) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t open = text.find("{{"); open != std::string::npos; open = text.find("{{", at)) {
    const std::size_t close = text.find("}}", open);
    result += text.substr(at, open - at) + parts.at(text.substr(open + 2, close - open - 2));
    at = close + 2;
  }
  return result + text.substr(at);
}

} // namespace

Result<std::string> writePage(const Drawing &drawing) {
  const auto program = graphviz();
  if (!program) return program.refusal();
  std::string drawings;
  for (std::size_t f = 0; f < drawing.functions.size(); ++f)
    for (const View &view : viewsOf(drawing.functions[f], f)) drawings += drawingOf(view, *program);
  return filled(asset("page.html"),
                {{"title", escaped(drawing.file)},
                 {"style", asset("page.css")},
                 {"data", inScript(writeJson(drawing, true))},
                 {"drawings", drawings},
                 {"script", asset("page.js") + asset("cards.js") + asset("replay.js") + asset("whatif.js")}});
}

} // namespace polymend
