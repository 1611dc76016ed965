// Runs the subscripts of a device program at small sizes: every access is an array and an element. Arrays of integers
// that nothing writes are at hand, so that what is gathered through them is seen; conditions that read other values are
// taken to hold.
#pragma once

#include "polymend/verify_device.h"

#include "tile/evaluate.h"

#include <map>
#include <set>

namespace polymend::device_room {

class Tracer {
public:
  /// At most `limit` accesses and iterations are looked at.
  Tracer(const DeviceProgram &program, const Memory &memory, std::size_t limit);
  virtual ~Tracer() = default;
  Tracer(const Tracer &) = delete;
  Tracer &operator=(const Tracer &) = delete;

protected:
  virtual void access(const std::string &array, std::int64_t element, bool writes) = 0;
  /// What the node reads and writes; a condition that can be told leaves some of it out.
  void assign(const TileAssign &a);
  void reading(const Expr &e);
  void touch(const std::string &array, const std::vector<Expr> &subscripts, bool writes);
  /// What is computed from here on is compared with the kernel's reach.
  void within(const DeviceKernel &kernel);
  /// A tile is in scope, until it leaves.
  void declare(const TileArray &tile);
  void leave(const TileArray &tile) { extents.erase(tile.name); }
  /// Calls `f` for every value of the variable.
  template <class F> void iterate(const PointDim &d, std::int64_t step, const F &f) {
    if (!isKnown(d.first) || !isKnown(d.limit)) return;
    const std::int64_t first = integer(d.first), limit = integer(d.limit);
    compare(d.first, first);
    compare(d.limit, limit);
    for (std::int64_t i = first; i < limit && !isOver(); i += std::max<std::int64_t>(step, 1)) {
      env.integers[d.variable] = i;
      ++steps;
      f();
    }
    env.integers.erase(d.variable);
  }
  /// Calls `f` for every point of the dimensions from `dim` on.
  template <class F> void dims(const std::vector<PointDim> &all, std::size_t dim, const F &f) {
    if (dim == all.size()) return f();
    iterate(all[dim], 1, [&] { dims(all, dim + 1, f); });
  }
  /// Whether it can be evaluated: it reads nothing but arrays that are at hand.
  [[nodiscard]] bool isKnown(const Expr &e) const;
  [[nodiscard]] std::int64_t integer(const Expr &e) { return tile::evaluate(e, env).integer(); }
  [[nodiscard]] bool holds(const Expr &condition) { return tile::evaluate(condition, env).truth(); }
  [[nodiscard]] bool isOver() const { return steps >= most || env.fault; }

  const DeviceProgram &program;
  tile::Environment env;
  std::set<std::string> found; // what is wrong
  std::string place;

private:
  /// Is an integer further from zero than it may be?
  void compare(const Expr &e, std::int64_t value);

  std::optional<double> reach;
  std::set<std::string> wide; // see DeviceKernel
  std::size_t most, steps = 0;
  std::map<std::string, std::vector<std::int64_t>> extents; // of every array in scope
  std::map<std::string, std::vector<double>> values;        // of what subscripts may read
};

/// What two threads of a team touch between barriers, of which one writes.
std::vector<std::string> teamRaces(const DeviceKernel &kernel, const DeviceProgram &program, const Memory &memory,
                                   std::size_t most);

} // namespace polymend::device_room
