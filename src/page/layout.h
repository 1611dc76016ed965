// layout: Graphviz's text -> SVG.
#pragma once

#include "polymend/support.h"

namespace polymend::page_room {

/// Each text as an <svg> element without prologue, in order. One run of `dot` makes all of them.
Result<std::vector<std::string>> laidOut(const std::vector<std::string> &dots);
/// The text as it must stand in HTML or XML, in an attribute or between tags.
std::string escaped(const std::string &text);

} // namespace polymend::page_room
