// What kernels with roles print differently for each family of matrix units: how tiles are copied, how products are
// issued and waited for, who has which registers. All else is the kernel's (role_kernel.cpp).
#pragma once

#include "role_frame.h"

#include <memory>

namespace polymend::print_room {

class RoleUnits {
public:
  explicit RoleUnits(RoleFrame &f) : frame(f), context(f.context) {}
  RoleUnits(const RoleUnits &) = delete;
  RoleUnits &operator=(const RoleUnits &) = delete;
  virtual ~RoleUnits() = default;

  /// Looks at the channels; refused: a copy that the family has no text for.
  virtual std::optional<Refusal> prepare() = 0;

  // The block's threads.
  /// Threads of a block.
  [[nodiscard]] virtual std::int64_t threads() const = 0;
  /// The condition that a warp group is the copying one, and the number of a computing one.
  [[nodiscard]] virtual std::string copies() const = 0;
  [[nodiscard]] virtual std::string group() const = 0;
  /// The number of the first thread that computes; the others follow.
  [[nodiscard]] virtual std::int64_t firstComputing() const = 0;

  // Barriers.
  /// A primitive on barriers: Init, Arrive or Wait.
  virtual std::string barrier(const std::string &what) = 0;
  /// Arrivals of a copy at its slot's full barrier.
  [[nodiscard]] virtual std::int64_t copyArrivals() const = 0;
  /// Does each reading thread give a slot back, not one for its warp? Where threads fill slots, tools that look for
  /// races do not follow an order that goes through a warp's other lanes.
  [[nodiscard]] virtual bool eachReleases() const = 0;
  /// Threads that take a ticket from its slot.
  [[nodiscard]] virtual std::int64_t ticketReaders() const = 0;
  /// After the barriers were prepared.
  virtual void showBarriers(Writer &out) = 0;

  // The copying role.
  virtual void enterCopying(const TileRole &role, Writer &out) = 0;
  /// The condition that a thread of the copying group has nothing to copy; empty: each has.
  [[nodiscard]] virtual std::string idles() const = 0;
  /// Makes the copying threads like those that compute.
  virtual void leaveCopying(const TileRole &computing, Writer &out) = 0;
  virtual void enterChannel(const Channel &channel, Writer &out) = 0;
  /// The condition that a copying thread is the one that draws tickets.
  [[nodiscard]] virtual std::string draws() const = 0;
  using Assign = std::function<void(const std::string &)>;
  /// Gives every copying thread $ticket: `draw` sets the variable it is given (its name, or with its type to declare
  /// it) to the next ticket and hands that to the readers, `take` sets it to what was handed to them.
  virtual void ticket(const Assign &draw, const Assign &take, Writer &out) = 0;
  /// Fills the current slot of a channel, which is empty, and has its full barrier signalled.
  virtual void copy(const TileAsync &async, const Channel &channel, Writer &out) = 0;

  // The computing role.
  virtual void enterComputing(const TileRole &role, Writer &out) = 0;
  /// Issues a contraction, whose target it overwrites if `fresh`. Refused: it is none.
  virtual std::optional<Refusal> contraction(const TileAsync &async, bool fresh, Writer &out) = 0;
  /// How many contractions were issued and are not awaited.
  [[nodiscard]] virtual std::size_t pending() const = 0;
  /// Waits for the contractions of that name; `readLater` are arrays that the block still reads. Do a warp's lanes meet
  /// there?
  virtual bool await(const std::string &name, const std::set<std::string> &readLater, Writer &out) = 0;

  // The host.
  /// Headers beyond those of primitives.
  [[nodiscard]] virtual std::vector<std::string> headers() const = 0;
  /// Parameters of the kernel, and arrays that it reads beside its regions.
  virtual void parameters(LaunchPlan &plan) = 0;
  /// The condition that the kernel can run, before that its results can be stored.
  virtual std::string runs(const LaunchPlan &plan) = 0;
  /// Statements before the launch; `check` prints a call that may fail.
  virtual void beforeLaunch(const Assign &check, Writer &host) = 0;

protected:
  RoleFrame &frame;
  Context &context;
};

std::unique_ptr<RoleUnits> wgmmaUnits(RoleFrame &frame);
std::unique_ptr<RoleUnits> mmaSyncUnits(RoleFrame &frame);

} // namespace polymend::print_room
