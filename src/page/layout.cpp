// Runs Graphviz, once for each graph: versions in use free twice what the graph before left in them.
#include "layout.h"

#include "polymend/run.h"

namespace polymend::page_room {

Result<std::string> graphviz() {
  if (const auto program = findProgram({"dot"})) return *program;
  return Refusal{"drawing needs Graphviz, and there is no 'dot' on the path (Debian: apt-get install graphviz)", {}};
}

Result<std::string> laidOut(const std::string &program, const std::string &dot) {
  const ScratchDirectory scratch;
  if (auto failure = replaceFile(scratch.file("graph.dot"), dot)) return *failure;
  const auto done = execute({{program, "-Tsvg", scratch.file("graph.dot")}, std::chrono::seconds(120)});
  if (!done) return done.refusal();
  if (done->timedOut) return Refusal{"Graphviz took more than two minutes over the graph", {}};
  if (done->exitCode != 0) return Refusal{"Graphviz failed: " + done->error.substr(0, done->error.find('\n')), {}};
  const std::string &text = done->output, end = "</svg>";
  const std::size_t begin = text.find("<svg"), stop = text.find(end, begin);
  if (begin == std::string::npos || stop == std::string::npos) return Refusal{"Graphviz drew nothing", {}};
  return text.substr(begin, stop + end.size() - begin);
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
