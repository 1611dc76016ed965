// A maximum ignores minus infinity, and NaN where it is fmax; a sum ignores 0. An element that reads a finished
// reduction r is looked at for each class that r can have: either what is lost is neutral, or every element that is
// kept is NaN, and a row that keeps one comes to NaN with or without the rest (exp(-inf - r) with r = -inf: then every
// score of the row is -inf too, since r is their maximum, and exp(-inf + inf) is NaN). A row that would keep nothing is
// no such row. A sum cannot be 0 when it takes in what is positive where a maximum is attained.
#include "neutral.h"

#include "import.h"
#include "pair.h"
#include "polymend/classes.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polymend {
namespace {

using namespace classes;

constexpr std::size_t mostProducers = 3;

/// A finished reduction that the element reads.
struct Producer {
  Expr read;
  int index = 0;
  const Equation *equation = nullptr;
  Classes possible = Any;
  Expr element; // what it takes in at the consumer's point; absent: unknown
};

/// The literal that the accumulator starts from.
std::optional<double> startOf(const Equation &e) {
  Expr start = e.initial;
  double sign = 1;
  while (start && (start.op() == Op::Neg || start.op() == Op::Cast)) {
    if (start.op() == Op::Neg) sign = -sign;
    start = start.arg(0);
  }
  if (!start || (start.op() != Op::Real && start.op() != Op::Integer)) return std::nullopt;
  const double value = start.op() == Op::Real ? start->real : static_cast<double>(start->integer);
  return std::isnan(value) ? std::nullopt : std::optional(sign * value);
}

bool isExtreme(const Equation &e) { return e.monoid == Monoid::Max || e.monoid == Monoid::Min; }

/// A maximum that starts from a number is never NaN (by comparison: as assumed throughout), nor below its start.
Classes resultsOf(const Equation &e) {
  const auto start = isExtreme(e) ? startOf(e) : std::nullopt;
  if (!start) return Any;
  Classes result = Any & ~NaN;
  if (e.monoid == Monoid::Max && *start != -std::numeric_limits<double>::infinity()) result &= ~MinusInfinity;
  if (e.monoid == Monoid::Min && *start != INFINITY) result &= ~PlusInfinity;
  return result;
}

class Judge {
public:
  Judge(const System &all, int own, const isl::set &points, const isl::set &removed)
      : system(all), index(own), consumer(all.equations[static_cast<std::size_t>(own)]), rest(points), cut(removed),
        blockings(blockingPairs(all)) {}

  Neutrality run(const Expr &lost, const Expr &kept) {
    if (isExtreme(consumer)) return ofExtreme(lost);
    if (consumer.monoid != Monoid::Sum || !isFloating(consumer.type)) return {};
    collect(lost);
    collect(kept);
    if (producers.size() > mostProducers) return {};
    Neutrality found{true, {}};
    std::vector<Classes> chosen(producers.size(), NaN);
    do {
      if (!isPossible(chosen) || isZero(lost, chosen, Any) || !isReachable(chosen)) continue;
      if (everyRowKeepsOne() && classesOf(kept, knowing(chosen, Any, true)) == NaN) continue;
      if (!isZero(lost, chosen, Finite)) return {};
      found.finite = arraysIn(lost);
    } while (advance(chosen));
    return found;
  }

private:
  const System &system;
  int index;
  const Equation &consumer;
  const isl::set &rest, &cut;
  std::vector<Blocking> blockings;
  std::vector<Producer> producers;
  std::optional<bool> covered;

  [[nodiscard]] Neutrality ofExtreme(const Expr &lost) const {
    if (!isFloating(consumer.type)) return {};
    const Classes found = classesOf(lost, [](const Expr &) { return std::nullopt; });
    if (found == NaN && !consumer.comparison) return {true, {}};
    const Classes neutral = consumer.monoid == Monoid::Max ? MinusInfinity : PlusInfinity;
    return {startOf(consumer) && found == neutral, {}};
  }

  [[nodiscard]] const Producer *producerOf(const Expr &node) const {
    if (node.op() != Op::Read) return nullptr;
    for (const Producer &producer : producers)
      if (equal(producer.read, node)) return &producer;
    return nullptr;
  }

  void collect(const Expr &value) {
    visit(value, [&](const Expr &node) {
      if (node.op() != Op::Read || producerOf(node)) return;
      const Operand &operand = consumer.operands[static_cast<std::size_t>(node->access)];
      if (operand.equation < 0 || movesAlong(operand.map, consumer.keys, consumer.reduced())) return;
      const Equation &e = system.equations[static_cast<std::size_t>(operand.equation)];
      if (e.monoid) producers.push_back({node, operand.equation, &e, resultsOf(e), elementOf(operand.equation, e)});
    });
  }

  /// What the producer takes in at the consumer's point, if it runs over every point of `rest` as well.
  [[nodiscard]] Expr elementOf(int producer, const Equation &e) const {
    for (const Blocking &pair : blockings) {
      if (pair.consumer != index || pair.producer != producer) continue;
      const isl::map aligned = alignedInstances(system, pair).intersect_domain(rest);
      if (!rest.is_subset(aligned.intersect_range(e.domain).domain())) return {};
      std::vector<Expr> at(e.dims.size());
      for (unsigned p = 0; p < e.keys; ++p)
        at[p] = Expr::symbol(consumer.dims[static_cast<std::size_t>(pair.rows[p])], Type::Int64);
      for (unsigned c = 0; c < pair.alignment.size(); ++c)
        at[e.keys + pair.alignment[c]] = Expr::symbol(consumer.dims[consumer.keys + c], Type::Int64);
      Equation moved = shell(consumer);
      moved.value = import(e.value, e, at, aligned, moved);
      const auto canonical = [&](const Expr &read, const Operand &operand, Equation &to) {
        return readOf(read, operand, to, system);
      };
      return rebuild(moved, canonical).value;
    }
    return {};
  }

