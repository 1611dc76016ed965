// The corrected program in words: kernels, phases and what runs in them, as the schedule plans it.
#include "parts.h"

#include <algorithm>

namespace polymend::graph_room {

namespace {

/// A loop's name without the number that makes it unique.
std::string plain(const std::string &loop, const Scop &scop) {
  return scop.sourceName(loop.substr(0, loop.rfind('_')));
}

/// A formula in the source's names: of dimensions without the numbers that make them unique, of equations' values the
/// arrays that they come from.
std::string formula(const Expr &e, const Equation &equation, const FunctionTrace &trace) {
  const Expr named = rewrite(e, [&](const Expr &node) {
    if (node.op() != Op::Read || node->access < 0) return node;
    const Operand &operand = equation.operands[static_cast<std::size_t>(node->access)];
    if (operand.equation < 0) return node;
    const Equation &producer = trace.relaxed->system->equations[static_cast<std::size_t>(operand.equation)];
    return Expr::read(producer.array, node->args, node.type());
  });
  return show(substitute(named, [&](const std::string &name) {
    const bool isDimension = std::find(equation.dims.begin(), equation.dims.end(), name) != equation.dims.end();
    return isDimension ? Expr::symbol(plain(name, *trace.scop), Type::Int64) : Expr();
  }));
}

class Outline {
public:
  explicit Outline(const FunctionTrace &from) : trace(from) {}

  std::vector<OutlineLine> lines() {
    for (const KernelPlan &plan : trace.schedule->kernels) {
      std::string rows;
      for (std::size_t r = 0; r < plan.rows.size(); ++r)
        rows += (r ? ", " : "") + plain(plan.rows[r], *trace.scop) + " in tiles of " + std::to_string(plan.tiles[r]);
      all.push_back({0, rows.empty() ? "once:" : "for " + rows + ", in parallel:", {}});
      for (const Phase &phase : plan.phases) describe(phase, plan.parts);
    }
    return all;
  }

private:
  void describe(const Phase &phase, std::int64_t parts) {
    std::string loops;
    for (std::size_t k = 0; k < phase.rolled.size(); ++k)
      loops +=
          (k ? ", " : "") + plain(phase.rolled[k], *trace.scop) + " in chunks of " + std::to_string(phase.chunks[k]);
    if (!loops.empty() && parts > 1) loops += ", shared out over " + std::to_string(parts) + " parts";
    if (!loops.empty()) all.push_back({1, "for " + loops + ":", {}});
    const int depth = loops.empty() ? 1 : 2;
    for (const Member &member : phase.members) describe(member, depth);
    for (const Member &member : phase.members) finish(member);
  }

  [[nodiscard]] const Equation &equation(const Member &member) const {
    return trace.relaxed->system->equations[static_cast<std::size_t>(member.equation)];
  }

  static std::vector<int> statementsOf(const Equation &e) {
    std::vector<int> statements{e.statement};
    statements.insert(statements.end(), e.through.begin(), e.through.end());
    statements.insert(statements.end(), e.twins.begin(), e.twins.end());
    std::sort(statements.begin(), statements.end());
    return statements;
  }

  void describe(const Member &member, int depth) {
    const Equation &e = equation(member);
    if (member.mended >= 0) {
      const Correction &correction = trace.relaxed->mended[static_cast<std::size_t>(member.mended)].correction;
      for (std::size_t i = 0; i < correction.mend.size() && correction.moves; ++i) {
        std::string sum;
        for (std::size_t j = 0; j < correction.mend[i].size(); ++j)
          sum += (j ? " + " : "") + ("(" + show(correction.mend[i][j]) + ")") + " * " + state(e, correction, j);
        all.push_back({depth, "mend: " + state(e, correction, i) + " := " + sum, statementsOf(e)});
      }
      for (std::size_t i = 0; i < correction.state.size(); ++i)
        update(depth, state(e, correction, i), correction.carry, show(correction.state[i]), e);
      return;
    }
    const std::string value = formula(e.value, e, trace);
    if (e.monoid)
      update(depth, e.array, *e.monoid, value, e);
    else
      all.push_back({depth, e.array + " = " + value, statementsOf(e)});
  }

  void update(int depth, const std::string &name, Monoid monoid, const std::string &element, const Equation &e) {
    const bool isCall = monoid == Monoid::Max || monoid == Monoid::Min;
    all.push_back({depth,
                   isCall ? name + " = " + spell(monoid) + "(" + name + ", " + element + ")"
                          : name + " " + spell(monoid) + "= " + element,
                   statementsOf(e)});
  }

  static std::string state(const Equation &e, const Correction &correction, std::size_t k) {
    return correction.state.size() == 1 ? e.array : e.array + "#" + std::to_string(k);
  }

  void finish(const Member &member) {
    if (member.mended < 0) return;
    const Correction &correction = trace.relaxed->mended[static_cast<std::size_t>(member.mended)].correction;
    if (correction.final.op() == Op::Symbol) return;
    all.push_back(
        {1, "finish: " + equation(member).array + " = " + show(correction.final), statementsOf(equation(member))});
  }

  const FunctionTrace &trace;
  std::vector<OutlineLine> all;
};

} // namespace

std::vector<OutlineLine> outlineOf(const FunctionTrace &trace) {
  if (trace.left || trace.schedule->order || !trace.relaxed->system) return {};
  return Outline(trace).lines();
}

} // namespace polymend::graph_room
