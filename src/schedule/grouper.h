// Where each equation stands while equations are placed one by one.
#pragma once

#include "group.h"
#include "order.h"

#include <functional>

namespace polymend {

class Grouper {
public:
  Grouper(const Relaxed &source, const ScheduleOptions &asked);
  Grouping run();

private:
  struct Seat {
    int kernel = -1, phase = -1;
  };
  using Readers = std::vector<std::pair<int, const Operand *>>; // equations, and what they read one by

  const Relaxed &relaxed;
  const ScheduleOptions &options;
  const System &system;
  std::vector<KernelPlan> kernels;
  std::vector<Seat> seats;
  std::set<int> apart;
  std::vector<int> pending; // the rows assumed for the equation being placed

  [[nodiscard]] const Equation &at(int e) const { return system.equations[static_cast<std::size_t>(e)]; }
  [[nodiscard]] KernelPlan &kernel(int k) { return kernels[static_cast<std::size_t>(k)]; }
  [[nodiscard]] Seat &seat(int e) { return seats[static_cast<std::size_t>(e)]; }
  Member &memberOf(int e);
  [[nodiscard]] int mendedIndex(int e) const;

  void place(int e);
  /// Which kernels wait for which, as far as equations are placed.
  Waits waits();
  /// May e run in phase `phase` of kernel k, as far as what it reads is concerned? `inLoop` are fused producers.
  bool available(int e, int k, int phase, const std::vector<int> &inLoop);
  /// Rows of a prospective member, through one read of a placed member at its own rows.
  std::optional<std::vector<int>> rowsThrough(int e, const Operand &operand);
  bool readsOwnRow(int e, const Operand &operand);
  /// A map joins the loop of an earlier one over the same points that reads an element that it reads.
  bool joinMap(int e);
  /// May the values of a map be stored beside those of another, point by point?
  bool mayStoreBeside(int e, int other);
  /// Becomes a later phase of a kernel whose finished rows it reads.
  bool joinRows(int e);
  void append(int e, int k, const std::vector<int> &rows);
  void open(int e);
  /// Kernels in an order in which every value is computed before it is read.
  std::vector<KernelPlan> ordered();

  /// Joins the loop of the producers whose changes mend it.
  bool joinProducers(int e);
  /// Joins the loop of an earlier producer of a mended reduction that waits for both.
  bool joinPartner(int e);
  /// The seat of `e` beside another producer of the same mended consumer, at the positions at which that one reads
  /// both.
  std::optional<Member> besidePartner(int e, const Blocking &own, const Blocking &partner);

  /// Joins the loop of an earlier reduction over the same rows that reads the same elements at the same time; one that
  /// has further keys does, where both read the same finished reduction, which then is computed once and in the loop.
  bool joinSharing(int e);
  /// Dimension of e that equals each dimension of `other` whenever both read a common element. Keys along which the
  /// common elements do not move run together where one equation reads both values at the same one.
  std::optional<std::vector<int>> shared(int e, int other);

  /// Moves the only reduction of kernel k into the kernel that alone reads it.
  void absorb(int k);
  /// May these rows of a kernel be columns of its tiles? They may where they fit one and other rows remain.
  bool becomeColumns(int k, const std::vector<std::size_t> &rows);
  void leaveRows(int k, const std::vector<std::size_t> &rows);
  /// The key of the read equation that equals a given dimension in every reader, or -1.
  int commonKey(const Readers &readers, int host, const std::function<int(const Member &)> &dimension);
  /// The reduction as one that the phase's loop computes at each of its points; absent: its keys are not those.
  std::optional<Member> innerOf(Member member, const Readers &readers, int host, int phase);
  void placeInner(const Member &member, int host, int phase, int k);
  void placeBefore(const Member &member, int host, int phase, int k);
  void vacate(int k, int e, Seat now);
};

} // namespace polymend
