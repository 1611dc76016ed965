// A use is a subscript that reads an array, or one below a bound that does: at each turn that reaches it, and where the
// choices around it let it happen, it lies within the dimension that it indexes. What a choice of the function's own
// values lets happen cannot be asked at entry. Checks that read no element of an index array come first, so that by the
// time ranges are walked through their ends are known to be good.
#include "index_guard.h"

#include "data_ranges.h"
#include "declared_checks.h"
#include "index_nest.h"
#include "touched_box.h"

#include "polymend/segments.h"

#include <algorithm>

namespace polymend {

namespace {

/// e in 64 bits: index arrays may hold anything.
Expr inWords(const Expr &e) {
  if (!e) return e;
  return rewrite(e, [](const Expr &node) {
    const bool isArithmetic = node.op() == Op::Add || node.op() == Op::Sub || node.op() == Op::Mul ||
                              node.op() == Op::Neg || node.op() == Op::Min || node.op() == Op::Max ||
                              node.op() == Op::Div || node.op() == Op::Mod || node.op() == Op::Integer;
    if (!isArithmetic || node.type() != Type::Int32) return node;
    ExprNode wide = *node;
    wide.type = Type::Int64;
    return Expr(std::move(wide));
  });
}

class IndexUses {
public:
  IndexUses(const Function &f, const Scop &s) : function(f), scop(s) {}
  IndexGuard all();

private:
  void look(const Expr &e, const Statement &statement, const Expr &when);
  void used(const std::string &array, const std::vector<Expr> &subscripts, const Access &access,
            const Statement &statement, const Expr &when);
  void within(const std::string &array, const Expr &value, const Expr &limit, const Access &access,
              const Statement &statement, const Expr &when);
  void range(const Statement &bound);
  void add(const IndexCheck &check, const isl::set &points, const std::vector<std::string> &iterators,
           const SourceRange &where);
  void leaveOpen(const std::string &reason, const SourceRange &where);
  [[nodiscard]] bool isKnownAtEntry(const Expr &e) const;
  [[nodiscard]] std::vector<Expr> extentsOf(const std::string &array) const;
  [[nodiscard]] std::string shownName(const std::string &array) const;

