// An integer lies in [-below, above], polynomials over sizes with coefficients that are not negative, so that any part
// of a sum lies within the bounds of all of it, however its terms are ordered. What is made of anything but sizes,
// variables and literals is printed in 64 bits, and needs no bound.
#include "device/reach.h"
#include "device/arranged.h"
#include "device/walk.h"

#include "polymend/polynomial.h"

#include <algorithm>
#include <cmath>

namespace polymend::device_room {

namespace {

/// Products of sizes with factors; a size stands for its magnitude.
using Growth = std::map<Monomial, double, Larger>;

Growth plus(Growth a, const Growth &b) {
  for (const auto &[monomial, factor] : b) a[monomial] += factor;
  return a;
}

Growth scaled(Growth a, double by) {
  for (auto &[monomial, factor] : a) factor *= by;
  return a;
}

Growth larger(Growth a, const Growth &b) {
  for (const auto &[monomial, factor] : b) {
    double &own = a[monomial];
    own = std::max(own, factor);
  }
  return a;
}

Growth product(const Growth &a, const Growth &b) {
  Growth result;
  for (const auto &[left, one] : a)
    for (const auto &[right, other] : b) {
      Monomial both = left;
      both.insert(both.end(), right.begin(), right.end());
      std::ranges::sort(both);
      result[both] += one * other;
    }
  return result;
}

/// Which is less where sizes are large: of fewer factors, then with less in front.
bool growsLess(const Growth &a, const Growth &b) {
  const auto degree = [](const Growth &g) {
    std::size_t most = 0;
    for (const auto &[monomial, factor] : g)
      if (factor > 0) most = std::max(most, monomial.size());
    return most;
  };
  const auto sum = [](const Growth &g) {
    double all = 0;
    for (const auto &[monomial, factor] : g) all += factor;
    return all;
  };
  return degree(a) != degree(b) ? degree(a) < degree(b) : sum(a) < sum(b);
}

using End = std::optional<Growth>; // absent: no bound is known

End operator+(const End &a, const End &b) { return a && b ? End(plus(*a, *b)) : End(); }
End operator*(const End &a, const End &b) { return a && b ? End(product(*a, *b)) : End(); }
End largerOf(const End &a, const End &b) { return a && b ? End(larger(*a, *b)) : End(); }
End lessOf(const End &a, const End &b) { return !a ? b : !b ? a : growsLess(*a, *b) ? a : b; }

/// What an integer may be. Of sizes: made of them, of variables and of literals, and computed in what these have.
struct Reach {
  End below, above;
  bool isOfSizes = true;

  [[nodiscard]] End far() const { return below && above ? End(larger(*below, *above)) : End(); }
};

Growth number(double value) { return {{Monomial(), value}}; }

const Reach foreign{{}, {}, false}; // of memory, of arguments or of floating-point numbers

/// The largest numbers of one kernel, and which of its variables may be larger.
class KernelReach {
public:
  KernelReach(const DeviceProgram &p, const DeviceKernel &k) : program(p), kernel(k) {}
  /// In loops of the host. False: some integer has no bound.
  bool run(const std::vector<PointDim> &around);
  [[nodiscard]] Expr most() const;
  std::set<std::string> wide;

private:
  void block(const DeviceBlock &nodes);
  void bind(const DeviceNode &node);
  void bind(const PointDim &dim);
  void name(const std::string &variable, const Reach &reach);
  void assign(const TileAssign &a) { element(a.target.array, a.target.subscripts); }
  void check(const Expr &e);
  void element(const std::string &array, const std::vector<Expr> &subscripts);
  Reach reach(const Expr &e);
  Reach symbol(const Expr &e);
  Reach integer(const Expr &e, const std::vector<Reach> &args);
  Reach note(const Reach &r);
  void compare(const Expr &e, const std::vector<Reach> &args);
  [[nodiscard]] const TileArray *arrayOf(const std::string &name) const;

