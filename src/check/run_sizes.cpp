// A function and a time arrive, the sizes to run leave. Wanted are 0, 1, a small odd size, and around the extent of
// every tile: one less, just as many, one more, and one more than two tiles; then a prime. Each is tried with the other
// sizes small, and all together. Sizes along which there are no tiles need less; where nothing is tiled each counts as
// tiled by what a vector loop may be unrolled to. Where the result asks something of sizes at its entry (rows that do
// not overlap), all are raised to meet it, but for one assignment for each part of it that does not: the fallback.
// Where sizes decide which kernel runs, each gets its own, and so does each constant that one is compared with.
//
// note [time]: a third of the time is for random data, the rest for the other kinds. No single run of random data may
// take more than a third of what is left, so that later sizes get their share, or three quarters where there are
// several tiles; where a size does not fit the others shrink to 1, and what does not fit even so is told. 0, 1 and a
// small size run whatever they cost, the latter with as many kinds of data as there is time for.
#include "run.h"

#include <algorithm>

namespace polymend {

namespace {

constexpr std::int64_t usualTile = 64, prime = 97, small = 3;

bool isTiled(const CheckedFunction &checked, const std::string &name) {
  return checked.tiles.empty() || checked.tiles.contains(name);
}

/// The extents of the tiles along a size, the largest last.
std::vector<std::int64_t> extentsOf(const CheckedFunction &checked, const std::string &name) {
  const auto found = checked.tiles.find(name);
  if (found == checked.tiles.end() || found->second.empty()) return {usualTile};
  return {found->second.begin(), found->second.end()};
}

/// Values of one size by importance.
std::vector<std::int64_t> valuesOf(const CheckedFunction &checked, const std::string &name) {
  if (!isTiled(checked, name)) return {usualTile + 1, 0, 1, small};
  const std::vector<std::int64_t> extents = extentsOf(checked, name);
  std::vector<std::int64_t> values{2 * extents.back() + 1};
  for (std::int64_t more : {1, -1, 0})
    for (std::int64_t extent : extents) values.push_back(extent + more);
  for (std::int64_t value : {prime, std::int64_t(0), std::int64_t(1), small}) values.push_back(value);
  return values;
}

/// One size at a value; the others are small and odd, or 1.
Sizes alone(const std::vector<std::string> &names, const std::string &chosen, std::int64_t value, bool others) {
  Sizes sizes;
  std::int64_t odd = small;
  for (const std::string &name : names) {
    sizes[name] = name == chosen ? value : others ? odd : 1;
    odd += 2;
  }
  return sizes;
}

Sizes all(const CheckedFunction &checked, std::int64_t value) {
  Sizes sizes;
  for (const std::string &name : checked.function.sizes) sizes[name] = value;
  return sizes;
}

/// Every size at `times` of its largest tile and `more`, those without tiles small.
Sizes together(const CheckedFunction &checked, std::int64_t times, std::int64_t more) {
  Sizes sizes;
  for (const std::string &name : checked.function.sizes)
    sizes[name] = isTiled(checked, name) ? times * extentsOf(checked, name).back() + more : small;
  return sizes;
}

/// Parameters with constants that the function compares them with, as a kind of what is to be computed.
class Compared {
public:
  explicit Compared(const Function &of) : function(of) { take(function.body); }
  [[nodiscard]] const std::set<std::pair<std::string, std::int64_t>> &values() const { return found; }

private:
  const Function &function;
  std::set<std::pair<std::string, std::int64_t>> found;

  void take(const Body &body) {
    for (const Node &node : body) {
      if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
        take((*loop)->body);
      } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
        take((*branch)->condition);
        take((*branch)->then);
        take((*branch)->otherwise);
      } else {
        take(std::get<std::shared_ptr<const Assign>>(node)->value);
      }
    }
  }

