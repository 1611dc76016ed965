// Compiles printed text to a shared object and finds functions in it; builds the Nest of one function for the printer.
#pragma once

#include "polymend/interpret.h"
#include "polymend/print.h"
#include "polymend/verify.h"

#include <string>

namespace polymend::testing_print {

/// Source text with one function whose body stands between the braces that follow `name`.
Nest nestOf(const std::string &source, const TileProgram &program);

/// The program of a text; fails the test where it is refused or has faults.
TileProgram programOf(const std::string &text);

class Compiled {
public:
  /// `compiler` with `flags`; warnings of -Wall -Wextra are errors. Tells in `failure` what went wrong.
  Compiled(const std::string &text, const std::string &flags, const std::string &compiler = "clang++-19");
  ~Compiled();
  Compiled(const Compiled &) = delete;
  Compiled &operator=(const Compiled &) = delete;
  [[nodiscard]] bool ok() const { return handle != nullptr; }
  [[nodiscard]] const std::string &failure() const { return message; }
  template <class F> F *find(const char *name) const { return reinterpret_cast<F *>(address(name)); }

private:
  [[nodiscard]] void *address(const char *name) const;
  void *handle = nullptr;
  std::string message, folder;
};

bool hasCompiler(const std::string &compiler);

} // namespace polymend::testing_print