  const DeviceProgram &program;
  const DeviceKernel &kernel;
  std::map<std::string, Reach> variables;
  Growth largest = number(reachSlack);
  bool fails = false;
};

/// Keeps in mind that an integer is so large.
Reach KernelReach::note(const Reach &r) {
  if (const End far = r.far())
    largest = larger(std::move(largest), plus(*far, number(reachSlack)));
  else
    fails = true;
  return r;
}

const TileArray *KernelReach::arrayOf(const std::string &name) const {
  for (const DeviceTile &tile : kernel.tiles)
    if (tile.array.name == name) return &tile.array;
  for (const TileArray &array : program.arrays)
    if (array.name == name) return &array;
  return nullptr;
}

Reach KernelReach::symbol(const Expr &e) {
  if (const auto variable = variables.find(e->name); variable != variables.end()) return variable->second;
  if (std::ranges::find(program.sizes, e->name) != program.sizes.end()) {
    const Growth size{{Monomial{e->name}, 1.0}};
    return note({size, size});
  }
  const auto isIt = [&](const auto &scalar) { return scalar.first == e->name; };
  fails = fails || std::ranges::none_of(program.scalars, isIt);
  return foreign;
}

/// An operation that C++ does in the type of its operands: one of 32 bits without a sign makes others such.
void KernelReach::compare(const Expr &e, const std::vector<Reach> &args) {
  bool hasSizes = false, hasNoSign = false;
  for (std::size_t i = e.op() == Op::Select ? 1 : 0; i < args.size(); ++i) {
    hasSizes = hasSizes || (isInteger(e.arg(i).type()) && args[i].isOfSizes && !symbols(e.arg(i)).empty());
    hasNoSign = hasNoSign || e.arg(i).type() == Type::UInt32;
  }
  fails = fails || (hasSizes && hasNoSign);
}

/// Of an operation of integers that are made of sizes.
Reach KernelReach::integer(const Expr &e, const std::vector<Reach> &args) {
  const Reach &a = args.front(), &b = args.back();
  const End far = a.far(), other = b.far();
  const auto isPositive = [](const Expr &by) { return by.op() == Op::Integer && by->integer > 0; };
  switch (e.op()) {
  case Op::Add: return note({a.below + b.below, a.above + b.above});
  case Op::Sub: return note({a.below + b.above, a.above + b.below});
  case Op::Neg: return note({a.above, a.below});
  case Op::Mul: return note({a.below * b.above + a.above * b.below, a.below * b.below + a.above * b.above});
  case Op::Min: return {largerOf(a.below, b.below), lessOf(a.above, b.above)};
  case Op::Max: return {lessOf(a.below, b.below), largerOf(a.above, b.above)};
  case Op::Select: return {largerOf(a.below, b.below), largerOf(a.above, b.above)};
  case Op::Abs: return {number(0), far};
  case Op::Cast: return isInteger(e.type()) && e.type() != Type::UInt32 ? a : foreign;
  case Op::Div:
  case Op::FloorDiv: {
    if (!isPositive(e.arg(1)) || !far) return {far, far};
    const double by = 1 / static_cast<double>(e.arg(1)->integer);
    return {plus(scaled(*a.below, by), number(1)), scaled(*a.above, by)};
  }
  case Op::Mod: return {lessOf(a.below, other), lessOf(a.above, other)};
  case Op::FloorMod: return {other, other};
  case Op::ShiftRight: return {far ? End(plus(*a.below, number(1))) : far, a.above};
  case Op::ShiftLeft: {
    constexpr std::int64_t bits = 31;
    if (!isPositive(e.arg(1)) || e.arg(1)->integer > bits) return note(foreign);
    const Growth by = number(std::ldexp(1.0, static_cast<int>(e.arg(1)->integer)));
    return note({a.below * End(by), a.above * End(by)});
  }
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor: {
    const End both = far + far + other + other; // below the next power of two
    return {both, both};
  }
  default: return note(foreign);
  }
}

/// Of `e`, and all that is within it.
Reach KernelReach::reach(const Expr &e) {
  if (e.op() == Op::Integer) {
    const auto value = static_cast<double>(e->integer);
    return {number(value < 0 ? -value : 0), number(value < 0 ? 0 : value)};
  }
  if (e.op() == Op::Symbol) return isInteger(e.type()) ? symbol(e) : foreign;
  if (e.op() == Op::Read) element(e->name, e->args);
  if (e.op() == Op::Read || e.op() == Op::Real) return foreign;
  std::vector<Reach> args;
  for (const Expr &arg : e->args) args.push_back(reach(arg));
  fails = fails || (e.op() == Op::Call && e->name.starts_with("."));
  if (isFloating(e.type()) || e.op() == Op::Call) return foreign;
  const bool isSum = e.op() == Op::Add || e.op() == Op::Sub || e.op() == Op::Mul || e.op() == Op::Cast;
  if (!isSum) compare(e, args);
  if (e.op() == Op::Select) args.erase(args.begin());
  const auto isOfSizes = [](const Reach &arg) { return arg.isOfSizes; };
  if (e.type() == Type::Bool || args.empty() || !std::ranges::all_of(args, isOfSizes)) {
    if (e.op() == Op::ShiftLeft && args.front().isOfSizes) note(foreign);
    return foreign;
  }
  return integer(e, args);
}

/// `e` as it stands and as it is printed where it bounds something.
void KernelReach::check(const Expr &e) {
  if (!e) return;
  for (const Expr &spelled : {e, isInteger(e.type()) ? simplify(e) : e}) {
    const Reach own = reach(spelled);
    if (isInteger(spelled.type()) && own.isOfSizes) note(own);
  }
}

/// Its place is computed from the first subscript on, times the extent of the next dimension.
void KernelReach::element(const std::string &array, const std::vector<Expr> &subscripts) {
  for (const Expr &subscript : subscripts) check(subscript);
  const TileArray *const declared = arrayOf(array);
  if (!declared || subscripts.size() < 2 || subscripts.size() != declared->extents.size()) return;
  Expr offset = simplify(subscripts.front());
  for (std::size_t i = 1; i < subscripts.size(); ++i) {
    if (!declared->extents[i]) {
      fails = true;
      return;
    }
    offset = offset * declared->extents[i] + simplify(subscripts[i]);
  }
  if (const Reach place = reach(offset); place.isOfSizes) note(place);
}

void KernelReach::name(const std::string &variable, const Reach &reach) {
  const bool isWide = !reach.isOfSizes || !reach.far();
  const auto known = variables.find(variable);
  const bool wasWide = wide.contains(variable), isAnother = known != variables.end() && wasWide != isWide;
  if (isWide) wide.insert(variable);
  fails = fails || isAnother; // the text knows variables by their names
  variables[variable] = isWide ? foreign : note(reach);
}

void KernelReach::bind(const PointDim &dim) {
  check(dim.first);
  check(dim.limit);
  const Reach first = reach(simplify(dim.first)), limit = reach(simplify(dim.limit));
  name(dim.variable, {first.below, largerOf(first.above, limit.above), first.isOfSizes && limit.isOfSizes});
}

void KernelReach::bind(const DeviceNode &node) {
  if (const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&node)) {
    bind(PointDim{(*loop)->variable, (*loop)->first, (*loop)->limit, PointDim::Kind::Serial});
    note({number(0), number(static_cast<double>((*loop)->step))});
  }
  if (const auto *ahead = std::get_if<DeviceReadAhead>(&node)) {
    name(numberOfTerm, reach(simplify(ahead->limit)));
    if (ahead->own) bind(*ahead->own);
  }
  const auto *deal = std::get_if<std::shared_ptr<const DeviceDeal>>(&node);
  if (!deal) return;
  for (const PointDim &dim : (*deal)->points.dims) bind(dim);
  End all = number(2); // as of a grid
  for (const DealtDim &dim : (*deal)->dealt) {
    if ((*deal)->fixed) continue; // of so many elements as threads have in tiles
    const Reach first = reach(simplify(dim.first)), limit = reach(simplify(dim.limit));
    all = all * (limit.above + first.below);
  }
  note({number(0), all});
  for (const TileAssign &a : (*deal)->points.body) assign(a);
}

void KernelReach::block(const DeviceBlock &nodes) {
  for (const DeviceNode &node : nodes) {
    const auto *deal = std::get_if<std::shared_ptr<const DeviceDeal>>(&node);
    const auto *let = std::get_if<DeviceLet>(&node);
    const bool isKnown = std::holds_alternative<TileNote>(node) || (let && isFloating(let->value.type())) ||
                         std::holds_alternative<DeviceAssign>(node) || std::holds_alternative<DeviceBarrier>(node) ||
                         std::holds_alternative<DeviceReadAhead>(node) ||
                         std::holds_alternative<std::shared_ptr<const DeviceLoop>>(node) ||
                         std::holds_alternative<std::shared_ptr<const DeviceBranch>>(node) ||
                         std::holds_alternative<std::shared_ptr<const DeviceOne>>(node) ||
                         (deal && (*deal)->form != DeviceDeal::Form::Fours);
    fails = fails || !isKnown;
    if (fails) return;
    bind(node);
    eachExpr(node, [&](const Expr &e) { check(e); });
    if (const auto *a = std::get_if<DeviceAssign>(&node)) assign(a->what);
    for (const DeviceBlock *inner : blocksOf(node)) block(*inner);
  }
}

/// Are its threads' numbers, and all they do, made of what stands in the text alone?
bool isPlain(const DeviceKernel &kernel) {
  const auto isSlice = [](const DeviceTile &tile) { return tile.place == DeviceTile::Place::Slice; };
  return kernel.team && !kernel.roles && !kernel.arrival && !kernel.isCalled && kernel.fallback.empty() &&
         !kernel.team->row && !kernel.team->begin && !kernel.team->window && kernel.team->kept.empty() &&
         !std::ranges::any_of(kernel.tiles, isSlice);
}

bool KernelReach::run(const std::vector<PointDim> &around) {
  if (!isPlain(kernel)) return false;
  for (const PointDim &loop : around) bind(loop);
  End points = number(2); // the number of a thread's next point is computed before it is compared
  for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
    bind(kernel.grid[i]);
    const auto &[first, limit] = kernel.team->box[i];
    check(first);
    check(limit);
    points = points * (reach(simplify(limit)).above + reach(simplify(first)).below);
  }
  if (!kernel.grid.empty()) note({number(0), points});
  block(kernel.body);
  return !fails;
}