  [[nodiscard]] bool isPossible(const std::vector<Classes> &chosen) const {
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if ((chosen[k] & producers[k].possible) == 0) return false;
    return true;
  }

  /// Can every sum come out as chosen, given the element at which an extreme that it reads is attained?
  bool isReachable(const std::vector<Classes> &chosen) {
    for (std::size_t s = 0; s < producers.size(); ++s)
      for (std::size_t x = 0; x < producers.size(); ++x)
        if (isAttainedWithin(x, s) && (chosen[s] & sumsGiven(chosen, s, x)) == 0) return false;
    return true;
  }

  /// Is producer x an extreme of its elements alone, and does the sum s run over each of them?
  bool isAttainedWithin(std::size_t x, std::size_t s) {
    const Equation &extreme = *producers[x].equation, &sum = *producers[s].equation;
    if (!isExtreme(extreme) || sum.monoid != Monoid::Sum || !producers[x].element || !producers[s].element)
      return false;
    if (startOf(extreme) != neutral(*extreme.monoid, Type::Float64)->real || startOf(sum) != 0.0 || !everyRowKeepsOne())
      return false;
    const isl::map toExtreme = alignedWith(producers[x].index), toSum = alignedWith(producers[s].index);
    return extreme.domain.is_subset(toExtreme.reverse().apply_range(toSum.intersect_range(sum.domain)).domain());
  }

  [[nodiscard]] isl::map alignedWith(int producer) const {
    const auto pair = std::find_if(blockings.begin(), blockings.end(),
                                   [&](const Blocking &b) { return b.consumer == index && b.producer == producer; });
    return alignedInstances(system, *pair);
  }

  /// Classes of sum s: one element has `element - extreme` zero, any number of others are arbitrary.
  [[nodiscard]] Classes sumsGiven(const std::vector<Classes> &chosen, std::size_t s, std::size_t x) const {
    const auto usual = knowing(chosen, Any, true);
    const auto attained = [&](const Expr &node) -> std::optional<Classes> {
      const bool difference =
          node.op() == Op::Sub && equal(node.arg(0), producers[x].element) && equal(node.arg(1), producers[x].read);
      return difference && (chosen[x] & Finite) ? std::optional(Zero) : usual(node);
    };
    Classes total = classesOf(producers[s].element, attained);
    const Classes others = classesOf(producers[s].element, usual);
    for (Classes before = 0; before != total;) {
      before = total;
      total |= sumOf(total, others);
    }
    return total;
  }

  /// The next choice of one class for each producer.
  static bool advance(std::vector<Classes> &chosen) {
    for (Classes &one : chosen) {
      one = one == PlusInfinity ? NaN : one << 1;
      if (one != NaN) return true;
    }
    return false;
  }

  /// Classes of reads when each producer has the chosen class and arrays hold `other`; an extreme that came out as the
  /// neutral value took in nothing else (or NaN, which it ignores).
  [[nodiscard]] std::function<std::optional<Classes>(const Expr &)> knowing(const std::vector<Classes> &chosen,
                                                                            Classes other, bool isKept) const {
    return [this, &chosen, other, isKept](const Expr &node) -> std::optional<Classes> {
      for (std::size_t k = 0; k < producers.size(); ++k) {
        const Producer &producer = producers[k];
        if (equal(node, producer.read)) return chosen[k];
        if (!isKept || !producer.element || !isExtreme(*producer.equation)) continue;
        const Classes neutral = producer.equation->monoid == Monoid::Max ? MinusInfinity : PlusInfinity;
        if (chosen[k] == neutral && equal(node, producer.element)) return neutral | NaN;
      }
      if (node.op() == Op::Read && isFloating(node.type())) return other;
      return std::nullopt;
    };
  }

  [[nodiscard]] bool isZero(const Expr &value, const std::vector<Classes> &chosen, Classes other) const {
    return classesOf(value, knowing(chosen, other, false)) == Zero;
  }

  bool everyRowKeepsOne() {
    const auto rows = [&](const isl::set &points) { return projectOut(points, consumer.keys, consumer.reduced()); };
    if (!covered) covered = rows(cut).is_subset(rows(rest));
    return *covered;
  }

  [[nodiscard]] std::set<std::string> arraysIn(const Expr &value) const {
    std::set<std::string> names;
    visit(value, [&](const Expr &node) {
      if (node.op() != Op::Read || producerOf(node)) return;
      const Operand &operand = consumer.operands[static_cast<std::size_t>(node->access)];
      names.insert(operand.equation < 0 ? operand.array
                                        : system.equations[static_cast<std::size_t>(operand.equation)].array);
    });
    return names;
  }
};

} // namespace

Neutrality neutrality(const System &system, int index, const Expr &lost, const Expr &kept, const isl::set &rest,
                      const isl::set &cut) {
  return Judge(system, index, rest, cut).run(lost, kept);
}

} // namespace polymend
