// Orders of a function's statements as isl's schedule trees in YAML, for people to read and to write.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// The order that a function is printed in, as a YAML document: comments say which statement of the source each name
/// is, then isl's tree. Of a function whose dependences are mended, the source's order.
std::string writeTree(const Scop &scop, const Schedule &schedule);
/// The documents of a file that was made so, by function. A document whose first comment names no function is nobody's.
std::map<std::string, std::string> documentsOf(const std::string &file);
/// The schedule of a document of this function; refuses what isl cannot read and what has other instances than the
/// function's. Dependences are not looked at (`brokenEdges` of order.h does).
Result<Schedule> readTree(const Scop &scop, const std::string &document);

} // namespace polymend
