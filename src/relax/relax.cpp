// Lifts the function to equations, finds the reductions that wait for a finished reduction over an aligned loop, asks
// algebra about each, and passes a verdict on every dependence of the source. What has no proof is refused.
#include "polymend/relax.h"

#include "as_written.h"
#include "ask.h"
#include "coalesce.h"
#include "constant_pivot.h"
#include "distribute.h"
#include "lift.h"
#include "pair.h"
#include "plain_neutrals.h"
#include "positions.h"
#include "products_apart.h"
#include "reindex.h"
#include "simplify.h"
#include "step_by_step.h"
#include "unmask.h"
#include "written_nan.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <sstream>

namespace polymend {
namespace {

bool contains(const std::vector<int> &list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<int> statementsOf(const Equation &e) {
  std::vector<int> all = e.twins;
  all.push_back(e.statement);
  return all;
}

/// The source statements that lie between a completed producer and the consumer: element-wise ones fed by it.
std::vector<int> fedBy(const Dependences &deps, const Equation &producer, const Equation &consumer) {
  std::vector<int> reached = statementsOf(producer);
  for (bool grew = true; grew;) {
    grew = false;
    for (const Dependence &edge : deps.edges)
      if (edge.kind == Dependence::Kind::Flow && contains(reached, edge.from) && contains(consumer.through, edge.to) &&
          !contains(reached, edge.to)) {
        reached.push_back(edge.to);
        grew = true;
      }
  }
  return reached;
}

std::size_t commonLoops(const Scop &scop, int a, int b) {
  const std::vector<std::string> &one = scop.statements[static_cast<std::size_t>(a)].iterators,
                                 &other = scop.statements[static_cast<std::size_t>(b)].iterators;
  return static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first -
                                  one.begin());
}

/// The source edges that fusing drops: from a completed producer, or what is computed from it on the way, to what
/// stands in a loop of the consumer that is not around the producer. Within such a loop values are used where they are.
std::vector<std::size_t> enteringEdges(const Scop &scop, const Dependences &deps, const Equation &producer,
                                       const Equation &consumer) {
  const std::vector<int> reached = fedBy(deps, producer, consumer), targets = statementsOf(consumer),
                         from = statementsOf(producer);
  const std::size_t around = commonLoops(scop, producer.statement, consumer.statement);
  const auto isInside = [&](int statement) {
    return !contains(from, statement) && commonLoops(scop, statement, consumer.statement) > around;
  };
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < deps.edges.size(); ++k) {
    const Dependence &edge = deps.edges[k];
    const bool enters = contains(targets, edge.to) || (contains(reached, edge.to) && isInside(edge.to));
    if (edge.kind == Dependence::Kind::Flow && contains(reached, edge.from) && !isInside(edge.from) && enters &&
        !edge.reduction)
      result.push_back(k);
  }
  return result;
}

class Relaxer {
public:
  Relaxer(const Scop &source, const Dependences &dependences, const RelaxOptions &chosen)
      : scop(source), deps(dependences), options(chosen) {}

  /// The function keeps its order.
  Relaxed refused(const Refusal &why) {
    labelSelfEdges();
    result.why = why;
    return result;
  }

