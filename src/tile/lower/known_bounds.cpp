// What is known at a point is a set over its integer variables: the ranges of the grid's and the loops' variables, and
// the conditions of the branches around. Conditions within an expression or at an assignment are not among them: on a
// device both sides of a choice may be computed, with what they read. What of an expression is not affine is one more
// variable, the same for equal expressions; what reads memory is unknown. isl decides whether a condition holds
// everywhere in the set, or nowhere.
#include "known_bounds.h"

#include "tile/equal.h"
#include "tile/visit.h"

#include "polymend/isl.h"

#include <algorithm>
#include <map>

#include <isl/set.h>

namespace polymend {
namespace {

/// Integer expressions and conditions in isl's notation.
class Notation {
public:
  /// Empty: it reads memory.
  std::string text(const Expr &e) { return simplified(simplify(e)); }

  std::string variable(const std::string &name) { return named["symbol " + name]; }

  /// The points over its variables at which a condition in this notation holds.
  isl::set points(const isl::ctx &context, const std::string &condition) {
    const auto found = read.find(condition);
    return found != read.end() ? found->second : read.emplace(condition, parsed(context, condition)).first->second;
  }

private:
  static isl::set parsed(const isl::ctx &context, const std::string &condition) {
    std::set<std::string> used;
    for (std::size_t at = condition.find('v'); at != std::string::npos; at = condition.find('v', at + 1))
      used.insert(condition.substr(at, condition.find_first_not_of("0123456789", at + 1) - at));
    std::string list;
    for (const std::string &name : used) list += (list.empty() ? "" : ", ") + name;
    return isl::set(context, "[" + list + "] -> { : " + condition + " }");
  }

  /// Of an expression in which no operation is left on numbers alone: isl reads no floor or remainder of them.
  std::string simplified(const Expr &e) {
    switch (e.op()) {
    case Op::Integer: return e.type() == Type::Bool ? (e->integer != 0 ? "0 = 0" : "0 = 1") : number(e->integer);
    case Op::Symbol: return isInteger(e.type()) ? variable(e->name) : "";
    case Op::Cast: return isInteger(e.arg(0).type()) ? simplified(e.arg(0)) : opaque(e);
    case Op::Neg: return joined("-", e.arg(0), "", {});
    case Op::Add: return joined("", e.arg(0), " + ", e.arg(1));
    case Op::Sub: return joined("", e.arg(0), " - ", e.arg(1));
    case Op::Mul:
      return isNumber(e.arg(0))   ? scaled(e.arg(0), e.arg(1))
             : isNumber(e.arg(1)) ? scaled(e.arg(1), e.arg(0))
                                  : opaque(e);
    case Op::FloorDiv:
      return isPositive(e.arg(1)) ? called("floor(", joined("", e.arg(0), " / ", e.arg(1))) : opaque(e);
    case Op::FloorMod: return isPositive(e.arg(1)) ? joined("", e.arg(0), " mod ", e.arg(1)) : opaque(e);
    case Op::Min: return called("min(", joined("", e.arg(0), ", ", e.arg(1)));
    case Op::Max: return called("max(", joined("", e.arg(0), ", ", e.arg(1)));
    case Op::Lt: return compared(e, " < ");
    case Op::Le: return compared(e, " <= ");
    case Op::Eq: return compared(e, " = ");
    case Op::Ne: return compared(e, " != ");
    case Op::And: return joined("", e.arg(0), " and ", e.arg(1));
    case Op::Or: return joined("", e.arg(0), " or ", e.arg(1));
    case Op::Not: return called("not (", simplified(e.arg(0)));
    default: return opaque(e);
    }
  }

  static bool isNumber(const Expr &e) { return e.op() == Op::Integer; }
  static bool isPositive(const Expr &e) { return isNumber(e) && e->integer > 0; }
  static std::string number(std::int64_t value) {
    return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
  }

  /// A variable for each key.
  struct Variables {
    std::map<std::string, std::string> &names;
    std::string operator[](const std::string &key) const {
      return names.emplace(key, "v" + std::to_string(names.size())).first->second;
    }
  };

