// A kernel of a device program on its way to text.
#pragma once

#include "print/gpu_kernel.h"

namespace polymend::print_room {

/// A kernel's definition and its launch.
class KernelPrinter {
public:
  KernelPrinter(const DeviceKernel &k, DeviceFunction &f, Writer &w)
      : kernel(k), team(*k.team), function(f), context(f.context), host(w),
        values({f.program.sizes.begin(), f.program.sizes.end()}) {}
  void print();
  /// Prints the work at a point as a function as well, for these kernels with roles.
  void printForRoles(const std::vector<const DeviceRoles *> &users);

private:
  void place(const std::vector<DeviceTile> &tiles);
  void forget();
  void launch();
  [[nodiscard]] std::string blocksOf(const std::string &points);
  void launchGrid();
  void launchWide();
  void definePoint();
  [[nodiscard]] std::string scratchBlocks(const std::string &points);
  void declareArrived(const std::string &points);
  void declareWindows();
  void combine(Writer &out, const std::string &point);
  void declareTiles(Writer &out);
  void declareShared(Writer &out);
  [[nodiscard]] std::string sliceOf(const TileArray &array);
  void declareHeld(Writer &out);
  void allocateScratch(const std::string &points);
  [[nodiscard]] std::string sizeOf(std::size_t dim);
  void coordinates(Writer &out, const std::string &point, const std::string &leave = "continue");
  void rows(Writer &out);
  void segments(Writer &out);
  std::string elements(Writer &out);
  template <class Inside>
  void ofPoint(Writer &out, const std::string &name, const std::string &parameters, const std::string &result,
               const std::string &none, const Inside &inside);
  void declarePieces(const std::string &count);
  void loop(Writer &out);
  void body(Writer &out);
  [[nodiscard]] bool isThread() const { return team.kind == DeviceTeam::Kind::Thread; }
  [[nodiscard]] bool isGroup() const { return team.kind == DeviceTeam::Kind::Group; }
  [[nodiscard]] bool has(DeviceTile::Place where) const;

  const DeviceKernel &kernel;
  const DeviceTeam &team;
  DeviceFunction &function;
  Context &context;
  Writer &host;
  HostValues values;
  std::map<std::string, std::string> slices;   // the parameter by the tile's name
  std::map<std::string, std::string> divisors; // by sizes of the grid, by dimensions' variables
  PointFunction *atPoint = nullptr;            // what the body is, where kernels with roles run it too
  std::string anyMark, markWords;              // the words that say whether there is anything to do; empty: there is
  LaunchPlan plan;
  std::string arrived; // the counters of groups
};

} // namespace polymend::print_room
