// run_journal: what the runs of a check gave, kept while it goes, so that one that was stopped goes on where it was.
#pragma once

#include "polymend/support.h"

#include <map>
#include <optional>
#include <string>

namespace polymend {

/// A file with a line of JSON for each run that came to its end. Its first line tells what was run: of another text
/// the file is begun anew.
class Journal {
public:
  Journal() = default; // keeps nothing
  /// Reads what `path` holds of the same `what`; refuses where it cannot be written, or holds something else.
  static Result<Journal> open(const std::string &path, const std::string &what);
  [[nodiscard]] std::optional<std::string> known(const std::string &run) const;
  /// Adds a line; the file is whole after each.
  void add(const std::string &run, const std::string &text);

private:
  std::string file;
  std::map<std::string, std::string> ended;
};

} // namespace polymend
