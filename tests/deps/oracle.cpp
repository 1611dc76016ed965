// Plain execution in source order. Reads below a choice count only where the choice goes there; a choice that depends
// on data goes both ways, as in the model. Reads whose subscripts depend on data are left out: their sources are
// supersets.
#include "oracle.h"

#include <algorithm>

namespace polymend::test {

namespace {

bool dependsOnData(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || node.op() == Op::Read || node.op() == Op::Real; });
  return found;
}

long divide(long a, long b) {
  if (b == 0) throw std::runtime_error("the oracle divides by zero");
  return a / b;
}

long floorDivide(long a, long b) { return divide(a, b) - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

std::string tupleOf(const std::string &id, const std::vector<long> &iterations) {
  std::string text = id + "[";
  for (std::size_t k = 0; k < iterations.size(); ++k) text += (k ? "," : "") + std::to_string(iterations[k]);
  return text + "]";
}

class Comparison {
public:
  Comparison(const Scop &s, const Dependences &d, const std::map<std::string, long> &sizes) : scop(s), deps(d) {
    for (const std::string &name : scop.parameters) {
      header += (header.empty() ? "" : ",") + name;
      fixed += (fixed.empty() ? "" : " and ") + name + "=" + std::to_string(sizes.at(name));
    }
  }

  /// What the analysis says the reader sees: writers, and whether also the value at entry.
  [[nodiscard]] std::string analysed(const Seen &seen) const {
    const Sources &sources = deps.sourcesOf(seen.reader.statement, seen.read);
    const isl::set reader = point(seen.reader);
    std::string found;
    for (const auto &[writer, relation] : sources.from) {
      const isl::set image = reader.apply(relation);
      if (!image.is_empty()) found += image.is_equal(point(seen.writer, image)) ? text(seen.writer) : "another";
    }
    if (!reader.intersect(sources.liveIn).is_empty()) found += "entry";
    return found;
  }

  [[nodiscard]] std::string text(const Instance &one) const {
    return one.statement < 0 ? "entry"
                             : tupleOf(scop.statements[static_cast<std::size_t>(one.statement)].id, one.iterations);
  }

private:
  [[nodiscard]] isl::set point(const Instance &one) const {
    return setOf(scop, "[" + header + "] -> { " + text(one) + (fixed.empty() ? "" : " : " + fixed) + " }");
  }
  [[nodiscard]] isl::set point(const Instance &one, const isl::set &other) const {
    return one.statement < 0 ? isl::set::empty(other.space()) : point(one);
  }

  const Scop &scop;
  const Dependences &deps;
  std::string header, fixed;
};

} // namespace

long Oracle::value(const Expr &e) const {
  const auto arg = [&](std::size_t i) { return value(e.arg(i)); };
  switch (e.op()) {
  case Op::Integer: return e->integer;
  case Op::Symbol: return values.at(e->name);
  case Op::Neg: return -arg(0);
  case Op::Add: return arg(0) + arg(1);
  case Op::Sub: return arg(0) - arg(1);
  case Op::Mul: return arg(0) * arg(1);
  case Op::Div: return divide(arg(0), arg(1));
  case Op::Mod: return arg(0) - arg(1) * divide(arg(0), arg(1));
  case Op::FloorDiv: return floorDivide(arg(0), arg(1));
  case Op::FloorMod: return arg(0) - arg(1) * floorDivide(arg(0), arg(1));
  case Op::Min: return std::min(arg(0), arg(1));
  case Op::Max: return std::max(arg(0), arg(1));
  case Op::Lt: return arg(0) < arg(1);
  case Op::Le: return arg(0) <= arg(1);
  case Op::Eq: return arg(0) == arg(1);
  case Op::Ne: return arg(0) != arg(1);
  case Op::And: return arg(0) != 0 && arg(1) != 0;
  case Op::Or: return arg(0) != 0 || arg(1) != 0;
  case Op::Not: return arg(0) == 0;
  case Op::Select: return arg(0) != 0 ? arg(1) : arg(2);
  case Op::Cast: return arg(0);
  default: throw std::runtime_error("the oracle cannot evaluate " + show(e));
  }
}

void Oracle::run(const Body &body) {
  for (const Node &node : body) std::visit([&](const auto &inner) { run(*inner); }, node);
}

void Oracle::run(const Loop &loop) {
  for (long at = value(loop.first);; at += loop.step) {
    values[loop.variable] = at;
    if (loop.step > 0 ? at >= value(loop.limit) : at <= value(loop.limit)) break;
    iterations.push_back(at);
    run(loop.body);
    iterations.pop_back();
  }
}

void Oracle::run(const Branch &branch) { run(value(branch.condition) != 0 ? branch.then : branch.otherwise); }

void Oracle::run(const Assign &assign) {
  const auto at = std::find(numbered.begin(), numbered.end(), &assign);
  const Instance here{static_cast<int>(at - numbered.begin()), iterations};
  int next = 0;
  readAll(assign.value, here, next, true);
  std::vector<long> element;
  element.reserve(assign.subscripts.size());
  for (const Expr &subscript : assign.subscripts) element.push_back(value(subscript));
  lastWrites[{assign.target, element}] = here;
}

void Oracle::readAll(const Expr &e, const Instance &reader, int &next, bool reached) {
  if (e.op() == Op::Read) {
    const int mine = next++;
    const bool known = std::none_of(e->args.begin(), e->args.end(), dependsOnData);
    for (const Expr &subscript : e->args) readAll(subscript, reader, next, reached);
    if (!reached || !known) return;
    std::vector<long> element;
    element.reserve(e->args.size());
    for (const Expr &subscript : e->args) element.push_back(value(subscript));
    const auto writer = lastWrites.find({e->name, element});
    reads.push_back({reader, mine, writer == lastWrites.end() ? Instance{} : writer->second});
    return;
  }
  const bool decided = e.op() == Op::Select && reached && !dependsOnData(e.arg(0));
  for (std::size_t i = 0; i < e->args.size(); ++i)
    readAll(e.arg(i), reader, next, reached && (!decided || i == 0 || (value(e.arg(0)) != 0) == (i == 1)));
}

void Oracle::enumerate(const Body &body) {
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) enumerate((*loop)->body);
    if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node)) numbered.push_back(assign->get());
    if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      enumerate((*branch)->then);
      enumerate((*branch)->otherwise);
    }
  }
}

void expectOracleAgrees(const Function &f, const Scop &scop, const Dependences &deps,
                        const std::map<std::string, long> &sizes) {
  const Oracle oracle(f, sizes);
  const Comparison comparison(scop, deps, sizes);
  ASSERT_FALSE(oracle.reads.empty()) << "nothing to compare in " << f.name;
  for (const Seen &seen : oracle.reads)
    EXPECT_EQ(comparison.analysed(seen), comparison.text(seen.writer))
        << f.name << ": read " << seen.read << " of " << comparison.text(seen.reader);
}

} // namespace polymend::test
