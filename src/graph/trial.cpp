// A correction on six numbers: the formulas that were derived and proved are evaluated as the tile interpreter
// evaluates expressions, but that nothing is rounded to a narrower type, beside the same sum never mended and beside
// the source's two passes. At a constant pivot nothing moves, and there is nothing to show.
#include "parts.h"

#include "tile/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace polymend::graph_room {

namespace {

using tile::Number;
using Role = AlgebraSymbol::Role;

/// Their running maximum moves three times, their running minimum twice.
constexpr std::array<double, 6> six{1.0, 0.5, 2.0, 1.5, 3.0, 0.25};

double combine(Monoid monoid, double a, double b) {
  switch (monoid) {
  case Monoid::Sum: return a + b;
  case Monoid::Product: return a * b;
  case Monoid::Max: return std::fmax(a, b);
  case Monoid::Min: return std::fmin(a, b);
  }
  return a;
}

double neutralOf(Monoid monoid) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  switch (monoid) {
  case Monoid::Sum: return 0;
  case Monoid::Product: return 1;
  case Monoid::Max: return -infinite;
  case Monoid::Min: return infinite;
  }
  return 0;
}

/// Without conversions between floating types.
Expr overReals(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    const bool rounds = node.op() == Op::Cast && isFloating(node.type()) && isFloating(node.arg(0).type());
    return rounds ? node.arg(0) : node;
  });
}

class Run {
public:
  Run(const Mended &from, std::string array, int index) : mended(from) {
    trial.mended = index;
    trial.array = std::move(array);
    note(mended.candidate.element);
    for (const AlgebraSymbol &symbol : mended.candidate.symbols)
      if (symbol.element) note(symbol.element);
    for (const Expr &state : correction().state) note(state);
    note(correction().final);
  }

  Trial trialOf() {
    for (const AlgebraSymbol &symbol : mended.candidate.symbols) {
      if (symbol.role != Role::Producer) continue;
      if (!symbol.element) return without("'" + symbol.name + "' takes other elements than '" + trial.array + "'");
      if (!isPlain(symbol)) return without("'" + symbol.name + "' waits for another value itself");
    }
    for (std::size_t k = 0; k < six.size(); ++k) take(k);
    finish();
    const bool isSound = !environment.fault && std::isfinite(trial.result) && std::isfinite(trial.expected);
    return isSound ? trial : without("its formulas are not finite there");
  }

private:
  [[nodiscard]] const Correction &correction() const { return mended.correction; }

  [[nodiscard]] bool isPlain(const AlgebraSymbol &producer) const {
    if (!producer.element) return false;
    const std::set<std::string> used = symbols(producer.element);
    return std::all_of(used.begin(), used.end(), [&](const std::string &name) {
      return std::any_of(mended.candidate.symbols.begin(), mended.candidate.symbols.end(),
                         [&](const auto &symbol) { return symbol.name == name && symbol.role != Role::Producer; });
    });
  }

  [[nodiscard]] Trial without(const std::string &why) const { return {trial.mended, trial.array, why, {}}; }

  static double signedAs(const Signs &signs, double value) { return signs.positive ? value : -value; }

  /// Which symbols are whole numbers.
  void note(const Expr &e) {
    visit(e, [&](const Expr &node) {
      if (node.op() == Op::Symbol && isInteger(node.type())) whole.insert(node->name);
    });
  }

  void set(const std::string &name, double value) {
    environment.scalars[name] =
        whole.contains(name) ? Number::whole(static_cast<std::int64_t>(value)) : Number::real(value);
  }

  /// Sets elements and parameters to those of element k.
  void draw(std::size_t k, TrialStep *step) {
    std::size_t offset = 0;
    for (const AlgebraSymbol &symbol : mended.candidate.symbols) {
      if (symbol.role == Role::Producer) continue;
      if (symbol.role == Role::Parameter) {
        set(symbol.name, symbol.natural ? six.size() : signedAs(symbol.signs, 0.5));
        continue;
      }
      const double value = signedAs(symbol.signs, six[(k + offset) % six.size()]);
      offset += 2;
      set(symbol.name, value);
      if (step) step->elements[symbol.name] = value;
    }
  }

  double value(const Expr &e) { return tile::evaluate(overReals(e), environment).asReal(); }

  void take(std::size_t k) {
    TrialStep step;
    draw(k, &step);
    for (const AlgebraSymbol &symbol : mended.candidate.symbols) {
      if (symbol.role != Role::Producer) continue;
      const double old = k ? running[symbol.name] : neutralOf(symbol.monoid);
      running[symbol.name] = combine(symbol.monoid, old, value(symbol.element));
      set(symbol.name, k ? old : running[symbol.name]);
      set(symbol.name + "'", running[symbol.name]);
      step.producers[symbol.name] = running[symbol.name];
    }
    set("#n", static_cast<double>(k));
    step.before =
        carried.empty() ? std::vector<double>(correction().state.size(), neutralOf(correction().carry)) : carried;
    step.after = k && correction().moves ? mendedState(step.before) : step.before;
    for (const auto &[name, now] : running) set(name, now);
    if (unmended.empty()) unmended = step.before;
    for (std::size_t i = 0; i < correction().state.size(); ++i) {
      const double element = value(correction().state[i]);
      step.taken.push_back(combine(correction().carry, step.after[i], element));
      unmended[i] = combine(correction().carry, unmended[i], element);
    }
    step.unmended = unmended;
    carried = step.taken;
    trial.steps.push_back(step);
  }

  std::vector<double> mendedState(const std::vector<double> &old) {
    std::vector<double> result;
    for (const std::vector<Expr> &row : correction().mend) {
      double sum = 0;
      for (std::size_t j = 0; j < row.size(); ++j) sum += value(row[j]) * old[j];
      result.push_back(sum);
    }
    return result;
  }

  double finished(const std::vector<double> &states) {
    for (std::size_t i = 0; i < states.size(); ++i) set("#" + std::to_string(i), states[i]);
    set("#n", static_cast<double>(six.size()));
    return value(correction().final);
  }

  /// As the source does: each element with the finished producers.
  void finish() {
    trial.result = finished(carried);
    trial.unmended = finished(unmended);
    trial.expected = neutralOf(mended.candidate.monoid);
    for (std::size_t k = 0; k < six.size(); ++k) {
      draw(k, nullptr);
      trial.expected = combine(mended.candidate.monoid, trial.expected, value(mended.candidate.element));
    }
  }

  const Mended &mended;
  Trial trial;
  tile::Environment environment;
  std::map<std::string, double> running;
  std::vector<double> carried, unmended;
  std::set<std::string> whole;
};

} // namespace

std::vector<Trial> trialsOf(const FunctionTrace &trace) {
  std::vector<Trial> trials;
  if (!trace.relaxed || !trace.relaxed->system) return trials;
  for (std::size_t k = 0; k < trace.relaxed->mended.size(); ++k) {
    const Mended &mended = trace.relaxed->mended[k];
    const Equation &consumer = trace.relaxed->system->equations[static_cast<std::size_t>(mended.consumer)];
    const int index = static_cast<int>(k);
    if (constantPivotOfConsumer(*trace.relaxed, index))
      trials.push_back({index, consumer.array, "the pivot is a constant, so that nothing moves", {}});
    else
      trials.push_back(Run(mended, consumer.array, index).trialOf());
  }
  return trials;
}

} // namespace polymend::graph_room