  const Function &function;
  const Scop &scop;
  IndexGuard guard;
};

void IndexUses::leaveOpen(const std::string &reason, const SourceRange &where) {
  const bool isSaid =
      std::any_of(guard.open.begin(), guard.open.end(), [&](const Refusal &other) { return other.reason == reason; });
  if (!isSaid) guard.open.push_back({reason, where});
}

/// Can it be computed before the function runs?
bool IndexUses::isKnownAtEntry(const Expr &e) const {
  bool isKnown = true;
  if (e)
    visit(e, [&](const Expr &node) {
      if (isOwnCall(node)) isKnown = false;
      if (node.op() != Op::Read) return;
      const Array &array = scop.array(node->name);
      const bool isGiven = array.storage == Array::Storage::Parameter || array.storage == Array::Storage::Static;
      isKnown = isKnown && isGiven &&
                std::none_of(scop.statements.begin(), scop.statements.end(),
                             [&](const Statement &s) { return s.write.array == node->name; });
    });
  return isKnown;
}

/// As the source has them: without the rows of an array that lies in segments.
std::vector<Expr> IndexUses::extentsOf(const std::string &array) const {
  std::vector<Expr> extents = scop.array(array).extents;
  const Array &declared = *std::find_if(function.arrays.begin(), function.arrays.end(),
                                        [&](const Array &one) { return one.name == array; });
  const std::vector<Expr> probe = inSource(array, std::vector<Expr>(extents.size(), Expr::integer(0)), function, scop);
  if (probe.size() < extents.size()) extents.erase(extents.begin());
  if (declared.length && extents.size() == 1) extents.front() = declared.length;
  return extents;
}

/// "x" of x_data, which a container is taken as.
std::string IndexUses::shownName(const std::string &array) const {
  constexpr std::string_view behind = ".data()";
  for (const Parameter &p : function.parameters)
    if (p.name == array && p.taken.ends_with(behind)) return p.taken.substr(0, p.taken.size() - behind.size());
  return array;
}

/// The check at the points, if all that it asks is known.
void IndexUses::add(const IndexCheck &check, const isl::set &points, const std::vector<std::string> &iterators,
                    const SourceRange &where) {
  for (const Expr *e : {&check.value, &check.least, &check.limit, &check.where})
    if (!isKnownAtEntry(*e))
      return leaveOpen(
          "'" + show(check.element) + "' is not checked: what the function computes says whether it is used", where);
  const auto nests = overPoints(check, points, iterators, scop);
  if (!nests) return leaveOpen("'" + show(check.element) + "' is not checked: " + nests.refusal().reason, where);
  for (const IndexCheck &nest : *nests)
    for (IndexCheck one : atEnds(nest)) {
      for (Expr *e : {&one.element, &one.value, &one.least, &one.limit, &one.where}) *e = inWords(*e);
      for (PointDim &dim : one.dims) {
        dim.first = inWords(dim.first);
        dim.limit = inWords(dim.limit);
      }
      if (!reads(one.value) && one.kind == IndexCheck::Kind::Within) continue; // data do not say how far it goes
      if (std::none_of(guard.checks.begin(), guard.checks.end(),
                       [&](const IndexCheck &other) { return equal(one, other); }))
        guard.checks.push_back(one);
    }
}

/// A subscript that data choose, or that runs as far as data say, within [0, limit).
void IndexUses::within(const std::string &array, const Expr &value, const Expr &limit, const Access &access,
                       const Statement &statement, const Expr &when) {
  const isl::set points = access.relation.domain();
  IndexCheck check{IndexCheck::Kind::Within, {}, value, {}, limit, {}, when, "leads out of '" + shownName(array) + "'"};
  visit(value, [&](const Expr &node) {
    if (!check.element && node.op() == Op::Read) check.element = node;
  });
  if (check.element) {
    check.least = Expr::integer(0);
    if (!limit)
      leaveOpen("how far '" + show(check.element) + "' may lead is not checked: nothing says how many elements '" +
                    shownName(array) + "' has",
                access.where);
    return add(check, points, statement.iterators, access.where);
  }
  if (!limit) return;
  for (const DataSize &data : scop.dataSizes)
    if (dependsOnData(points, scop))
      visit(data.value, [&](const Expr &node) {
        if (!check.element && node.op() == Op::Read) check.element = node;
      });
  if (check.element) add(check, points, statement.iterators, access.where);
}

void IndexUses::used(const std::string &array, const std::vector<Expr> &subscripts, const Access &access,
                     const Statement &statement, const Expr &when) {
  const std::vector<Expr> all = inSource(array, subscripts, function, scop), extents = extentsOf(array);
  const bool isFarAsDataSay = dependsOnData(access.relation.domain(), scop);
  for (std::size_t d = 0; d < all.size() && d < extents.size(); ++d)
    if (reads(all[d]) || isFarAsDataSay) within(array, all[d], extents[d], access, statement, when);
}

/// Reads below choices that data make are used where these let it happen.
void IndexUses::look(const Expr &e, const Statement &statement, const Expr &when) {
  if (e.op() == Op::Read) used(e->name, e->args, statement.reads[static_cast<std::size_t>(e->access)], statement, when);
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    Expr here = when;
    if (chooses && i > 0 && reads(e.arg(0))) {
      const bool isOtherwise = (e.op() == Op::Select && i == 2) || e.op() == Op::Or;
      const Expr choice = isOtherwise ? Expr::make(Op::Not, {e.arg(0)}) : e.arg(0);
      here = when ? Expr::make(Op::And, {when, choice}) : choice;
    }
    look(e.arg(i), statement, here);
  }
}

/// A range from one element to another ends where it begins or later; a number of elements is none below zero.
void IndexUses::range(const Statement &bound) {
  const Expr &length = bound.value;
  if (std::none_of(scop.dataSizes.begin(), scop.dataSizes.end(),
                   [&](const DataSize &data) { return data.name == bound.id; }))
    return;
  const Expr end = length.op() == Op::Sub ? indexElement(length.arg(0)) : indexElement(length);
  const Expr begin = length.op() == Op::Sub ? indexElement(length.arg(1)) : Expr::integer(0);
  if (!end || !begin) return;
  const std::string why = length.op() == Op::Sub ? "lies before where its range begins" : "is no number of elements";
  add({IndexCheck::Kind::Within, end, end, begin, {}, {}, {}, why}, bound.domain, bound.iterators, bound.where);
}

IndexGuard IndexUses::all() {
  for (const Statement &bound : scop.bounds) {
    range(bound);
    look(bound.value, bound, {});
  }
  for (const Statement &statement : scop.statements) {
    look(statement.value, statement, {});
    used(statement.write.array, statement.target, statement.write, statement, {});
  }
  declareChecks(function, scop,
                [&](const IndexCheck &check, const isl::set &points, const std::vector<std::string> &iterators,
                    const SourceRange &where) { add(check, points, iterators, where); });
  std::map<int, std::vector<IndexCheck>> byDepth;
  for (const IndexCheck &check : guard.checks) byDepth[depthOf(check)].push_back(check);
  guard.checks.clear();
  for (const auto &[depth, checks] : byDepth) guard.checks.insert(guard.checks.end(), checks.begin(), checks.end());
  return guard;
}

} // namespace

IndexGuard indexGuard(const Function &function, const Scop &scop) { return IndexUses(function, scop).all(); }

} // namespace polymend