  Relaxed run() {
    labelSelfEdges();
    if (const Statement *descending = options.algebraic ? nullptr : summedBackwards()) {
      result.why = {"the elements of '" + descending->write.array + "' are taken in descending order",
                    descending->where};
      return result;
    }
    const auto steps = options.algebraic ? Result<Dependences>(deps) : stepByStep(scop, deps);
    if (!steps) {
      result.why = steps.refusal();
      return result;
    }
    auto lifted = lift(scop, *steps, options.algebraic);
    if (!lifted) {
      result.why = lifted.refusal();
      return result;
    }
    result.system = simplified(*lifted, options.algebraic);
    if (const auto refusal = options.algebraic ? comparesWrittenNaN(scop, deps, *result.system) : std::nullopt) {
      result.system.reset();
      result.why = *refusal;
      return result;
    }
    if (options.algebraic) result.system = withPlainNeutrals(*result.system);
    if (options.algebraic) alignReductions(*result.system);
    if (options.algebraic && options.positions) result.positions = takePositions(*result.system, scop.assumptions);
    if (options.algebraic) restrictToMasks();
    if (options.algebraic && options.positions && !result.positions) // where a condition leaves out what is no element
      result.positions = takePositions(*result.system, scop.assumptions);
    if (options.algebraic) result.system = withProductsApart(*result.system);
    if (options.algebraic) distribute();
    if (options.algebraic && options.coalesce && !result.positions) result.joined = coalesce(scop, *result.system);
    assumeNoNaN();
    const std::vector<Blocking> pairs = blockingPairs(*result.system);
    for (std::size_t c = 0; c < result.system->equations.size(); ++c) judge(static_cast<int>(c), pairs);
    result.constantPivots = findConstantPivots(result);
    return result;
  }

private:
  const Scop &scop;
  const Dependences &deps;
  const RelaxOptions &options;
  Relaxed result;

  [[nodiscard]] const Equation &equation(int index) const {
    return result.system->equations[static_cast<std::size_t>(index)];
  }

  /// A reduction whose chains do not run upwards in the loop variables: its order would be turned around.
  [[nodiscard]] const Statement *summedBackwards() const {
    for (const Reduction &reduction : deps.reductions)
      for (const auto &[writer, map] : deps.sourcesOf(reduction.statement, reduction.selfRead).from) {
        if (writer != reduction.statement) continue;
        const isl::map upwards = isl::manage(isl_map_lex_gt(isl_set_get_space(map.domain().get())));
        if (!map.is_subset(upwards)) return &scop.statements[static_cast<std::size_t>(writer)];
      }
    return nullptr;
  }

  void labelSelfEdges() {
    result.verdicts.resize(deps.edges.size());
    for (std::size_t k = 0; k < deps.edges.size(); ++k) {
      if (deps.edges[k].reduction && options.algebraic) result.verdicts[k].label = Label::Algebraic;
      if (deps.edges[k].privatised) result.verdicts[k].reason = "privatised";
    }
  }

  void restrictToMasks() {
    const Unmasked smaller = unmasked(scop, *result.system);
    result.system = smaller.system;
    result.assumptions = smaller.assumptions;
  }

  void distribute() {
    const Distributed next = distributed(scop, *result.system);
    const bool grew = next.system.equations.size() > result.system->equations.size();
    result.system = grew ? simplified(next.system, options.algebraic) : next.system;
    result.assumptions.insert(result.assumptions.end(), next.assumptions.begin(), next.assumptions.end());
  }

  void assumeNoNaN() {
    for (const Equation &e : result.system->equations) {
      if (!e.monoid || !e.comparison || !options.algebraic || !isFloating(e.type)) continue;
      const SourceRange &where = scop.statements[static_cast<std::size_t>(e.statement)].where;
      std::ostringstream text;
      text << "no NaN in " << e.array << " (comparison-based " << (*e.monoid == Monoid::Max ? "maximum" : "minimum")
           << " at " << where.file << ":" << where.line << ":" << where.column << ")";
      result.assumptions.push_back(text.str());
    }
  }

  /// Does anything but a copy read the equation's values? It may hold the same terms, rounded as in the source.
  [[nodiscard]] bool isReadAgain(int equation) const {
    return std::ranges::any_of(result.system->equations, [&](const Equation &reader) {
      return reader.value.op() != Op::Read &&
             std::ranges::any_of(reader.operands, [&](const Operand &operand) { return operand.equation == equation; });
    });
  }

