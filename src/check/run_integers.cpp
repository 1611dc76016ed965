// A type and a function arrive, the numbers leave that show most: what C++ computes in 64 bits is beyond 32 of them,
// and nothing that it computes with a sign overflows. What the function itself writes may be anything that its type
// holds, of 64 bits half of it, so that sums go on.
#include "run_integers.h"

#include "polymend/element_types.h"

namespace polymend {

namespace {

/// What integers of 32 and 64 bits are, where nobody writes them.
struct Reach {
  Interval ints, longs;
};

class Source {
public:
  Source(const CheckedFunction &of, const Sizes &sizes) : checked(of) {
    for (const auto &[name, value] : sizes) symbols[name] = {value, value};
    findWritten(checked.function.body);
  }

  /// Does no operation overflow, and nothing divide by zero?
  bool keeps(const Reach &reach) const { return keeps(checked.function.body, reach); }

private:
  const CheckedFunction &checked;
  std::map<std::string, Interval> symbols;
  std::set<std::string> written;
  static constexpr Interval sums{-(Wide{1} << 62), Wide{1} << 62}; // of 64 bits, which no run gets to leave

  void findWritten(const Body &body) {
    for (const Node &node : body) {
      if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
        findWritten((*loop)->body);
      } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
        findWritten((*branch)->then);
        findWritten((*branch)->otherwise);
      } else {
        written.insert(std::get<std::shared_ptr<const Assign>>(node)->target);
      }
    }
  }

  Interval valuesOf(const Expr &leaf, const Reach &reach) const {
    const bool isData = leaf.op() == Op::Read && !written.contains(leaf->name);
    if (isData && leaf.type() == Type::Int32) return reach.ints;
    if (leaf.op() == Op::Read && leaf.type() == Type::Int64) return isData ? reach.longs : sums;
    const auto known = leaf.op() == Op::Symbol ? symbols.find(leaf->name) : symbols.end();
    if (known != symbols.end()) return known->second;
    const bool converts = leaf.op() == Op::Cast && isShort(leaf.arg(0).type());
    return limitsOf(converts ? leaf.arg(0).type() : leaf.type());
  }

  bool keeps(const Expr &e, const Reach &reach) const {
    bool all = true;
    visit(e, [&](const Expr &node) {
      if (!isInteger(node.type()) || node->args.size() > 2 || node.op() == Op::Read || node.op() == Op::Cast) return;
      const auto range = [&](const Expr &of) {
        return intervalOf(of, [&](const Expr &leaf) { return valuesOf(leaf, reach); });
      };
      const bool divides = node.op() >= Op::Div && node.op() <= Op::FloorMod;
      const Interval divisor = divides ? range(node.arg(1)) : Interval{1, 1};
      all = all && holds(limitsOf(node.type()), range(node)) && (divisor.least > 0 || divisor.most < 0);
    });
    return all;
  }

  bool keeps(const Body &body, const Reach &reach) const {
    return std::all_of(body.begin(), body.end(), [&](const Node &node) {
      if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) return keeps((*loop)->body, reach);
      if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node))
        return keeps((*branch)->condition, reach) && keeps((*branch)->then, reach) &&
               keeps((*branch)->otherwise, reach);
      return keeps(std::get<std::shared_ptr<const Assign>>(node)->value, reach);
    });
  }
};

Interval around(Wide size) { return {-size, size}; }

} // namespace

Interval integersOf(Type type, const CheckedFunction &checked, const Sizes &sizes) {
  constexpr Interval few{1, 9};
  if (type == Type::Int16) return {-300, 300}; // products of three fit an int
  if (type == Type::UInt16) return {0, 600};
  if (type != Type::Int32 && type != Type::Int64) return limitsOf(type);
  const Source source(checked, sizes);
  for (const unsigned bits : {30U, 20U, 14U, 9U, 5U})
    for (const Interval &longs : {around(Wide{1} << 40), few}) {
      const Interval ints = around(Wide{1} << bits);
      if (source.keeps({ints, longs})) return type == Type::Int32 ? ints : longs;
    }
  return few;
}

} // namespace polymend