/// Over sizes, as a Float64.
Expr KernelReach::most() const {
  Expr sum;
  for (const auto &[monomial, factor] : largest) {
    std::vector<Expr> factors{Expr::real(factor, Type::Float64)};
    for (const std::string &size : monomial) factors.push_back(Expr::symbol(size, Type::Int64));
    const Expr term = callPrimitive("bound", factors, Type::Float64);
    if (factor > 0) sum = sum ? sum + term : term;
  }
  return sum;
}

/// The program's kernels, in the loops of the host around their launches.
class Launches {
public:
  explicit Launches(DeviceProgram &p) : program(p) {}
  void block(const DeviceBlock &nodes);

private:
  void kernel(DeviceKernel &k);

  DeviceProgram &program;
  std::vector<PointDim> loops;         // whose variables kernels are given
  std::set<const DeviceKernel *> seen; // a kernel that is launched at two places has no bound
};

void Launches::kernel(DeviceKernel &k) {
  k.reach = {};
  k.wide.clear();
  KernelReach found(program, k);
  if (!seen.insert(&k).second || !found.run(loops)) return;
  k.reach = found.most();
  k.wide = found.wide;
}

void Launches::block(const DeviceBlock &nodes) {
  for (const DeviceNode &node : nodes) {
    if (const auto *launch = std::get_if<DeviceLaunch>(&node)) kernel(program.kernels[launch->kernel]);
    const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&node);
    if (loop) loops.push_back({(*loop)->variable, (*loop)->first, (*loop)->limit, PointDim::Kind::Serial});
    for (const DeviceBlock *inner : blocksOf(node)) block(*inner);
    if (loop) loops.pop_back();
  }
}

} // namespace

DeviceProgram withReaches(DeviceProgram program) {
  const std::vector<DeviceStep> steps = program.steps;
  const auto hasUnits = [](const DeviceKernel &kernel) { return kernel.roles != nullptr; };
  if (std::ranges::any_of(program.kernels, hasUnits)) return program; // others stand in for these, or are short
  Launches launches(program);
  for (const DeviceStep &step : steps) {
    launches.block(step.host);
    launches.block(step.unmarked);
  }
  return program;
}

} // namespace polymend::device_room