  void judge(int consumer, const std::vector<Blocking> &pairs) {
    std::vector<Blocking> own;
    for (const Blocking &pair : pairs)
      if (pair.consumer == consumer) own.push_back(pair);
    if (own.empty()) return;
    if (!options.algebraic || options.mode == RelaxMode::None) return;
    const Question question = ask(scop, *result.system, consumer, pairs, result.fused);
    if (!question.unknown.empty()) return refuse(own, consumer, question.unknown);
    auto corrections = deriveAsWritten(question.candidate);
    if (!corrections) return refuse(own, consumer, corrections.refusal().reason);
    std::erase_if(*corrections, [](const Correction &c) { return c.counted; });
    if (corrections->empty())
      return refuse(own, consumer, "every correction needs the number of elements, which no loop carries yet");
    if (isReadAgain(consumer)) std::erase_if(*corrections, [](const Correction &c) { return !c.asSource; });
    if (corrections->empty())
      return refuse(own, consumer,
                    "its correction rounds otherwise than the source, and what reads it computes it again");
    result.mended.push_back({consumer, question.producers, question.names, question.candidate, corrections->front()});
    result.fused.insert(result.fused.end(), own.begin(), own.end());
    for (const Blocking &pair : own)
      for (std::size_t k : enteringEdges(scop, deps, equation(pair.producer), equation(consumer)))
        result.verdicts[k] = {Verdict::Corrected, Label::Algebraic, static_cast<int>(result.mended.size()) - 1, ""};
  }

  void refuse(const std::vector<Blocking> &pairs, int consumer, const std::string &reason) {
    for (const Blocking &pair : pairs)
      for (std::size_t k : enteringEdges(scop, deps, equation(pair.producer), equation(consumer)))
        result.verdicts[k] = {Verdict::Refused, Label::Exact, -1, reason};
  }
};

/// Do products read elements whose place in a row is an extreme or a choice? Where several loops' places are, isl has
/// that many more pieces to look at, until loops run over positions.
bool seesPushedWindows(const Scop &scop) {
  bool found = false;
  for (const Statement &s : scop.statements)
    visit(s.value, [&](const Expr &read) {
      if (read.op() != Op::Read || !isNarrow(read.type())) return;
      for (const Expr &subscript : read->args)
        visit(subscript, [&](const Expr &node) {
          found = found || node.op() == Op::Select || node.op() == Op::Min || node.op() == Op::Max;
        });
    });
  return found;
}

} // namespace

Relaxed relax(const Scop &scop, const Dependences &dependences, const RelaxOptions &options) {
  Relaxed result;
  std::string what;
  const bool windows = options.positions && options.algebraic && seesPushedWindows(scop);
  const auto run = [&] { result = Relaxer(scop, dependences, options).run(); };
  if (capped(scop.context, run, what, (windows ? 8 : 1) * islOperationCap)) return result;
  return Relaxer(scop, dependences, options)
      .refused({"which value is read where has too many cases: " + what, scop.statements.front().where});
}

std::string dump(const Relaxed &relaxed) {
  std::ostringstream out;
  if (!relaxed.system) {
    out << "kept in source order: " << relaxed.why.reason << "\n";
    return out.str();
  }
  for (const Equation &e : relaxed.system->equations) {
    out << e.name << "[";
    for (unsigned k = 0; k < e.keys; ++k) out << (k ? ", " : "") << e.dims[k];
    out << "] = ";
    if (e.monoid) {
      out << show(e.initial) << " " << spell(*e.monoid) << " over ";
      for (unsigned k = e.keys; k < e.dims.size(); ++k) out << e.dims[k] << " ";
      out << "of ";
    }
    out << show(e.value) << "\n    on " << e.domain << "\n";
    for (const Store &store : e.stores) out << "    stored " << store.map << "\n";
  }
  for (const Mended &m : relaxed.mended) {
    out << "mended " << relaxed.system->equations[static_cast<std::size_t>(m.consumer)].name << ": state";
    for (const Expr &state : m.correction.state) out << " " << show(state) << ";";
    for (const auto &row : m.correction.mend)
      for (const Expr &entry : row) out << " mend " << show(entry) << ";";
    out << " final " << show(m.correction.final) << "\n";
  }
  for (const ConstantPivot &s : relaxed.constantPivots)
    out << "constant pivot " << relaxed.system->equations[static_cast<std::size_t>(s.producer)].name
        << ": elements in [" << s.range.low << ", " << s.range.high << "], " << s.value << " for it\n";
  return out.str();
}

} // namespace polymend
