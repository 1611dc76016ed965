// Runs Graphviz: all texts in one file, which `dot` answers with as many SVG documents.
#include "layout.h"

#include "polymend/run.h"

namespace polymend::page_room {

Result<std::vector<std::string>> laidOut(const std::vector<std::string> &dots) {
  std::vector<std::string> pictures;
  if (dots.empty()) return pictures;
  const auto dot = findProgram({"dot"});
  if (!dot)
    return Refusal{"drawing needs Graphviz, and there is no 'dot' on the path (Debian: apt-get install graphviz)", {}};
  const ScratchDirectory scratch;
  std::string all;
  for (const std::string &text : dots) all += text;
  if (auto failure = replaceFile(scratch.file("graphs.dot"), all)) return *failure;
  const auto done = execute({{*dot, "-Tsvg", scratch.file("graphs.dot")}, std::chrono::seconds(120)});
  if (!done) return done.refusal();
  if (done->timedOut) return Refusal{"Graphviz took more than two minutes over the graph", {}};
  if (done->exitCode != 0) return Refusal{"Graphviz failed: " + done->error.substr(0, done->error.find('\n')), {}};
  const std::string &text = done->output, end = "</svg>";
  for (std::size_t at = text.find("<svg"); at != std::string::npos; at = text.find("<svg", at)) {
    const std::size_t stop = text.find(end, at) + end.size();
    pictures.push_back(text.substr(at, stop - at));
    at = stop;
  }
  if (pictures.size() != dots.size())
    return Refusal{"Graphviz drew " + std::to_string(pictures.size()) + " graphs of " + std::to_string(dots.size()),
                   {}};
  return pictures;
}

std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
    case '&': result += "&amp;"; break;
    case '<': result += "&lt;"; break;
    case '>': result += "&gt;"; break;
    case '"': result += "&quot;"; break;
    case '\'': result += "&#39;"; break;
    default: result += c;
    }
  }
  return result;
}

} // namespace polymend::page_room