  std::string joined(const std::string &before, const Expr &a, const std::string &between, const Expr &b) {
    const std::string left = simplified(a), right = b ? simplified(b) : "";
    if (left.empty() || (b && right.empty())) return "";
    const bool separates = between == ", ";
    return separates ? left + between + right : "(" + before + left + between + right + ")";
  }

  /// isl wants a number, not one in brackets, before what it multiplies.
  std::string scaled(const Expr &by, const Expr &e) {
    const std::string factor = simplified(e);
    return factor.empty() ? "" : "(" + std::to_string(by->integer) + " * " + factor + ")";
  }

  std::string compared(const Expr &e, const std::string &sign) {
    return isInteger(e.arg(0).type()) && isInteger(e.arg(1).type()) ? joined("", e.arg(0), sign, e.arg(1)) : "";
  }

  static std::string called(const std::string &open, const std::string &arguments) {
    return arguments.empty() ? "" : open + arguments + ")";
  }

  /// A part that is not affine: equal ones are one variable.
  std::string opaque(const Expr &e) {
    if (!isInteger(e.type())) return "";
    std::string key = std::to_string(static_cast<int>(e.op())) + " " + e->name;
    if (e.op() == Op::Read || e.op() == Op::Call || e->args.empty()) return "";
    for (const Expr &arg : e->args) {
      const std::string part = simplified(arg);
      if (part.empty()) return "";
      key += " (" + part + ")";
    }
    return named[key];
  }

  std::map<std::string, std::string> names;
  std::map<std::string, isl::set> read;
  Variables named{names};
};

class Simplifier {
public:
  Simplifier(isl_ctx *owner, std::int64_t run, bool blocks) : context(owner), longRun(run), hasBlocks(blocks) {}

  Kernel kernel(Kernel k, const Expr &given) {
    isl::set known(context, "{ : }");
    if (given) known = where(known, given);
    if (k.when) known = where(known, k.when);
    for (const PointDim &dim : k.grid) known = within(known, dim.variable, dim.first, dim.limit, 1);
    k.body = block(k.body, known);
    return k;
  }

private:
  enum class Truth { Always, Never, Sometimes };

  /// What a question about the points of a set was answered. The regions of a block ask the same again and again.
  template <class Answer> class Answers {
  public:
    template <class Find> Answer operator()(const isl::set &known, const std::string &question, Find find) {
      const Key key{known.get(), question};
      const auto found = answers.find(key);
      if (found != answers.end()) return found->second.second;
      return answers.emplace(key, std::pair{known, find()}).first->second.second;
    }

  private:
    using Key = std::pair<const isl_set *, std::string>; // the set is kept, so that no other gets its place
    std::map<Key, std::pair<isl::set, Answer>> answers;
  };

  /// The points of `known` at which a condition holds; a superset, where it is not known.
  isl::set where(const isl::set &known, const Expr &condition) {
    const std::string text = notation.text(condition);
    if (text.empty()) return known;
    return parts(known, text, [&] { return known.intersect(notation.points(context, text)); });
  }

  isl::set within(const isl::set &known, const std::string &variable, const Expr &first, const Expr &limit,
                  std::int64_t step) {
    const std::string name = notation.variable(variable), low = notation.text(first), high = notation.text(limit);
    const int outer = isl_set_find_dim_by_name(known.get(), isl_dim_param, name.c_str());
    if (outer >= 0 && isl_set_involves_dims(known.get(), isl_dim_param, static_cast<unsigned>(outer), 1) !=
                          isl_bool_false) // another variable of this name is around, of which the bounds may speak
      return isl::manage(isl_set_project_out(known.copy(), isl_dim_param, static_cast<unsigned>(outer), 1));
    const std::string steps = "exists (k: k >= 0 and " + name + " = " + low + " + " + std::to_string(step) + " * k)";
    const std::string from = low.empty() ? "" : step == 1 ? low + " <= " + name : steps;
    const std::string to = high.empty() ? "" : name + " < " + high;
    return parts(known, from + " for " + to, [&] {
      isl::set result = known;
      for (const std::string &condition : {from, to})
        if (!condition.empty()) result = result.intersect(notation.points(context, condition));
      return result.coalesce();
    });
  }

