// Runs with their errors arrive, verdicts leave.
//
// note [contract]: over the runs of one kind of data the largest error of the result may be twice the largest of the
// original, and no element may be wrong by more than a few dozen units beyond what the original is wrong by; a few
// units are allowed where the original was lucky, and where it is off by hundreds its own error in one run says little.
// Units: see run_compare.cpp. Text whose wide form does not compile is measured against the original itself, with twice
// the allowance.
#include "run.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace polymend {

namespace {

constexpr double allowance = 48, luck = 16, noise = 256;
constexpr std::int64_t fewElements = 32;

/// The original's largest errors over all runs of a kind.
struct Population {
  double units = 0, share = 0;
};

/// What is wrong with the errors of a run, or nothing (note [contract]).
std::string excess(const CheckRun &run, const Population &population, bool hasReference, double rounding) {
  const bool saysLittle = run.elements < fewElements || population.units > noise;
  const double own = saysLittle ? population.units : run.errorOriginal;
  const double factor = hasReference ? 1 : 2;
  const double limit = std::min(2 * own + factor * allowance, 2 * population.units + factor * luck);
  const double share = 2 * population.share + 4 * std::sqrt(rounding);
  // Roundings to 16 bits inside a sum, and errors of the original as large as the element, decide what is nearly zero.
  constexpr double coarse = 0x1p-16;
  const bool sharesTell = population.share < 0.5 && rounding < coarse;
  std::ostringstream text;
  text.precision(3);
  if (!(run.errorResult <= limit))
    text << "the largest error is " << run.errorResult << " units, allowed are " << limit;
  else if (sharesTell && !(run.shareResult <= share))
    text << "an element is off by " << run.shareResult << " of itself, allowed are " << share;
  return text.str();
}

} // namespace

double roundingOf(const CheckedFunction &checked) {
  double rounding = 0x1p-53;
  for (const Array &array : checked.function.arrays) {
    if (array.type == Type::Float32) rounding = std::max(rounding, 0x1p-24);
    if (isNarrow(array.type)) rounding = std::max(rounding, array.type == Type::BFloat16 ? 0x1p-9 : 0x1p-12);
  }
  return rounding;
}

void judge(CheckTable &table, const CheckRequest &request, bool hasReference) {
  std::map<std::pair<std::string, std::string>, Population> populations;
  std::map<std::string, double> rounding;
  for (const CheckedFunction &checked : request.functions) rounding[checked.function.name] = roundingOf(checked);
  for (const CheckRun &run : table.runs) {
    Population &population = populations[{run.function, run.data}];
    population.units = std::max(population.units, run.errorOriginal);
    population.share = std::max(population.share, run.shareOriginal);
  }
  for (CheckRun &run : table.runs) {
    const std::string beyond = excess(run, populations[{run.function, run.data}], hasReference, rounding[run.function]);
    if (!beyond.empty() && (run.what.empty() || run.assumed)) {
      run.what = beyond;
      run.assumed = false;
    }
    run.agrees = run.what.empty();
  }
}

} // namespace polymend
