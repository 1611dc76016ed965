// Flags come from a compilation database where one lists the file, then from the user, who wins. What would only make a
// difference to the output or turn warnings into errors is dropped.
#include "command.h"
#include "clang.h"

#include <clang/Basic/Version.h>
#include <clang/Driver/Driver.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <algorithm>
#include <filesystem>

namespace polymend {

namespace {

/// Clang's own headers: where they were when polymend was built, else where this machine's Clang of that version has
/// them.
std::string ownHeaders() {
  const auto areIn = [](const std::string &folder) {
    return std::filesystem::exists(std::filesystem::path(folder) / "include" / "stddef.h");
  };
  if (areIn(POLYMEND_RESOURCE_DIR)) return POLYMEND_RESOURCE_DIR;
  const std::string version = CLANG_VERSION_MAJOR_STRING;
  for (const std::string &name : {"clang++-" + version, "clang-" + version, std::string("clang++")}) {
    const auto program = llvm::sys::findProgramByName(name);
    if (!program) continue;
    // What the program itself would say to -print-resource-dir, by its own rule.
    llvm::SmallString<256> real;
    if (llvm::sys::fs::real_path(*program, real)) real = *program;
    const std::string folder = clang::driver::Driver::GetResourcesPath(real);
    if (areIn(folder) && std::filesystem::path(folder).filename().string().starts_with(version)) return folder;
  }
  return POLYMEND_RESOURCE_DIR;
}

} // namespace

Result<CompileCommand> databaseFlags(const std::string &file, const ParseOptions &options) {
  namespace tooling = clang::tooling;
  std::string message;
  const std::string absolute = std::filesystem::absolute(file).lexically_normal().string();
  const bool named = !options.buildDir.empty();
  const auto database = named ? tooling::CompilationDatabase::loadFromDirectory(options.buildDir, message)
                              : tooling::CompilationDatabase::autoDetectFromSource(absolute, message);
  if (!database) return named ? Result<CompileCommand>(Refusal{message, {}}) : Result<CompileCommand>(CompileCommand{});
  const std::vector<std::string> listed = database->getAllFiles();
  if (std::find(listed.begin(), listed.end(), absolute) == listed.end()) return CompileCommand{};
  const auto commands = database->getCompileCommands(absolute);
  if (commands.empty()) return CompileCommand{};
  auto adjust =
      tooling::combineAdjusters(tooling::getClangStripOutputAdjuster(), tooling::getClangStripDependencyFileAdjuster());
  CompileCommand command{adjust(commands[0].CommandLine, absolute), commands[0].Directory};
  std::erase_if(command.args, [&](const std::string &arg) {
    const bool isFile = !arg.starts_with("-") && std::filesystem::path(command.directory) / arg == absolute;
    return isFile || arg == absolute || arg == "-c" || arg == "--" || arg.starts_with("-Werror");
  });
  if (!command.args.empty()) command.args.erase(command.args.begin());
  return command;
}

std::vector<std::string> commandLine(const std::string &file, const ParseOptions &options,
                                     const CompileCommand &database) {
  const std::string resources = options.resourceDir.empty() ? ownHeaders() : options.resourceDir;
  std::vector<std::string> args = {"polymend", "-std=c++20", "-fsyntax-only", "-O0", "-w", "-resource-dir", resources};
  args.insert(args.end(), database.args.begin(), database.args.end());
  args.insert(args.end(), options.clangArgs.begin(), options.clangArgs.end());
  args.insert(args.end(), {"-fsyntax-only", "-w", "-fno-caret-diagnostics", "-x", "c++",
                           std::filesystem::absolute(file).lexically_normal().string()});
  return args;
}

} // namespace polymend
