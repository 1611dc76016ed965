// The compiler command for one file.
#pragma once

#include "polymend/parse.h"

namespace polymend {

/// Compiler flags, and the directory in which they were meant (empty: the current one).
struct CompileCommand {
  std::vector<std::string> args;
  std::string directory;
};

/// The file's flags in a compilation database: that of -p, else one found upward which lists the file.
Result<CompileCommand> databaseFlags(const std::string &file, const ParseOptions &options);
/// The whole command line: defaults, flags of the database, flags of the user, the file.
std::vector<std::string> commandLine(const std::string &file, const ParseOptions &options,
                                     const CompileCommand &database);

} // namespace polymend
