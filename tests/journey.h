// A function of a source text on its way through the rooms, for tests of the rooms behind the parser.
#pragma once

#include "polymend/account.h"
#include "polymend/lower.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

namespace polymend::tests {

/// One function up to its plan; the isl objects live as long as this value.
struct Travelled {
  IslContext context;
  Passage passage;
  [[nodiscard]] const Relaxed &relaxed() const { return *passage.relaxed; }
  [[nodiscard]] const Schedule &plan() const { return *passage.schedule; }
  [[nodiscard]] const System &system() const { return *passage.relaxed->system; }
  /// The index of the only equation that comes from `array` and satisfies `wanted`, or -1.
  [[nodiscard]] int equation(const std::string &array, bool reduction) const {
    int found = -1;
    for (std::size_t e = 0; e < system().equations.size(); ++e)
      if (system().equations[e].array == array && system().equations[e].monoid.has_value() == reduction)
        found = found < 0 ? static_cast<int>(e) : -2;
    return found;
  }
  [[nodiscard]] Result<TileProgram> lowered() const {
    return lower(passage.function, *passage.scop, *passage.dependences, settled(relaxed(), plan()), plan(), {});
  }
};

struct TravelOptions {
  RelaxMode mode = RelaxMode::Auto;
  std::map<std::string, std::int64_t> tiles;
  int narrowFactors = 0;
};

/// Takes the only function of a text through parse, model, deps, relax and schedule; a refusal fails the test.
inline Travelled travel(const std::string &text, const TravelOptions &options = {}) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("input.cpp");
  EXPECT_FALSE(replaceFile(file, text));
  const ParseOutcome parsed = parse(file, {});
  Travelled result;
  result.context = makeIslContext();
  if (!parsed.nest || parsed.nest->functions.size() != 1) {
    ADD_FAILURE() << "the text is not one function that can be read";
    return result;
  }
  result.passage.function = parsed.nest->functions.front();
  const auto scop = model(result.passage.function, result.context);
  if (!scop) ADD_FAILURE() << scop.refusal().reason;
  if (!scop) return result;
  result.passage.scop = *scop;
  const auto dependences = analyse(*scop);
  EXPECT_TRUE(dependences);
  result.passage.dependences = *dependences;
  result.passage.relaxed = relax(*scop, *dependences, {options.mode, true, options.narrowFactors > 0});
  ScheduleOptions chosen;
  chosen.tiles = options.tiles;
  chosen.mode = options.mode;
  chosen.narrowFactors = options.narrowFactors;
  result.passage.relaxed = withStoredFactors(*result.passage.relaxed, chosen);
  result.passage.schedule = schedule(*scop, *dependences, *result.passage.relaxed, chosen);
  return result;
}

/// The text of a file of the source tree.
inline std::string textOf(const std::string &path) {
  const auto text = readFile(std::string(POLYMEND_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(text) << path;
  return text ? *text : "";
}

inline isl::set setOf(const Travelled &travelled, const std::string &text) {
  return isl::manage(isl_set_read_from_str(travelled.context.get(), text.c_str()));
}

} // namespace polymend::tests
