// A function of a source text on its way through the rooms, for tests of the rooms behind the parser.
#pragma once

#include "polymend/lower.h"
#include "polymend/plan.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

namespace polymend::tests {

/// One function up to its plan; the isl objects live as long as this value.
struct Analysed {
  IslContext context;
  FunctionTrace trace;
  [[nodiscard]] const Relaxed &relaxed() const { return *trace.relaxed; }
  [[nodiscard]] const Schedule &plan() const { return *trace.schedule; }
  [[nodiscard]] const System &system() const { return *trace.relaxed->system; }
  /// The index of the only equation that comes from `array` and satisfies `wanted`, or -1.
  [[nodiscard]] int equation(const std::string &array, bool reduction) const {
    int found = -1;
    for (std::size_t e = 0; e < system().equations.size(); ++e)
      if (system().equations[e].array == array && system().equations[e].monoid.has_value() == reduction)
        found = found < 0 ? static_cast<int>(e) : -2;
    return found;
  }
  [[nodiscard]] Result<TileProgram> lowered(const LowerOptions &options = {}) const {
    return lower(trace.function, *trace.scop, *trace.dependences, settled(relaxed(), plan()), plan(), options);
  }
};

struct AnalyseOptions {
  RelaxMode mode = RelaxMode::Auto;
  std::map<std::string, std::int64_t> tiles;
  int narrowFactors = 0;
  bool host = false;
  bool positions = false;
};

/// Takes the only function of a text through parse, model, deps, relax and schedule; a refusal fails the test.
inline Analysed analyse(const std::string &text, const AnalyseOptions &options = {}) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("input.cpp");
  EXPECT_FALSE(replaceFile(file, text));
  const ParseOutcome parsed = parse(file, {});
  Analysed result;
  result.context = makeIslContext();
  if (!parsed.nest || parsed.nest->functions.size() != 1) {
    ADD_FAILURE() << "the text is not one function that can be read";
    return result;
  }
  result.trace.function = parsed.nest->functions.front();
  ScheduleOptions order;
  order.tiles = options.tiles;
  order.mode = options.mode;
  order.narrowFactors = options.narrowFactors;
  order.host = options.host;
  const auto refusal =
      plan(result.trace, result.context, {options.mode, true, options.narrowFactors > 0, options.positions}, order);
  EXPECT_FALSE(refusal) << refusal->reason;
  return result;
}

/// The text of a file of the source tree.
inline std::string textOf(const std::string &path) {
  const auto text = readFile(std::string(POLYMEND_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(text) << path;
  return text ? *text : "";
}

inline isl::set setOf(const Analysed &analysed, const std::string &text) {
  return isl::manage(isl_set_read_from_str(analysed.context.get(), text.c_str()));
}

} // namespace polymend::tests
