// page: a drawing -> what people look at. Graphviz lays the statement graphs out, when the page is made: what is
// written needs no network, no library and no tool.
#pragma once

#include "polymend/graph.h"

namespace polymend {

/// One self-contained HTML page. Refuses where Graphviz's `dot` is missing or fails.
Result<std::string> writePage(const Drawing &drawing);
/// One SVG picture for slides: the statement graph of each function, below it the points of its last replay, where it
/// has one. Refuses as writePage does.
Result<std::string> writeSvg(const Drawing &drawing, Kinds kinds);

} // namespace polymend