  Truth truth(const Expr &condition, const isl::set &known) {
    const std::string text = notation.text(condition);
    if (text.empty()) return Truth::Sometimes;
    return truths(known, text, [&] {
      const isl::set holds = notation.points(context, text);
      if (known.is_subset(holds)) return Truth::Always;
      return known.is_disjoint(holds) ? Truth::Never : Truth::Sometimes;
    });
  }

  Expr expr(const Expr &e, const isl::set &known) {
    if (e->args.empty()) return e;
    ExprNode node = *e;
    node.args[0] = expr(e.arg(0), known);
    const isl::set inside = e.op() == Op::And ? where(known, e.arg(0)) : known;
    for (std::size_t k = 1; k < node.args.size(); ++k) node.args[k] = expr(e.arg(k), inside);
    const Expr result{node};
    if (result.op() == Op::Select && result.arg(0).op() == Op::Integer)
      return result.arg(result.arg(0)->integer != 0 ? 1 : 2);
    if (result.op() == Op::Min || result.op() == Op::Max) return lesser(result, known);
    if (result.op() == Op::Mod || result.op() == Op::FloorMod) return rest(result, known);
    const bool compares =
        result.op() == Op::Lt || result.op() == Op::Le || result.op() == Op::Eq || result.op() == Op::Ne;
    if (compares && isInteger(result.arg(0).type())) {
      const Truth found = truth(result, known);
      if (found != Truth::Sometimes) return Expr::integer(found == Truth::Always ? 1 : 0, Type::Bool);
      return balanced(result);
    }
    return result.type() == Type::Bool ? simplify(result) : result;
  }

  /// 0 <= a - b as b <= a.
  static Expr balanced(const Expr &e) {
    if ((e.op() != Op::Le && e.op() != Op::Lt) || e.arg(0).op() != Op::Integer || e.arg(0)->integer != 0) return e;
    Expr left, right = e.arg(1);
    for (; right.op() == Op::Sub; right = right.arg(0)) left = left ? right.arg(1) + left : right.arg(1);
    if (right.op() == Op::Add && right.arg(0).op() == Op::Neg && !left)
      return Expr::make(e.op(), {right.arg(0).arg(0), right.arg(1)});
    return left ? Expr::make(e.op(), {left, right}) : e;
  }

  Expr lesser(const Expr &e, const isl::set &known) {
    if (!isInteger(e.type())) return e;
    const Truth first = truth(Expr::make(Op::Le, {e.arg(0), e.arg(1)}), known);
    const Truth second = first == Truth::Always ? first : truth(Expr::make(Op::Le, {e.arg(1), e.arg(0)}), known);
    const bool isMin = e.op() == Op::Min;
    if (first == Truth::Always) return e.arg(isMin ? 0 : 1);
    if (second == Truth::Always) return e.arg(isMin ? 1 : 0);
    return e;
  }

  /// The rest of a number that lies within one turn of the range, as the next place of a ring, needs no division. By
  /// constants compilers divide as quickly.
  Expr rest(const Expr &e, const isl::set &known) {
    const Expr &a = e.arg(0), &n = e.arg(1);
    const auto always = [&](const Expr &low, const Expr &high) {
      return truth(Expr::make(Op::Le, {low, high}), known) == Truth::Always;
    };
    const Expr one = Expr::integer(1, n.type()), zero = Expr::integer(0, n.type());
    if (!isInteger(e.type()) || n.op() == Op::Integer || !always(one, n)) return e;
    const bool isPositive = always(zero, a), isBelow = always(a + one, n);
    if (isPositive && isBelow) return a;
    if (isPositive && always(a - n + one, n))
      return Expr::make(Op::Select, e.type(), {Expr::make(Op::Lt, {a, n}), a, simplify(a - n)});
    if (e.op() == Op::FloorMod && isBelow && always(zero, a + n))
      return Expr::make(Op::Select, e.type(), {Expr::make(Op::Lt, {a, zero}), simplify(a + n), a});
    return e;
  }

