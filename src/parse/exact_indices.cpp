// Which element is read must be the source's own choice. A number that a sum in another order, a function of a library
// or of the hardware has part in may differ in its last bits; rounded to an index it is another element, or none. An
// index may be made of what the same operations make of the same numbers everywhere: + - * / and square roots of
// floats, what rounds them to integers, and comparisons.
#include "ranges.h"
#include "reader.h"

#include "polymend/word_functions.h"

#include <algorithm>
#include <functional>

namespace polymend {

namespace {

using Names = std::set<std::string>;

bool isExtreme(Op op) { return op == Op::Min || op == Op::Max || op == Op::FMin || op == Op::FMax; }

/// Does the operation give the same bits on every machine?
bool isRepeatable(const Expr &e) {
  if (!isFloating(e.type())) return e.op() != Op::Call || words::isKnown(e->name);
  switch (e.op()) {
  case Op::Real:
  case Op::Symbol:
  case Op::Read:
  case Op::Neg:
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Min:
  case Op::Max:
  case Op::FMin:
  case Op::FMax:
  case Op::Sqrt:
  case Op::Abs:
  case Op::Floor:
  case Op::Ceil:
  case Op::Round:
  case Op::Trunc:
  case Op::Select:
  case Op::Cast: return true;
  default: return false;
  }
}

bool areRepeatable(const Expr &e) {
  bool all = true;
  visit(e, [&](const Expr &node) { all = all && isRepeatable(node); });
  return all;
}

/// What a value reads.
void collectRead(const Expr &e, Names &names) {
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Read) names.insert(node->name);
  });
}

/// Does the value read the array as the operand of a least or greatest value, or as what a choice keeps, alone?
bool keepsOrder(const Expr &e, const std::string &array) {
  if (!reads(e, array) || e.op() == Op::Read) return true;
  if (e.op() == Op::Select) return keepsOrder(e.arg(1), array) && keepsOrder(e.arg(2), array);
  if (e.op() != Op::Cast && !isExtreme(e.op())) return false;
  return std::all_of(e->args.begin(), e->args.end(), [&](const Expr &arg) { return keepsOrder(arg, array); });
}

/// An assignment, with the conditions and the variables of the loops around it.
struct Placed {
  const Assign *assign;
  std::vector<Expr> conditions;
  Names loops;

  /// Does each turn of the loops around it write another element? Each variable has a subscript for itself.
  [[nodiscard]] bool isOfItsTurn() const {
    const auto isOwn = [&](const Expr &subscript, const std::string &variable) {
      const Names used = symbols(subscript);
      const auto others =
          std::count_if(loops.begin(), loops.end(), [&](const std::string &one) { return used.contains(one); });
      return others == 1 && !reads(subscript) && coefficient(subscript, variable).value_or(0) != 0;
    };
    return std::all_of(loops.begin(), loops.end(), [&](const std::string &variable) {
      return std::any_of(assign->subscripts.begin(), assign->subscripts.end(),
                         [&](const Expr &s) { return isOwn(s, variable); });
    });
  }
  [[nodiscard]] Names read() const {
    Names names;
    collectRead(assign->value, names);
    for (const Expr &s : assign->subscripts) collectRead(s, names);
    for (const Expr &condition : conditions) collectRead(condition, names);
    return names;
  }
};

class Assignments {
public:
  explicit Assignments(const Body &body) { add(body, {}, {}); }

  std::vector<Placed> all;

