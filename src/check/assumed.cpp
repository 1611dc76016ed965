// The sentences in which a result states what it assumes arrive, the names that they are about leave. A sentence of
// another form excuses nothing.
#include "polymend/check.h"

#include <regex>
#include <sstream>

namespace polymend {

namespace {

/// Adds the names of "a, b".
void addNames(const std::string &list, std::set<std::string> &names) {
  std::istringstream parts(list);
  for (std::string name; std::getline(parts, name, ',');) names.insert(name.substr(name.find_first_not_of(' ')));
}

} // namespace

Assumed assumedBy(const std::vector<std::string> &texts) {
  static const std::regex comparison(R"(no NaN in (\S+) \(comparison-based .*)");
  static const std::regex finite(R"((.+) (?:is|are) finite( and not zero)? where .*)");
  Assumed assumed;
  for (const std::string &text : texts) {
    std::smatch found;
    if (std::regex_match(text, found, comparison)) assumed.noNaN.insert(found[1]);
    if (!std::regex_match(text, found, finite)) continue;
    addNames(found[1], assumed.finite);
    if (found[2].matched) addNames(found[1], assumed.notZero);
  }
  return assumed;
}

} // namespace polymend