  TileAssign assign(TileAssign a, const isl::set &known) {
    if (a.where) a.where = expr(a.where, known);
    if (a.where && a.where.op() == Op::Integer && a.where->integer != 0) a.where = {};
    for (Expr &subscript : a.target.subscripts) subscript = expr(subscript, known);
    a.value = expr(a.value, known);
    return a;
  }

  TilePoints points(TilePoints p, isl::set known) {
    for (PointDim &dim : p.dims) {
      dim.first = expr(dim.first, known);
      dim.limit = expr(dim.limit, known);
      known = within(known, dim.variable, dim.first, dim.limit, 1);
    }
    for (TileAssign &a : p.body) a = assign(a, known);
    return p;
  }

  TileBlock branch(const TileBranch &b, const isl::set &known) {
    const Expr condition = expr(b.condition, known);
    if (condition.op() == Op::Integer) return block(condition->integer != 0 ? b.then : b.otherwise, known);
    const isl::set holds = where(known, condition);
    const isl::set fails = where(known, Expr::make(Op::Not, {condition}));
    const TileBlock then = block(b.then, holds);
    if (isLong(then) && equal(then, block(b.otherwise, holds))) return block(b.otherwise, known);
    return {nodeOf(TileBranch{condition, then, block(b.otherwise, fails)})};
  }

  /// Whether a block costs the same with constant bounds and without: all its points are runs that are long; or, where
  /// products run in blocks of registers, it is products and what is copied for them, in tiles.
  bool isLong(const TileBlock &body) const {
    constexpr std::int64_t tile = 64;
    bool isRuns = longRun != 0, isProduct = hasBlocks, some = false, hasProduct = false;
    each<TilePoints>(body, [&](const TilePoints &p) {
      const Expr length = p.dims.empty() ? Expr() : simplify(p.dims.back().limit - p.dims.back().first);
      const std::int64_t count = length && length.op() == Op::Integer ? length->integer : 0;
      const bool reduces = std::any_of(p.dims.begin(), p.dims.end(),
                                       [](const PointDim &d) { return d.kind == PointDim::Kind::Reduced; });
      some = true;
      hasProduct = hasProduct || (reduces && p.dims.size() > 2);
      isRuns = isRuns && p.dims.size() == 1 && count >= longRun;
      isProduct = isProduct && count >= tile && (!reduces || p.dims.size() > 2);
    });
    return some && (isRuns || (isProduct && hasProduct));
  }

  TileBlock node(const TileNode &n, const isl::set &known) {
    if (const auto *loop = as<TileLoop>(n)) {
      TileLoop result = *loop;
      result.first = expr(loop->first, known);
      result.limit = expr(loop->limit, known);
      result.body = block(loop->body, within(known, loop->variable, result.first, result.limit, loop->step));
      return {nodeOf(result)};
    }
    if (const auto *b = as<TileBranch>(n)) return branch(*b, known);
    if (const auto *p = as<TilePoints>(n)) return {nodeOf(points(*p, known))};
    if (const auto *a = as<TileAssign>(n)) return {assign(*a, known)};
    return {n};
  }

  TileBlock block(const TileBlock &nodes, const isl::set &known) {
    TileBlock result;
    for (const TileNode &n : nodes) append(result, node(n, known));
    return result;
  }

  isl::ctx context;
  Notation notation;
  Answers<isl::set> parts;
  Answers<Truth> truths;
  std::int64_t longRun;
  bool hasBlocks;
};

} // namespace

TileProgram withKnownBounds(TileProgram program, std::int64_t longRun, bool hasBlocks) {
  const IslContext context = makeIslContext();
  for (Kernel &kernel : program.kernels) {
    if (!kernel.roles.empty()) continue;
    std::string gaveUp; // then the kernel stays as it is, which is as right
    capped(
        context, [&] { kernel = Simplifier(context.get(), longRun, hasBlocks).kernel(kernel, program.given); }, gaveUp);
  }
  return program;
}

} // namespace polymend
