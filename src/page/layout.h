// layout: Graphviz's text -> SVG.
#pragma once

#include "polymend/support.h"

namespace polymend::page_room {

/// Of more arrows Graphviz makes no picture that could be read, takes minutes, or gives up.
constexpr std::size_t manyArrows = 250;

/// Where Graphviz is.
Result<std::string> graphviz();
/// A graph as an <svg> element without prologue, by one run of that program.
Result<std::string> laidOut(const std::string &program, const std::string &dot);
/// The text as it must stand in HTML or XML, in an attribute or between tags.
std::string escaped(const std::string &text);

} // namespace polymend::page_room
