// Element-wise regions of a computing role: what the threads of a warp group do with the registers that hold their
// share of the tiles.
#pragma once

#include "device/shared_division.h"
#include "polymend/device.h"
#include "print/expression.h"
#include "print/writer.h"

#include <map>

namespace polymend::print_room {

using device_room::arrange;
using device_room::arrangeCondition;
using device_room::beforeRounding;
using device_room::DividedValue;
using device_room::ElementScope;
using device_room::Monotone;
using device_room::movesInRow;
using device_room::peelIncreasing;
using device_room::SharedDivision;
using device_room::shareDivisions;
using device_room::sharingElements;

/// The fragments of a role. Each group of 128 threads holds 64 rows. Registers of a matrix follow the accumulators of
/// warpgroup products (PTX ISA, wgmma.m64nNk16): number e of a thread is row 8 * (e / 2 % 2), column
/// 8 * (e / 4) + e % 2, relative to the thread's first row and column. Matrices of 16-bit elements hold pairs. A thread
/// of warps side by side holds several such blocks of 16 rows, one after the other.
class FragmentPrinter {
public:
  FragmentPrinter(const DeviceKernel &kernel, Context &c);
  /// Declares this thread's first row and column, where `group` is the number of its group.
  void place(Writer &out, const std::string &group) const;
  void declare(Writer &out);
  /// Refused: the region is none that registers can do.
  std::optional<Refusal> region(const TilePoints &points, Writer &out);
  [[nodiscard]] const TileArray *fragment(const std::string &name) const;
  [[nodiscard]] std::int64_t columns(const std::string &name) const;
  /// How many elements of a matrix a thread holds, and how many columns a warp has of it.
  [[nodiscard]] std::int64_t elements(const std::string &name) const;
  [[nodiscard]] std::int64_t columnsOfWarp(const std::string &name) const { return columns(name) / warpsN; }
  /// How many warps of a group stand beside each other.
  [[nodiscard]] std::int64_t warpsAcross() const { return warpsN; }
  /// Where a tile in shared memory is: its current slot's address, as text, what its panels take, its elements.
  struct Slot {
    std::string address;
    std::int64_t panelBytes = 0;
    Type type = Type::Float16;
  };
  void place(const std::string &tile, const Slot &slot) { slots[tile] = slot; }
  /// What was asked is out of scope: a block of the text begins or ends.
  void forgetVote() { vote.reset(); }
  /// Adds up the parts of a sum that each thread still holds one of.
  void combine(const std::string &sum, Writer &out);
  static constexpr const char *row = "$row", *column = "$column", *lane = "$lane";
  static constexpr const char *zero = "$zero";
  std::string notesMark; // a statement for where something is marked; empty: nobody asks

private:
  /// The coordinates of a region: its dimension along the rows and the one along the columns.
  struct Plane {
    const PointDim *rows = nullptr, *columns = nullptr;
  };
  std::optional<Plane> planeOf(const TilePoints &points) const;
  void load(const TilePoints &points, const Plane &plane, Writer &out);
  std::optional<Refusal> compute(const TilePoints &points, const Plane &plane, Writer &out);
  [[nodiscard]] std::string wide(Type type, const std::string &words, const std::string &x);
  void loadWide(const std::string &words, const Slot &slot, bool turned, std::int64_t width, Writer &out);
  [[nodiscard]] Expr placed(const Expr &e, const Plane &plane, const std::string &r, const std::string &x);
  Expr ofRegister(const Expr &e);
  Expr hoisted(const Expr &e, const std::string &r, Writer &out);
  void rowRegions(const std::vector<TileAssign> &body, const Plane &plane, Writer &out);
  void rowRegion(const TileAssign &a, const Plane &plane, Writer &out);
  /// Which of a thread's rows a condition concerns, and whether any row of its warp: asked once, while what the
  /// condition reads stands.
  struct Vote {
    std::string condition;              // of row $r, as text
    std::string rows, any;              // variables of the text
    std::set<std::string> reads;        // arrays
    std::map<std::string, Expr> others; // arrays, and their value in the rows that are not concerned
  };
  [[nodiscard]] bool isVoted(const Expr &condition) const;
  std::string rowCondition(const Expr &condition, const Plane &plane);
  const Vote &voteOn(const Expr &condition, const Plane &plane, Writer &out);
  [[nodiscard]] std::size_t votedTogether(const std::vector<TileAssign> &body, std::size_t first) const;
  void noteWritten(const std::string &array);
  [[nodiscard]] bool standsElsewhere(const TileAssign &a) const;
  void eachElement(const TileArray &tile, const std::string &text, const std::string &first, std::int64_t count,
                   Writer &out);
  void eachFour(const TileArray &tile, const std::string &text, const std::vector<SharedDivision> &divisions,
                Writer &out);
  std::optional<Refusal> elementRegion(const TileAssign &a, const Plane &plane, Writer &out);
  std::optional<Refusal> reduction(const TileAssign &a, const Plane &plane, Writer &out);
  std::vector<std::pair<std::string, Expr>> nameRepeatedReads(Expr &value);
  struct GroupGuards;
  [[nodiscard]] std::optional<GroupGuards> groupGuards(const TileAssign &a, const Plane &plane) const;
  void store(const TileAssign &a, const Plane &plane, Writer &out);
  void storeGroup(const GroupGuards &guards, Type type, const std::function<Expr(const Expr &, const Expr &)> &atColumn,
                  const std::function<std::string(const Expr &)> &placeOf, Writer &out);
  std::string symbolFor(const std::string &text, Type type);
  [[nodiscard]] const TileArray *movedFrom(const TileAssign &a) const;
  [[nodiscard]] bool hasMoves(const DeviceBlock &block) const;
  /// The rows of a thread; the first register of its row r; the row of register e.
  [[nodiscard]] std::string rows() const { return std::to_string(2 * warpsN); }
  [[nodiscard]] std::string firstOfRow(const std::string &r) const;
  [[nodiscard]] std::string rowOfElement(const std::string &e) const;

  const DeviceKernel &kernel;
  const DeviceRoles &roles;
  Context &context;
  const bool approximates;
  ElementScope scope;
  TileLayout matrix;                // of one matrix: all agree but for their columns
  std::int64_t warpsN = 1;          // warps of a group beside each other
  std::int64_t ofBlock = 0;         // registers of 16 rows of a matrix
  std::string cx;                   // a register's column from the thread's first
  std::string rowOf, rowOfRegister; // the thread's row r, and a register's row
  int counter = 0;
  std::set<std::string> parts; // sums not yet combined across the threads of a row
  std::map<std::string, Slot> slots;
  std::optional<Vote> vote;
  std::map<std::string, std::string> loaded; // tiles in shared memory, and the registers that hold this thread's share
};

} // namespace polymend::print_room
