// Regions that a role does in registers.
#pragma once

#include "device/arranged.h"
#include "polymend/device.h"

#include <map>

namespace polymend::device_room {

/// Maps the regions of a role in the order of its text.
class RegisterMapper {
public:
  RegisterMapper(const Kernel &kernel, const TileProgram &program, const DeviceRoles &roles, bool approximates);
  /// Adds what the region does; refused: no registers can do it.
  std::optional<Refusal> region(const TilePoints &points, DeviceBlock &out);
  /// What was asked is out of scope: a block of the text begins or ends.
  void forgetVote() { vote.reset(); }
  /// The parts of a sum are added up.
  void combine(const std::string &sum);

private:
  using Form = DeviceRegisters::Form;
  /// The coordinates of a region: its dimension along the rows and the one along the columns.
  struct Plane {
    const PointDim *rows = nullptr, *columns = nullptr;
  };
  [[nodiscard]] std::optional<Plane> planeOf(const TilePoints &points) const;
  [[nodiscard]] const TileArray *fragment(const std::string &name) const;
  [[nodiscard]] bool isChannel(const std::string &name) const;
  std::optional<Refusal> parts(const TilePoints &points, const Plane &plane, DeviceBlock &out);
  [[nodiscard]] DeviceRegisters partOf(const TileAssign &a, const Plane &plane, Form form) const;
  [[nodiscard]] Expr placed(const Expr &e, const Plane &plane) const;
  Expr hoisted(const Expr &e, const Plane &plane, const ElementScope &own, DeviceRegisters &part);

  // Rows.
  void rowRegions(const std::vector<TileAssign> &body, const Plane &plane, DeviceBlock &out);
  void rowRegion(const TileAssign &a, const Plane &plane, DeviceBlock &out);
  /// Which of a thread's rows a condition concerns, and whether any row of its warp: asked once, while what the
  /// condition reads stands.
  struct Vote {
    Expr condition; // over "row"
    std::string name;
    std::set<std::string> reads;        // arrays
    std::map<std::string, Expr> others; // arrays, and their value in the rows that are not concerned
  };
  [[nodiscard]] bool isVoted(const Expr &condition) const;
  [[nodiscard]] bool isOfVote(const Expr &condition, const Plane &plane) const;
  const Vote &voteOn(const Expr &condition, const Plane &plane, DeviceBlock &out);
  [[nodiscard]] std::size_t votedTogether(const std::vector<TileAssign> &body, std::size_t first) const;
  [[nodiscard]] bool standsElsewhere(const TileAssign &a) const;
  void noteWritten(const std::string &array);

  // Elements.
  [[nodiscard]] bool isMoved(const TileAssign &a) const;
  std::optional<Refusal> elementRegion(const TileAssign &a, const Plane &plane, DeviceBlock &out);
  std::optional<Refusal> reduction(const TileAssign &a, const Plane &plane, DeviceBlock &out);
  void store(const TileAssign &a, const Plane &plane, DeviceBlock &out);
  void nameRepeatedReads(Expr &value, DeviceRegisters &part, ElementScope &own);
  [[nodiscard]] bool asWords(const TileAssign &a, const Plane &plane, DeviceRegisters &part) const;

  const Kernel &kernel;
  const TileProgram &program;
  const DeviceRoles &roles;
  const bool approximates;
  const std::set<std::string> reported; // tiles of which an element that is no number has its row marked
  const ElementScope scope;
  std::int64_t warpsN = 1, ofBlock = 0; // warps of a group beside each other; registers of 16 rows of a matrix
  int hoists = 0, votes = 0, quotients = 0;
  std::set<std::string> open; // sums not yet combined across the threads of a row
  std::optional<Vote> vote;
};

} // namespace polymend::device_room