  void take(const Expr &e) {
    visit(e, [&](const Expr &node) {
      if (node.op() != Op::Eq && node.op() != Op::Ne && node.op() != Op::Lt && node.op() != Op::Le) return;
      for (const bool isSecond : {false, true}) {
        const Expr &name = node.arg(isSecond ? 1 : 0), &constant = node.arg(isSecond ? 0 : 1);
        if (name.op() != Op::Symbol || constant.op() != Op::Integer) continue;
        if (std::ranges::find(function.sizes, name->name) == function.sizes.end()) continue;
        found.emplace(name->name, constant->integer);
        const bool isEdge = node.op() == Op::Lt || node.op() == Op::Le;
        if (isEdge) found.emplace(name->name, constant->integer + ((node.op() == Op::Lt) == isSecond ? 1 : -1));
      }
    });
  }
};

/// Chooses sizes until the time is spent.
class Chooser {
public:
  Chooser(const CheckedFunction &function, double seconds)
      : checked(function), left(seconds / 3), forKinds(seconds - left) {}
  SizePlan plan();

private:
  [[nodiscard]] double cost(const Sizes &sizes) const;
  [[nodiscard]] std::size_t kindsOf(const Sizes &sizes) const;
  void take(const Sizes &wanted, std::size_t kinds);
  void add(const Sizes &sizes, std::size_t kinds);
  void tryRandom(const std::vector<Sizes> &wanted, double share = 1.0 / 3);
  double tryKinds(const std::vector<std::vector<Sizes>> &groups, double most);
  void tryFallbacks(const Expr &given);
  void tryChoices();
  void tryCompared();
  [[nodiscard]] Sizes fitting(const Sizes &sizes) const;
  [[nodiscard]] Sizes aligned(const Sizes &sizes) const;
  [[nodiscard]] std::vector<std::vector<Sizes>> edges() const;

  const CheckedFunction &checked;
  SizePlan result;
  double left, forKinds;
};

/// Sizes that meet what the result asks of them, and at which no loop of the source leaves an array of its own.
Sizes Chooser::fitting(const Sizes &sizes) const {
  constexpr int rounds = 3; // larger sizes may reach further
  Sizes found = repaired(checked.given, sizes).value_or(sizes);
  for (int round = 0; round < rounds; ++round) {
    const Expr room = roomAsked(checked, found);
    if (!room) break;
    found = repaired(checked.given ? Expr::make(Op::And, {checked.given, room}) : room, found).value_or(found);
  }
  return found;
}

/// With every size that a kernel may ask to be aligned rounded up: those without tiles, or all.
Sizes Chooser::aligned(const Sizes &sizes) const {
  Sizes rounded = fitting(sizes);
  const auto strides = checked.given ? symbols(checked.given) : std::set<std::string>();
  for (auto &[name, value] : rounded)
    if (!isTiled(checked, name) || strides.empty())
      value = (value + checked.alignment - 1) / checked.alignment * checked.alignment;
  return fitting(rounded);
}

double Chooser::cost(const Sizes &sizes) const {
  const auto found = shapes(checked, sizes);
  return found ? secondsOf(checked, sizes, *found) : 0;
}

std::size_t Chooser::kindsOf(const Sizes &sizes) const {
  const auto found = shapes(checked, sizes);
  return found ? dataKinds(*found).size() : 1;
}

void Chooser::take(const Sizes &wanted, std::size_t kinds) { add(fitting(wanted), kinds); }

void Chooser::add(const Sizes &sizes, std::size_t kinds) {
  const auto same =
      std::find_if(result.runs.begin(), result.runs.end(), [&](const SizedRun &run) { return run.sizes == sizes; });
  if (same == result.runs.end())
    result.runs.push_back({sizes, kinds});
  else
    same->kinds = std::max(same->kinds, kinds);
}

/// The first of these that can be afforded; else the first is told to be too long.
void Chooser::tryRandom(const std::vector<Sizes> &wanted, double share) {
  for (const Sizes &asked : wanted) {
    const Sizes sizes = fitting(asked);
    const bool isTaken =
        std::any_of(result.runs.begin(), result.runs.end(), [&](const SizedRun &run) { return run.sizes == sizes; });
    if (isTaken) return;
    const double seconds = cost(sizes);
    if (seconds > share * left) continue;
    left -= seconds;
    return take(sizes, 1);
  }
  const Sizes first = fitting(wanted.front());
  if (std::find(result.tooLong.begin(), result.tooLong.end(), first) == result.tooLong.end())
    result.tooLong.push_back(first);
}

