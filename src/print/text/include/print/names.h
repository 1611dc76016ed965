// C++ identifiers for the names of a tile program: kept where they can be, changed where they are keywords, macros of
// the source, or taken.
#pragma once

#include <map>
#include <set>
#include <string>

namespace polymend::print_room {

class Names {
public:
  /// Words that the source defines as macros are never used.
  explicit Names(const std::string &source);
  /// Keeps `name` as it is: it is declared by the source.
  void keep(const std::string &name);
  /// Lets `text` stand for itself, whatever it is.
  void alias(const std::string &text) { bound[text] = text; }
  /// A fresh identifier, like `wish`, that stands for nothing yet.
  std::string fresh(const std::string &wish);
  /// Binds `name` to a fresh identifier, like `wish`, and returns it; an existing binding of `name` is replaced.
  const std::string &bind(const std::string &name, const std::string &wish);
  /// The identifier of `name`, bound to one like it at first use.
  const std::string &of(const std::string &name);

private:
  std::set<std::string> taken;
  std::map<std::string, std::string> bound;
};

/// Whether `word` stands in `text` as an identifier of its own.
bool mentions(const std::string &text, const std::string &word);

} // namespace polymend::print_room
