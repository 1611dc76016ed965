// A kernel with a grid on its way to text: what is decided once for all its points, and who prints which part.
#pragma once

#include "gpu_group.h"
#include "print/gpu_kernel.h"

namespace polymend::print_room {

/// A kernel's grid and tiles on their way to text.
class GridPrinter {
public:
  GridPrinter(const Kernel &k, DeviceFunction &f, Writer &w)
      : kernel(k), function(f), context(f.context), host(w), values({f.program.sizes.begin(), f.program.sizes.end()}) {}
  /// Prints also `next`, run by the last groups to arrive, where that can be.
  void combineWith(const Kernel *next) { after = next; }
  std::optional<Refusal> print();
  /// Prints the work at a point as a function, and calls it; nothing where kernels with these roles could not.
  bool printForRoles(const std::vector<const Kernel *> &users);
  [[nodiscard]] bool combines() const { return arrivals.has_value(); }

private:
  std::optional<Refusal> measure();
  std::optional<Refusal> prepare();
  void launch();
  void forget();
  [[nodiscard]] bool needsWholeBlocks(const Kernel &user) const;
  [[nodiscard]] bool hasWholeBlocks(const Kernel &user) const;
  [[nodiscard]] bool serves(const std::vector<const Kernel *> &users);
  void definePoint();
  [[nodiscard]] std::string scratchBlocks(const std::string &points);
  [[nodiscard]] std::set<std::string> globals() const;
  /// Where the threads that run a point combine values: behind the tiles.
  [[nodiscard]] std::int64_t teamOffset() const { return (layout.bytes + 15) / 16 * 16; }
  void chooseGroups();
  void keepOwned(const std::set<std::string> &owned);
  void chooseCombination();
  void declareArrived(const std::string &points);
  void declareWindows();
  void combine(Writer &out, const std::string &point);
  void declareTiles(Writer &out);
  void declareShared(Writer &out);
  [[nodiscard]] std::string sliceOf(const TileArray &array);
  void declareHeld(Writer &out);
  void allocateScratch(const std::string &points);
  void coordinates(Writer &out, const std::string &point, bool &skips);
  void loop(Writer &out);
  [[nodiscard]] bool runsPerThread() const;
  [[nodiscard]] Surroundings surroundings() const;

  const Kernel &kernel;
  DeviceFunction &function;
  Context &context;
  Writer &host;
  HostValues values;
  TileBlock body;
  bool perThread = false;
  std::map<std::string, std::string> slices; // of scratch: the parameter by the tile's name
  PointFunction *atPoint = nullptr;          // what the body is, where kernels with roles run it too
  std::string anyMark, markWords;            // the words that say whether there is anything to do; empty: there is
  Layout layout;
  LaunchPlan plan;
  std::vector<Box> boxes;
  std::optional<GroupPlan> groups;
  const Kernel *after = nullptr; // what the last groups run, once `arrivals` of them are there
  TileBlock afterBody;
  std::set<std::string> afterHeld;
  std::optional<GroupPlan> afterGroups;
  std::optional<std::int64_t> arrivals;
  std::string arrived; // the counters of groups
  Expr terms;          // their number, where those of all sums are read ahead
};

} // namespace polymend::print_room