/// Every kind of data at the first group of sizes that can be afforded, or as many kinds as can be at the last.
/// Returns what that takes.
double Chooser::tryKinds(const std::vector<std::vector<Sizes>> &groups, double most) {
  for (const std::vector<Sizes> &group : groups) {
    double seconds = 0;
    for (const Sizes &asked : group) {
      const Sizes sizes = fitting(asked);
      seconds += cost(sizes) * static_cast<double>(kindsOf(sizes));
    }
    if (seconds > most && &group != &groups.back()) continue;
    const double share = std::min(1.0, most / std::max(seconds, 1e-9));
    for (const Sizes &sizes : group)
      take(sizes,
           std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(kindsOf(fitting(sizes))))));
    return share * seconds;
  }
  return 0;
}

/// One more than a tile: in every size, else in each size alone.
std::vector<std::vector<Sizes>> Chooser::edges() const {
  std::vector<std::vector<Sizes>> groups{{aligned(together(checked, 1, 1))}};
  for (bool others : {true, false}) {
    std::vector<Sizes> &group = groups.emplace_back();
    for (const std::string &name : checked.function.sizes)
      if (isTiled(checked, name))
        group.push_back(alone(checked.function.sizes, name, extentsOf(checked, name).back() + 1, others));
  }
  return groups;
}

/// Small sizes for which one part of the condition does not hold, for each part.
void Chooser::tryFallbacks(const Expr &given) {
  if (!given) return;
  if (given.op() == Op::And) {
    tryFallbacks(given.arg(0));
    return tryFallbacks(given.arg(1));
  }
  if (given.op() == Op::Eq && given.arg(0).op() == Op::Symbol && isDerived(checked.function, given.arg(0)->name))
    return;
  if (const auto sizes = repaired(Expr::make(Op::Not, {given}), fitting(all(checked, small)))) add(*sizes, 2);
}

/// Sizes on either side of each choice between kernels.
void Chooser::tryChoices() {
  for (const Expr &choice : checked.choices)
    for (const Expr &side : {choice, Expr::make(Op::Not, {choice})}) {
      const Expr both = checked.given ? Expr::make(Op::And, {side, checked.given}) : side;
      if (const auto sizes = repaired(both, all(checked, small))) tryRandom({*sizes}, 0.75);
    }
}

/// Each constant that a parameter is compared with, the others small.
void Chooser::tryCompared() {
  const Compared compared(checked.function);
  for (const auto &[name, value] : compared.values())
    tryRandom({alone(checked.function.sizes, name, value, true), alone(checked.function.sizes, name, value, false)});
}

SizePlan Chooser::plan() {
  const std::vector<std::string> &names = checked.function.sizes;
  if (!names.empty())
    for (std::int64_t value : {0, 1}) take(all(checked, value), 1);
  forKinds -= tryKinds({{aligned(all(checked, small))}}, forKinds / 2);
  if (names.empty()) return result;
  tryFallbacks(checked.given);
  tryChoices();
  tryCompared();
  tryKinds(edges(), forKinds);
  std::size_t most = 0;
  for (const std::string &name : names) most = std::max(most, valuesOf(checked, name).size());
  for (std::size_t k = 0; k < most; ++k) {
    for (const std::string &name : names)
      if (const auto values = valuesOf(checked, name); k < values.size())
        tryRandom({alone(names, name, values[k], true), alone(names, name, values[k], false)}, k == 0 ? 0.75 : 1.0 / 3);
    if (k == 0) tryRandom({aligned(together(checked, 2, 1))});
  }
  for (const Sizes &sizes :
       {together(checked, 1, 1), together(checked, 1, 0), together(checked, 1, -1), all(checked, prime)})
    for (const Sizes &one : {aligned(sizes), sizes}) tryRandom({one});
  return result;
}

} // namespace

SizePlan usualSizes(const CheckedFunction &checked, double seconds) { return Chooser(checked, seconds).plan(); }

} // namespace polymend
