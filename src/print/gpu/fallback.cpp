#include "print/fallback.h"

namespace polymend::print_room {

std::string PointFunction::call(const std::string &thread, const std::string &memory,
                                const std::vector<std::string> &at) const {
  std::string text = name + "(" + thread + ", " + memory;
  for (const std::vector<std::string> &part : {arguments, at})
    for (const std::string &argument : part) text += ", " + argument;
  return text + ");";
}

} // namespace polymend::print_room
