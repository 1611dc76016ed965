// A product's computed factor becomes a map equation, which the kernel that has computed what it reads stores as
// another phase over its rows; the product reads it. So does what all rows of a sum share, in a kernel of its own if it
// must be. The stored type is the one that the source rounds to, so values are the same. Tried one by one: what the
// grouping does not seat so stays as it is.
#include "computed_factor.h"
#include "group.h"
#include "known_values.h"

#include <algorithm>

namespace polymend {
namespace {

/// Every index of an equation that is `from` or more grows by one.
void makeRoom(Relaxed &relaxed, int from) {
  const auto move = [&](int &index) { index += index >= from; };
  for (Equation &e : relaxed.system->equations)
    for (Operand &operand : e.operands) move(operand.equation);
  for (Blocking &pair : relaxed.fused) {
    move(pair.producer);
    move(pair.consumer);
  }
  for (Mended &mended : relaxed.mended) {
    move(mended.consumer);
    for (int &producer : mended.producers) move(producer);
  }
  for (ConstantPivot &pivot : relaxed.constantPivots) {
    move(pivot.producer);
    move(pivot.scale);
  }
}

/// Leaves out correction m, whose consumer runs in a kernel of its own.
void dropCorrection(Relaxed &relaxed, int m) {
  const int consumer = relaxed.mended[static_cast<std::size_t>(m)].consumer;
  relaxed.mended.erase(relaxed.mended.begin() + m);
  std::erase_if(relaxed.fused, [&](const Blocking &pair) { return pair.consumer == consumer; });
  for (EdgeVerdict &verdict : relaxed.verdicts) {
    if (verdict.mended == m)
      verdict = {Verdict::Kept, Label::Exact, -1, "a product of matrices runs in a kernel of its own"};
    verdict.mended -= verdict.mended > m;
  }
  for (ConstantPivot &pivot : relaxed.constantPivots)
    for (int &mended : pivot.mended) mended -= mended > m;
}

/// The correction of an equation, -1: it has none.
int correctionOf(const Relaxed &relaxed, int e) {
  const auto own =
      std::find_if(relaxed.mended.begin(), relaxed.mended.end(), [&](const Mended &m) { return m.consumer == e; });
  return own == relaxed.mended.end() ? -1 : static_cast<int>(own - relaxed.mended.begin());
}

/// The number of the kernel, and how many phases come before the equation's.
std::pair<std::size_t, std::size_t> seatOf(const Grouping &grouping, int e) {
  for (std::size_t k = 0; k < grouping.kernels.size(); ++k)
    for (std::size_t p = 0; p < grouping.kernels[k].phases.size(); ++p)
      for (const Member &member : grouping.kernels[k].phases[p].members)
        if (member.equation == e) return {k, p};
  return {grouping.kernels.size(), 0};
}

class FactorStore {
public:
  FactorStore(const Relaxed &source, const ScheduleOptions &chosen) : result(source), options(chosen) {}

  Relaxed run() {
    if (!result.system) return result;
    for (int e = 0; e < static_cast<int>(result.system->equations.size()); ++e)
      while (storeOne(e)) {
      }
    return result;
  }

private:
  Relaxed result;
  const ScheduleOptions &options;
  std::vector<int> stored; // equations

  [[nodiscard]] const Equation &at(int e) const { return result.system->equations[static_cast<std::size_t>(e)]; }

  /// Is the correction one of those that a constant pivot may serve?
  [[nodiscard]] bool mayHaveConstantPivot(int correction) const {
    return std::any_of(result.constantPivots.begin(), result.constantPivots.end(), [&](const ConstantPivot &pivot) {
      return std::find(pivot.mended.begin(), pivot.mended.end(), correction) != pivot.mended.end();
    });
  }

  /// Does a correction stand at the equation, or one move with it?
  [[nodiscard]] bool isPartOfMend(int e) const {
    return std::ranges::any_of(result.mended, [&](const Mended &mended) {
      return mended.consumer == e || std::ranges::find(mended.producers, e) != mended.producers.end();
    });
  }

  /// Stores the first value of equation e that can be and is worth it; e is the equation's index, before and after.
  bool storeOne(int &e) {
    if (options.narrowFactors != 0)
      for (const ComputedFactor &factor : computedFactors(at(e), options))
        if (isCheaperStored(at(e), factor) && store(e, factor, true)) return true;
    if (isPartOfMend(e)) return false;
    if (!options.host && readStoredFactor(e)) return true;
    const std::vector<ComputedFactor> terms = sharedTerms(at(e));
    return std::ranges::any_of(terms,
                               [&](const ComputedFactor &term) { return readKnown(e, term) || store(e, term, false); });
  }

  /// Reads what another equation before it computes anyway.
  bool readKnown(int e, const ComputedFactor &term) {
    for (int other = 0; other < e; ++other)
      if (readInstead(*result.system, e, term, other)) return true;
    return false;
  }

  /// Reads factors that another equation stores anyway and that the product would compute again along another key.
  bool readStoredFactor(int e) {
    for (const ComputedFactor &factor : repeatedFactors(at(e)))
      for (int other = 0; other < e; ++other)
        if (!at(other).stores.empty() && readInstead(*result.system, e, factor, other)) return true;
    return false;
  }

  /// In an equation of its own, or in one that is stored already; `withRow`: where a kernel has its row anyway.
  bool store(int &e, const ComputedFactor &factor, bool withRow) {
    const int correction = correctionOf(result, e);
    if (mayHaveConstantPivot(correction)) return false;
    const Equation own = asEquation(at(e), factor, std::to_string(stored.size()));
    std::optional<Equation> both;
    const auto known = std::find_if(stored.begin(), stored.end(),
                                    [&](int other) { return (both = united(at(other), own)).has_value(); });
    Relaxed next = result;
    if (correction >= 0) dropCorrection(next, correction);
    const int index = both ? *known : e, product = both ? e : e + 1;
    auto &equations = next.system->equations;
    if (both) {
      equations[static_cast<std::size_t>(index)] = *both;
    } else {
      makeRoom(next, e);
      equations.insert(equations.begin() + e, own);
    }
    readStored(equations[static_cast<std::size_t>(product)], factor, equations[static_cast<std::size_t>(index)], index);
    const Grouping grouping = group(next, options);
    const auto [kernel, phase] = seatOf(grouping, index);
    if ((withRow && phase == 0) || kernel >= seatOf(grouping, product).first) return false;
    result = next;
    if (!both) stored.push_back(index);
    e = product;
    return true;
  }
};

} // namespace

Relaxed withStoredFactors(const Relaxed &relaxed, const ScheduleOptions &options) {
  return FactorStore(relaxed, options).run();
}

} // namespace polymend
