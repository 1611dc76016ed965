#include "unused_name.h"

#include <functional>
#include <set>

namespace polymend {

std::string unusedName(const Function &function, std::string name) {
  std::set<std::string> taken;
  for (const Array &array : function.arrays) taken.insert(array.name);
  for (const std::string &size : function.sizes) taken.insert(size);
  for (const std::string &scalar : function.scalars) taken.insert(scalar);
  const std::function<void(const Body &)> take = [&](const Body &body) {
    for (const Node &node : body) {
      if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
        taken.insert((*loop)->variable);
        take((*loop)->body);
      } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
        take((*branch)->then);
        take((*branch)->otherwise);
      }
    }
  };
  take(function.body);
  while (taken.contains(name)) name += "_";
  return name;
}

} // namespace polymend
