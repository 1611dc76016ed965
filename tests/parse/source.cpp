#include "source.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace polymend::test {

ParseOutcome parseText(const std::string &source, const ParseOptions &options) {
  std::string folder = (std::filesystem::temp_directory_path() / "polymend-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return {};
  const std::string file = folder + "/input.cpp";
  std::ofstream(file, std::ios::binary) << source;
  ParseOutcome outcome = parse(file, options);
  std::filesystem::remove_all(folder);
  return outcome;
}

std::string dumped(const std::string &source, const ParseOptions &options) {
  const ParseOutcome outcome = parseText(source, options);
  std::string text;
  for (const Diagnostic &diagnostic : outcome.diagnostics) text += diagnostic.message + "\n";
  return outcome.nest ? dump(*outcome.nest) : text;
}

std::string bodyOf(const std::string &source) {
  std::istringstream lines(dumped(source));
  std::string line, body;
  while (std::getline(lines, line)) {
    const bool heading = line.starts_with("function ") || line.starts_with("  array ") ||
                         line.starts_with("  sizes ") || line.starts_with("  scalars ") || line.starts_with("  given ");
    if (!heading) body += line.starts_with("  ") ? line.substr(2) + "\n" : line + "\n";
  }
  return body;
}

std::string whyLeft(const std::string &source) {
  const ParseOutcome outcome = parseText(source);
  if (!outcome.nest) return outcome.diagnostics.empty() ? "no nest" : outcome.diagnostics[0].message;
  const std::vector<Function> &read = outcome.nest->functions;
  const bool isCalled = outcome.nest->left.empty() && !read.empty() && !read[0].outlined.empty();
  if (outcome.nest->left.empty() && !isCalled) return "";
  const Refusal &refusal = isCalled ? read[0].outlined[0].why : outcome.nest->left[0].refusal;
  return std::to_string(refusal.where.line) + ": " + refusal.reason;
}

} // namespace polymend::test
