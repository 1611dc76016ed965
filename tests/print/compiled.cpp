// Compilation by the command line of the compiler under test, in a fresh folder that is removed afterwards.
#include "compiled.h"

#include "print/names.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace polymend::testing_print {

namespace {

std::string contents(const std::string &file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::size_t matching(const std::string &source, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < source.size(); ++i) {
    if (source[i] == '{') ++depth;
    if (source[i] == '}' && --depth == 0) return i + 1;
  }
  return source.size();
}

SourceRange rangeOf(std::size_t begin, std::size_t end) {
  SourceRange r;
  r.line = 1;
  r.begin = static_cast<unsigned>(begin);
  r.end = static_cast<unsigned>(end);
  return r;
}

/// Where each parameter is declared in the list that opens at `open`.
void placeParameters(const std::string &source, std::size_t open, Function &f) {
  int depth = 0;
  for (std::size_t at = open, begin = open + 1; at < source.size(); ++at) {
    depth += source[at] == '(' ? 1 : source[at] == ')' ? -1 : 0;
    const bool ends = depth == 0 || (depth == 1 && source[at] == ',');
    if (!ends) continue;
    begin = source.find_first_not_of(" \n", begin);
    for (Parameter &p : f.parameters)
      if (print_room::mentions(source.substr(begin, at - begin), p.name)) p.where = rangeOf(begin, at);
    begin = at + 1;
    if (depth == 0) return;
  }
}

} // namespace

TileProgram programOf(const std::string &text) {
  const Result<TileProgram> p = readText(text);
  if (!p) {
    ADD_FAILURE() << p.refusal().reason << " at line " << p.refusal().where.line;
    return {};
  }
  for (const std::string &fault : verify(*p)) ADD_FAILURE() << fault;
  return *p;
}

Nest nestOf(const std::string &source, const TileProgram &program) {
  Nest nest;
  nest.file = "input.cpp";
  nest.source = source;
  Function f;
  f.name = program.function;
  f.returnType = program.returns.value_or(Type::Void);
  for (const TileArray &a : program.arrays) {
    if (a.space != Space::Argument || a.name == "return") continue;
    Array array;
    array.name = a.name;
    f.arrays.push_back(array);
    f.parameters.push_back({a.name, a.type, true});
  }
  for (const std::string &size : program.sizes) f.parameters.push_back({size, Type::Int32, false});
  for (const auto &[name, type] : program.scalars) f.parameters.push_back({name, type, false});
  const std::size_t at = source.find(" " + f.name + "(");
  const std::size_t open = source.find('{', at);
  f.bodyRange = rangeOf(open, matching(source, open));
  f.where = rangeOf(source.rfind('\n', at) + 1, f.bodyRange.end);
  placeParameters(source, source.find('(', at), f);
  nest.functions.push_back(f);
  return nest;
}

bool hasCompiler(const std::string &compiler) {
  return std::system(("command -v " + compiler + " >/dev/null 2>&1").c_str()) == 0;
}

Compiled::Compiled(const std::string &text, const std::string &flags, const std::string &compiler) {
  std::string pattern = (std::filesystem::temp_directory_path() / "polymend-print-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return;
  folder = pattern;
  std::ofstream(folder + "/out.cpp") << text;
  // Where the processor has no conversion to bf16 it is a call, which not every libgcc knows.
  const bool calls = text.find("__bf16") != std::string::npos && compiler.starts_with("clang");
  const std::string command = compiler +
                              " -std=c++20 -fPIC -shared -Wall -Wextra -Werror -Wno-invalid-feature-combination " +
                              (calls ? "--rtlib=compiler-rt --unwindlib=libgcc " : "") + flags + " " + folder +
                              "/out.cpp -o " + folder + "/out.so 2> " + folder + "/log";
  if (std::system(command.c_str()) != 0) {
    message = contents(folder + "/log") + text;
    return;
  }
  handle = dlopen((folder + "/out.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) message = dlerror();
}

Compiled::~Compiled() {
  if (!folder.empty()) std::filesystem::remove_all(folder);
}

void *Compiled::address(const char *name) const { return handle ? dlsym(handle, name) : nullptr; }

} // namespace polymend::testing_print
