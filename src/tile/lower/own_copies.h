// What stands for an array that the turns of a loop have for themselves.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace polymend {

/// The copies that hold where the loops stand that are being written. Within a thread's loop a copy is the thread's
/// own; where regions share a loop's turns, the copies are elements of one array in memory, one for each turn.
class OwnCopies {
public:
  OwnCopies(const Scop &model, TileProgram &target) : scop(model), program(target) {}

  /// From here on each thread has arrays of these for itself, which are returned.
  std::vector<TileArray> forThread(const std::vector<std::string> &arrays);

  /// From here on each point along a dimension of a region has arrays of these for itself. False: how many that are
  /// changes with the loops around it.
  [[nodiscard]] bool forPoints(const std::vector<std::string> &arrays, const PointDim &dim);

  /// The array that stands for this one, and the subscripts that come before its own.
  Ref standingFor(const std::string &array);

  [[nodiscard]] bool isOwn(const std::string &array) const { return here.contains(array); }
  /// Has it a copy anywhere?
  [[nodiscard]] bool isCopied(const std::string &array) const { return copied.contains(array); }
  /// The arrays that have copies somewhere, and elsewhere none.
  [[nodiscard]] std::set<std::string> halfShared() const;

  /// A name that no array or scalar of the function has.
  [[nodiscard]] std::string freshName(std::string name) const;

  /// A copy, and the numbers of turns before the array's own extents.
  struct Copy {
    Ref first; // its array is named, and made, where it is first asked for
    std::vector<Expr> turns = {};
  };
  using Copies = std::map<std::string, std::shared_ptr<Copy>>; // by the name of what they stand for
  [[nodiscard]] Copies now() const { return here; }
  void backTo(const Copies &copies) { here = copies; }

private:
  const Scop &scop;
  TileProgram &program;
  Copies here;
  std::set<std::string> copied, inMemory; // arrays that have copies somewhere, and those met without
};

} // namespace polymend
