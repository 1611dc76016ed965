// A matrix's row is marked by any of its elements where all that is made of them, element by element, ends in sums over
// the row, and each such sum is asked at the end whether it is a number.
#include "device/reported.h"
#include "tile/visit.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace polymend::device_room {
namespace {

/// An assignment of a kernel, where it stands.
struct Use {
  TileAssign assign;
  bool always = false; // once for every point of the grid
};

class Uses {
public:
  explicit Uses(const Kernel &kernel) {
    for (const TileRole &role : kernel.roles) block(role.body, true);
  }
  std::vector<Use> all; // in the order of the text

private:
  void block(const TileBlock &nodes, bool always) {
    for (const TileNode &node : nodes) {
      if (const auto *a = as<TileAssign>(node)) all.push_back({*a, always});
      if (const auto *p = as<TilePoints>(node)) points(*p, always);
      if (const auto *a = as<TileAsync>(node)) points(a->points, always);
      if (const auto *l = as<TileLoop>(node)) block(l->body, false);
      if (const auto *b = as<TileBranch>(node)) {
        block(b->then, false);
        block(b->otherwise, false);
      }
    }
  }
  void points(const TilePoints &region, bool always) {
    for (const TileAssign &a : region.body) all.push_back({a, always});
  }
};

/// Operations of which a result is no number where an argument is none.
bool isStrict(const Expr &e) {
  switch (e.op()) {
  case Op::Neg:
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Exp:
  case Op::Exp2:
  case Op::Log:
  case Op::Log2:
  case Op::Sqrt:
  case Op::Tanh:
  case Op::Sin:
  case Op::Cos:
  case Op::Abs: return isFloating(e.type());
  case Op::Cast: return isFloating(e.type()) && isFloating(e.arg(0).type());
  default: return false;
  }
}

/// Is `e` no number wherever the array's element is none?
bool isStrictIn(const Expr &e, const std::string &array) {
  if (e.op() == Op::Read) return e->name == array;
  if (e.op() == Op::Select) return isStrictIn(e.arg(1), array) && isStrictIn(e.arg(2), array);
  if (!isStrict(e)) return false;
  return std::any_of(e->args.begin(), e->args.end(), [&](const Expr &arg) { return isStrictIn(arg, array); });
}

/// Is `e` no number wherever it is made of an element of the array that is none? A selection may leave it out.
bool keeps(const Expr &e, const std::string &array) {
  if (!reads(e, array) || e.op() == Op::Read) return true;
  if (e.op() == Op::Select) return !reads(e.arg(0), array) && keeps(e.arg(1), array) && keeps(e.arg(2), array);
  return isStrict(e) && std::all_of(e->args.begin(), e->args.end(), [&](const Expr &arg) { return keeps(arg, array); });
}

/// Is the mark that `value` is set wherever the array's element is no number?
bool isAsked(const Expr &value, const std::string &array) {
  const auto isNumber = [](const Expr &e, bool zero) { return e.op() == Op::Integer && (e->integer == 0) == zero; };
  if (value.op() != Op::Select || !isNumber(value.arg(1), true) || !isNumber(value.arg(2), false)) return false;
  const std::function<bool(const Expr &)> fails = [&](const Expr &e) {
    if (e.op() == Op::And) return std::any_of(e->args.begin(), e->args.end(), fails);
    const bool compares = e.op() == Op::Lt || e.op() == Op::Le || e.op() == Op::Eq;
    return compares && (isStrictIn(e.arg(0), array) || isStrictIn(e.arg(1), array));
  };
  return fails(value.arg(0));
}

class Marking {
public:
  explicit Marking(const Kernel &k) : kernel(k), uses(Uses(k).all) {
    for (const Use &use : uses)
      if (use.assign.target.array == kernel.fallback && use.always)
        visit(use.assign.value, [&](const Expr &e) {
          if (e.op() == Op::Read) marks.insert(e->name);
        });
  }
  std::set<std::string> matrices() const;

private:
  [[nodiscard]] const TileArray *fragment(const std::string &name) const;
  [[nodiscard]] bool sameRow(const TileAssign &a, const std::string &array) const;
  [[nodiscard]] bool isReported(const std::string &array) const;
  [[nodiscard]] bool endsWell(const TileAssign &a, const std::string &array, const std::set<std::string> &well) const;

  const Kernel &kernel;
  std::vector<Use> uses;
  std::set<std::string> marks; // of rows: what is stored as the kernel's marks
};

const TileArray *Marking::fragment(const std::string &name) const {
  for (const TileArray &tile : kernel.tiles)
    if (tile.name == name && tile.space == Space::Fragment) return &tile;
  return nullptr;
}

/// Are all elements of the array that the assignment reads of the row that it assigns?
bool Marking::sameRow(const TileAssign &a, const std::string &array) const {
  if (a.target.subscripts.empty() || !fragment(a.target.array)) return false;
  bool same = true;
  visit(a.value, [&](const Expr &e) {
    if (e.op() != Op::Read || e->name != array) return;
    same = same && !e->args.empty() && equal(e.arg(0), a.target.subscripts[0]);
  });
  return same;
}

/// Once a sum of the array is no number, it stays none, and its row is marked at the end.
bool Marking::isReported(const std::string &array) const {
  bool asked = false, summed = false;
  for (const Use &use : uses) {
    const TileAssign &a = use.assign;
    if (marks.count(a.target.array)) {
      const bool sets = a.update == Update::Set;
      const bool asks =
          use.always && !a.where && (sets || a.update == Update::Max) && sameRow(a, array) && isAsked(a.value, array);
      asked = asks || (asked && !sets);
      continue;
    }
    if (a.target.array != array) continue;
    if (a.update == Update::Sum || a.update == Update::Product) {
      summed = true;
      asked = false;
      continue;
    }
    const bool begins = use.always && !summed && !reads(a.value, array);
    const bool stays = sameRow(a, array) && isStrictIn(a.value, array);
    if (a.update != Update::Set || (!begins && !stays)) return false;
    asked = false;
  }
  return asked;
}

/// Where elements of the array go in one assignment: into matrices of `well`, sums that are reported, or marks.
bool Marking::endsWell(const TileAssign &a, const std::string &array, const std::set<std::string> &well) const {
  if (a.where && reads(a.where, array)) return false;
  for (const Expr &subscript : a.target.subscripts)
    if (reads(subscript, array)) return false;
  if (!reads(a.value, array)) return true;
  const TileArray *target = fragment(a.target.array);
  if (!target || !sameRow(a, array)) return false;
  if (marks.count(target->name)) return isAsked(a.value, array);
  if (!isFloating(target->type) || !keeps(a.value, array)) return false;
  if (well.count(target->name)) return a.update == Update::Set || a.update == Update::Sum;
  return a.update == Update::Sum && isReported(target->name);
}

std::set<std::string> Marking::matrices() const {
  std::set<std::string> well;
  for (const TileArray &tile : kernel.tiles)
    if (tile.space == Space::Fragment && tile.extents.size() == 2 && isFloating(tile.type)) well.insert(tile.name);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = well.begin(); at != well.end();) {
      const bool stays =
          std::all_of(uses.begin(), uses.end(), [&](const Use &use) { return endsWell(use.assign, *at, well); });
      changed = changed || !stays;
      at = stays ? std::next(at) : well.erase(at);
    }
  }
  return well;
}

} // namespace

std::set<std::string> markedByElements(const Kernel &kernel) {
  if (kernel.fallback.empty()) return {};
  return Marking(kernel).matrices();
}

} // namespace polymend::device_room
