#include "device/invariant_values.h"

#include "device/walk.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

bool isOperation(Op op) { return op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Div || op >= Op::Exp; }

/// May it be computed where the source does not: no division of integers by what may be 0, no number too large to be
/// an integer?
bool neverTraps(const Expr &part) {
  const auto isInteger = [](const Expr &e) { return e.type() != Type::Float32 && e.type() != Type::Float64; };
  if (part.op() == Op::Cast) return !isInteger(part) || isInteger(part.arg(0));
  const bool divides =
      part.op() == Op::Div || part.op() == Op::Mod || part.op() == Op::FloorDiv || part.op() == Op::FloorMod;
  return !divides || !isInteger(part) || (part.arg(1).op() == Op::Integer && part.arg(1)->integer > 0);
}

/// Is it made of scalars and sizes alone, by floating-point operations that cost something?
bool deservesName(const Expr &e) {
  if (e.type() != Type::Float32 && e.type() != Type::Float64) return false;
  if (!isOperation(e.op()) || e.op() > Op::Call) return false;
  bool isPlain = true, isKnown = true;
  visit(e, [&](const Expr &part) {
    isPlain = isPlain && (part.op() != Op::Read || part->args.empty()) && neverTraps(part);
    if (part.op() == Op::Read || part.op() == Op::Symbol) isKnown = false;
  });
  return isPlain && !isKnown;
}

/// The first scalar that a value is made of, and what it is.
std::string nameFor(const Expr &value) {
  std::string first;
  visit(value, [&](const Expr &e) {
    if (first.empty() && (e.op() == Op::Read || e.op() == Op::Symbol)) first = e->name;
  });
  switch (value.op()) {
  case Op::Div: return first + "_quotient";
  case Op::Mul: return first + "_product";
  case Op::Add: return first + "_sum";
  case Op::Sub: return first + "_difference";
  default: return first + "_value";
  }
}

class InvariantNamer {
public:
  explicit InvariantNamer(Scope &names) : scope(names) {}
  DeviceBlock block(const DeviceBlock &nodes);

private:
  struct Named {
    Expr value, symbol;
  };
  /// Names in `result` what `e` has that depends neither on the variable nor on what is written.
  Expr named(const Expr &e, const std::string &variable, const std::set<std::string> &written, DeviceBlock &result);
  /// The same of its operands: the operation itself stays, as that of a product which is added unrounded must.
  Expr withNamedParts(const Expr &e, const std::string &variable, const std::set<std::string> &written,
                      DeviceBlock &result);
  void forget(const DeviceNode &node);

  Scope &scope;
  std::vector<Named> known; // in the block at hand
};

Expr InvariantNamer::named(const Expr &e, const std::string &variable, const std::set<std::string> &written,
                           DeviceBlock &result) {
  if (!e || e->args.empty()) return e;
  const bool isFree = !symbols(e).contains(variable) &&
                      std::none_of(written.begin(), written.end(), [&](const auto &a) { return reads(e, a); });
  if (isFree && deservesName(e)) {
    for (const Named &one : known)
      if (equal(one.value, e)) return one.symbol;
    const std::string name = scope.fresh(nameFor(e));
    result.emplace_back(DeviceLet{name, e});
    known.push_back({e, Expr::symbol(name, e.type())});
    return known.back().symbol;
  }
  return e.op() == Op::Read ? e : withNamedParts(e, variable, written, result);
}

Expr InvariantNamer::withNamedParts(const Expr &e, const std::string &variable, const std::set<std::string> &written,
                                    DeviceBlock &result) {
  ExprNode node = *e;
  for (Expr &arg : node.args) arg = named(arg, variable, written, result);
  return Expr{node};
}

/// What a node sets makes names stand for something else.
void InvariantNamer::forget(const DeviceNode &node) {
  const std::set<std::string> written = writtenIn({node});
  std::erase_if(known, [&](const Named &one) {
    return std::any_of(written.begin(), written.end(), [&](const auto &array) { return reads(one.value, array); });
  });
}

DeviceBlock InvariantNamer::block(const DeviceBlock &nodes) {
  const std::vector<Named> around = std::exchange(known, {});
  DeviceBlock result;
  for (DeviceNode n : nodes) {
    if (auto *fold = std::get_if<DeviceFold>(&n)) {
      fold->what.value = named(fold->what.value, fold->along.variable, {fold->what.target.array}, result);
    } else if (const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&n)) {
      DeviceLoop copy = **loop;
      const std::set<std::string> written = writtenIn(copy.body);
      const bool isInnermost = std::all_of(copy.body.begin(), copy.body.end(), [](const DeviceNode &inner) {
        return std::holds_alternative<DeviceAssign>(inner);
      });
      if (isInnermost)
        for (DeviceNode &inner : copy.body) {
          DeviceAssign &a = std::get<DeviceAssign>(inner);
          if (!a.fused)
            a.what.value = named(a.what.value, copy.variable, written, result);
          else
            a.what.value = withNamedParts(a.what.value, copy.variable, written, result);
        }
      else
        copy.body = block(copy.body);
      n = std::make_shared<const DeviceLoop>(std::move(copy));
    } else {
      n = withBlocks(n, [&](const DeviceBlock &inner) { return block(inner); });
    }
    forget(n);
    result.push_back(n);
  }
  known = around;
  return result;
}

} // namespace

DeviceKernel withInvariantValues(DeviceKernel kernel, Scope &scope) {
  kernel.body = InvariantNamer(scope).block(kernel.body);
  return kernel;
}

} // namespace polymend::device_room
