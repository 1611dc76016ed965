// Flags of a build, as a file of words has them: what its compiler is told and Clang reads alike goes on, in order.
// Which words belong together, and which are none, Clang's own table of options knows.
#include "words.h"

#include <clang/Driver/Options.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>

#include <algorithm>

namespace polymend {

namespace {

namespace options = clang::driver::options;

/// Does the word change nothing that is read, or belong to another compiler? Warnings, optimisation, debug information,
/// outputs, and what only a program that is run notices.
bool isDropped(const llvm::opt::Arg &arg) {
  const llvm::opt::Option &option = arg.getOption();
  const std::string spelling = arg.getSpelling().str();
  if (option.matches(options::OPT_Wp_COMMA)) return arg.getValue()[0] == '-' && arg.getValue()[1] == 'M';
  for (const auto id :
       {options::OPT_UNKNOWN, options::OPT_INPUT, options::OPT_W_Group, options::OPT_O_Group, options::OPT_g_Group,
        options::OPT_M_Group, options::OPT_Link_Group, options::OPT_Action_Group, options::OPT_o, options::OPT_v,
        options::OPT__HASH_HASH_HASH, options::OPT_pipe, options::OPT_mtune_EQ, options::OPT_coverage, options::OPT_x,
        options::OPT_p, options::OPT_pg, options::OPT_C, options::OPT_CC})
    if (option.matches(id)) return true;
  constexpr std::string_view beginnings[] = {
      "-fplugin",     "-fpass-plugin", "-flto",        "-fno-lto",  "-fsanitize",      "-fno-sanitize", "-fprofile",
      "-fno-profile", "-save-temps",   "--save-temps", "-fmodule",  "-fdump",          "-fcoverage",    "-fdiagnostics",
      "-specs",       "--specs",       "-gtoggle",     "-msse2avx", "-mrecord-mcount", "-mnop-mcount"};
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view beginning) { return spelling.starts_with(beginning); });
}

} // namespace

std::vector<std::string> flagsToRead(const std::vector<std::string> &words) {
  std::vector<const char *> pointers;
  for (const std::string &word : words) pointers.push_back(word.c_str());
  unsigned missing = 0, missingCount = 0;
  const llvm::opt::InputArgList args = clang::driver::getDriverOptTable().ParseArgs(
      pointers, missing, missingCount, llvm::opt::Visibility(options::ClangOption));
  std::vector<std::string> kept;
  auto end = static_cast<std::ptrdiff_t>(words.size());
  std::vector<const llvm::opt::Arg *> all(args.begin(), args.end());
  std::reverse(all.begin(), all.end()); // an argument ends where the next one begins
  for (const llvm::opt::Arg *arg : all) {
    const auto begin = static_cast<std::ptrdiff_t>(arg->getIndex());
    if (!isDropped(*arg)) kept.insert(kept.begin(), words.begin() + begin, words.begin() + end);
    end = begin;
  }
  // A header as CMake lists those that are precompiled: <vector>, "mine.h".
  for (std::size_t k = 1; k < kept.size(); ++k)
    if (kept[k - 1] == "-include" && kept[k].size() > 2 && (kept[k][0] == '<' || kept[k][0] == '"'))
      kept[k] = kept[k].substr(1, kept[k].size() - 2);
  return kept;
}

} // namespace polymend