  /// The arrays of which elements may differ in their last bits.
  [[nodiscard]] Names inexact() const {
    Names result;
    for (const Placed &one : all)
      if (isInexact(one)) result.insert(one.assign->target);
    for (std::size_t before = result.size() + 1; before != result.size();) {
      before = result.size();
      for (const Placed &one : all) {
        const Names read = one.read();
        if (std::any_of(read.begin(), read.end(), [&](const std::string &name) { return result.contains(name); }))
          result.insert(one.assign->target);
      }
    }
    return result;
  }

private:
  void add(const Body &body, const std::vector<Expr> &conditions, const Names &loops) {
    for (const Node &node : body) {
      if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
        std::vector<Expr> inner = conditions;
        inner.push_back((*loop)->first);
        inner.push_back((*loop)->limit);
        Names within = loops;
        within.insert((*loop)->variable);
        add((*loop)->body, inner, within);
      } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
        std::vector<Expr> inner = conditions;
        inner.push_back((*branch)->condition);
        add((*branch)->then, inner, loops);
        add((*branch)->otherwise, inner, loops);
      } else {
        all.push_back({std::get<std::shared_ptr<const Assign>>(node).get(), conditions, loops});
      }
    }
  }

  /// Is each element of the array made in a turn of its own, and read there alone?
  [[nodiscard]] bool isElementwise(const std::string &array) const {
    const Assign *first = nullptr;
    bool same = true;
    const auto isSame = [&](const std::vector<Expr> &subscripts) {
      return std::equal(subscripts.begin(), subscripts.end(), first->subscripts.begin(), first->subscripts.end(),
                        equal);
    };
    for (const Placed &one : all)
      if (one.assign->target == array && first == nullptr) first = one.assign;
    if (first == nullptr) return true;
    const auto look = [&](const Expr &e) {
      visit(e, [&](const Expr &node) {
        if (node.op() == Op::Read && node->name == array) same = same && isSame(node->args);
      });
    };
    for (const Placed &one : all) {
      if (one.assign->target == array) same = same && one.isOfItsTurn() && isSame(one.assign->subscripts);
      look(one.assign->value);
      for (const Expr &s : one.assign->subscripts) look(s);
      for (const Expr &condition : one.conditions) look(condition);
    }
    return same;
  }

  /// Is it set in each turn before it is read there, and by nothing in a loop within that turn? What it is made of
  /// comes from no other turn, but by an array of which that is not so.
  [[nodiscard]] bool isSetAnew(const std::string &array) const {
    const auto first =
        std::find_if(all.begin(), all.end(), [&](const Placed &one) { return one.assign->target == array; });
    if (first == all.end()) return false;
    const auto isRead = [&](const Placed &one) { return one.read().contains(array); };
    if (isRead(*first) || std::any_of(all.begin(), first, isRead)) return false;
    return std::all_of(first, all.end(), [&](const Placed &one) {
      const auto isSame = [](const std::vector<Expr> &whole, const std::vector<Expr> &start) {
        return whole.size() >= start.size() && std::equal(start.begin(), start.end(), whole.begin(), equal);
      };
      return one.assign->target != array || (one.loops == first->loops && isSame(one.conditions, first->conditions) &&
                                             one.assign->subscripts.size() == first->assign->subscripts.size() &&
                                             isSame(one.assign->subscripts, first->assign->subscripts));
    });
  }

  /// Is the value of an array made of the other's in the end? An assignment that reads what it sets is judged by
  /// itself.
  [[nodiscard]] bool reaches(const std::string &from, const std::string &array, Names &seen) const {
    for (const Placed &one : all) {
      if (one.assign->target != from) continue;
      for (const std::string &name : one.read())
        if ((name == array && from != array) || (seen.insert(name).second && reaches(name, array, seen))) return true;
    }
    return false;
  }

  [[nodiscard]] bool isInexact(const Placed &one) const {
    const std::string &target = one.assign->target;
    if (!areRepeatable(one.assign->value)) return true;
    if (std::any_of(one.conditions.begin(), one.conditions.end(), [](const Expr &c) { return !areRepeatable(c); }))
      return true;
    if (!isFloating(one.assign->value.type()) || isElementwise(target) || isSetAnew(target)) return false;
    if (reads(one.assign->value, target)) return !keepsOrder(one.assign->value, target);
    Names seen;
    return reaches(target, target, seen);
  }
};

} // namespace

/// Refuses what reads an element whose index may be another than the source's.
void Reader::checkIndices() const {
  const Assignments assignments(function.body);
  const Names inexact = assignments.inexact();
  const auto checked = [&](const Expr &subscript, const SourceRange &where) {
    Names read;
    collectRead(subscript, read);
    for (const std::string &name : read)
      if (inexact.contains(name))
        refuse("an index depends on '" + name +
                   "', whose last bits may be others than the source's: pass indices in an array of integers",
               where);
    if (!areRepeatable(subscript))
      refuse("an index is made by a function whose last bits may be others than the source's: pass indices in an array "
             "of integers",
             where);
  };
  const auto within = [&](const Expr &e, const SourceRange &where) {
    visit(e, [&](const Expr &node) {
      if (node.op() != Op::Read) return;
      for (const Expr &subscript : node->args) checked(subscript, node->where.valid() ? node->where : where);
    });
  };
  for (const Placed &one : assignments.all) {
    within(one.assign->value, one.assign->where);
    for (const Expr &condition : one.conditions) within(condition, one.assign->where);
  }
}

/// Of a container, elements that data choose are among those that it has.
void Reader::countChosen() {
  Names chosen, written;
  const Assignments assignments(function.body);
  for (const Placed &one : assignments.all) written.insert(one.assign->target);
  const auto isOpaque = [&](const Expr &subscript) {
    bool opaque = false;
    visit(subscript, [&](const Expr &e) {
      opaque = opaque || (e.op() == Op::Read && written.contains(e->name)) || isFloating(e.type());
    });
    return opaque;
  };
  const auto look = [&](const Expr &e) {
    visit(e, [&](const Expr &node) {
      if (node.op() == Op::Read && std::any_of(node->args.begin(), node->args.end(), isOpaque))
        chosen.insert(node->name);
    });
  };
  for (const Placed &one : assignments.all) {
    look(one.assign->value);
    for (const Expr &condition : one.conditions) look(condition);
  }
  for (const auto &[name, why] : partlyRead) {
    if (written.contains(name)) throw Refusal(why);
    chosen.insert(name);
  }
  for (const std::string &name : chosen) {
    const auto held = heldBy.find(name);
    if (held == heldBy.end()) continue;
    Object whole = held->second;
    whole.start = whole.count = {};
    Expr count = countOf(whole, arrayNamed(name).where);
    for (Array &array : function.arrays) {
      if (array.name != name) continue;
      for (std::size_t k = 1; k < array.extents.size(); ++k) count = simplify(count * array.extents[k]);
      array.count = count;
    }
  }
}

} // namespace polymend
