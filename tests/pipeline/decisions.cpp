// What is decided about programs, counted: which kernels there are, over which rows, with which arrays and roles, how
// many loops, regions, conditions, waits and operations each holds, how much of what stands in the printed text, and
// what is remarked. decisions.txt holds a block for each program and target; a change of a decision shows there as a
// line. POLYMEND_ACCEPT=1 writes the blocks anew: read the difference before it is committed.
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace polymend;

namespace {

const std::string table = std::string(POLYMEND_SOURCE_DIR) + "/tests/pipeline/decisions.txt";

/// A program and how it is asked for, as the heading of its block: FILE TARGET[:ARCH] FLOAT-MODE RELAX-MODE.
struct Asked {
  std::string heading, wanted;
  friend void PrintTo(const Asked &asked, std::ostream *out) { *out << asked.heading; }
};

std::vector<Asked> asked() {
  std::vector<Asked> result;
  const auto text = readFile(table);
  std::istringstream lines(text ? *text : "");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("== "))
      result.push_back({line.substr(3), ""});
    else if (!result.empty())
      result.back().wanted += line + "\n";
  }
  return result;
}

PipelineOptions optionsOf(const std::string &heading) {
  std::istringstream words(heading);
  std::string file, target, mode, relax;
  words >> file >> target >> mode >> relax;
  PipelineOptions options;
  options.file = std::string(POLYMEND_SOURCE_DIR) + "/" + file;
  options.target = target.starts_with("cuda") ? Target::Cuda : target.starts_with("hip") ? Target::Hip : Target::Cpp;
  if (const auto colon = target.find(':'); colon != std::string::npos) options.arch = target.substr(colon + 1);
  options.fp = mode == "strict" ? FloatMode::Strict : mode == "approx" ? FloatMode::Approx : FloatMode::Algebraic;
  options.relax = relax == "split-k" ? RelaxMode::SplitK : RelaxMode::Auto;
  options.faultsAreErrors = true;
  return options;
}

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

/// "name 3, other 1" of those parts of the text that occur.
std::string counted(const std::string &text, const std::vector<std::string> &parts) {
  std::string result;
  for (const std::string &part : parts)
    if (const std::size_t n = count(text, part); n > 0) {
      const auto first = part.find_first_not_of(" ("), last = part.find_last_not_of(" ([");
      result += (result.empty() ? "" : ", ") + part.substr(first, last - first + 1) + " " + std::to_string(n);
    }
  return result;
}

const std::vector<std::string> &wordsOfPrograms() {
  static const std::vector<std::string> words = {
      "for ",  "points (",  " parallel", " reduced", " serial", "if (",     "else {", "where ",
      "copy ", "contract ", "get ",      "release ", "await ",  "combine ", " = ",    " += ",
      " *= ",  " max= ",    " min= ",    " fmax= ",  " fmin= ", " + ",      " - ",    " * ",
      " / ",   "floordiv(", "floormod(", "min(",     "max(",    "select(",  "exp(",   " < ",
      " <= ",  " == ",      " != ",      " && ",     " || ",    "inf"};
  return words;
}

const std::vector<std::string> &wordsOfTexts() {
  static const std::vector<std::string> words = {
      "for (",  "if (", "else", "#pragma omp", "__syncthreads", "__syncwarp", "__shared__",    "<<<",
      "return", " = ",  " += ", " -= ",        " + ",           " - ",        " * ",           " / ",
      " % ",    " < ",  " <= ", " == ",        " != ",          " && ",       " || ",          " & ",
      " | ",    " ? ",  "!",    "most<",       "least<",        ",",          "polymend_rt::", "1"};
  return words;
}

/// The heads of a program and of its kernels and roles as they are, and what each body holds, counted.
std::string factsOf(const TileProgram &program) {
  std::istringstream lines(writeText(program));
  std::string result, body;
  const auto close = [&] {
    if (const std::string held = counted(body, wordsOfPrograms()); !held.empty()) result += "    " + held + "\n";
    body.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    const std::string words = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    const std::string first = words.substr(0, words.find(' '));
    static const std::set<std::string> heads = {"program", "given", "array",  "work",     "kernel",
                                                "role",    "tile",  "shared", "fragment", "row"};
    if (!heads.contains(first)) {
      if (first != "#") body += line + "\n";
      continue;
    }
    close();
    result += line + "\n";
  }
  close();
  return result;
}

/// The lines of the report on what mends, and on why nothing does; each once.
std::string mendedBy(const std::string &report) {
  std::istringstream lines(report);
  std::set<std::string> told;
  for (std::string line; std::getline(lines, line);)
    for (const char *key : {"\"pivot\": \"", "\"roundings\": [", "\"reason\": \"", "\"state\": [", "\"final\": \""})
      if (const auto at = line.find(key); at != std::string::npos) told.insert("  " + line.substr(at) + "\n");
  std::string result;
  for (const std::string &line : told) result += line;
  return result;
}

std::string factsOf(const std::string &heading) {
  PipelineOptions options = optionsOf(heading);
  std::string programs;
  options.beforeChecks = [&](const TileProgram &program) { programs += factsOf(program); };
  const PipelineOutcome outcome = transform(options);
  std::string result = "exit " + std::to_string(static_cast<int>(outcome.exitCode)) + ", remarks " +
                       std::to_string(outcome.diagnostics.size()) + "\n";
  for (const Diagnostic &d : outcome.diagnostics)
    result += "  line " + std::to_string(d.where.line) + ": " + d.message + "\n";
  result += "report: " +
            counted(outcome.report, {"\"algebraic\"", "\"memory\"", "\"refused\"", "\"relaxed\"", "privatised",
                                     "\"transformed\"", "\"left\""}) +
            "\n";
  result += mendedBy(outcome.report);
  result += programs;
  result +=
      "text: lines " + std::to_string(count(outcome.text, "\n")) + ", " + counted(outcome.text, wordsOfTexts()) + "\n";
  const std::string root = std::string(POLYMEND_SOURCE_DIR) + "/";
  for (auto at = result.find(root); at != std::string::npos; at = result.find(root, at)) result.erase(at, root.size());
  return result;
}

class Decisions : public testing::TestWithParam<Asked> {};

} // namespace

TEST_P(Decisions, AreThoseOfTheTable) {
  if (std::getenv("POLYMEND_ACCEPT")) GTEST_SKIP() << "the table is written anew";
  EXPECT_EQ(factsOf(GetParam().heading), GetParam().wanted) << GetParam().heading;
}

TEST(DecisionTable, IsWrittenAnewWhereThatIsAsked) {
  if (!std::getenv("POLYMEND_ACCEPT")) GTEST_SKIP() << "only with POLYMEND_ACCEPT=1";
  const auto before = readFile(table);
  std::string text = before ? *before : "";
  text = text.substr(0, text.find("== "));
  for (const Asked &each : asked()) text += "== " + each.heading + "\n" + factsOf(each.heading);
  EXPECT_FALSE(replaceFile(table, text));
}

INSTANTIATE_TEST_SUITE_P(Programs, Decisions, testing::ValuesIn(asked()), [](const auto &info) {
  std::string name = info.param.heading;
  for (const char *folder : {"tests/corpus/", "tests/classical/"})
    if (name.starts_with(folder)) name = name.substr(std::string(folder).size());
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});
