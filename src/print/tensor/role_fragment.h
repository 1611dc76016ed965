// What the threads of a warp group do with the registers that hold their share of the tiles.
#pragma once

#include "polymend/device.h"
#include "print/expression.h"
#include "print/writer.h"

#include <functional>
#include <map>

namespace polymend::print_room {

inline std::string number(std::int64_t n) { return std::to_string(n); }

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
  void vote(const DeviceVote &vote, Writer &out);
  /// The text of a condition that is a vote: any row's; absent: it is none.
  [[nodiscard]] std::optional<std::string> anyOf(const Expr &condition) const;
  void region(const DeviceRegisters &part, Writer &out);
  /// Takes this thread's share of every tile in shared memory that `body` reads into registers, laid out as fragments.
  void shares(const DeviceShares &shares, Writer &out, const std::function<void()> &body);
  /// Adds up the parts of a sum that each thread still holds one of.
  void combine(const std::string &sum, Writer &out);
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
  static constexpr const char *row = "$row", *column = "$column", *lane = "$lane";
  static constexpr const char *zero = "$zero";
  std::string notesMark; // a statement for where something is marked; empty: nobody asks

private:
  /// At which of a thread's rows an expression stands.
  enum class At {
    Row,     // number $r
    Register // that of register $e
  };
  /// The expression as text has it at a register $e and a row.
  [[nodiscard]] Expr placed(const Expr &e, const DeviceRegisters &part, At at);
  [[nodiscard]] Expr placedRead(const Expr &read, At at);
  [[nodiscard]] std::string textOf(const Expr &e, const DeviceRegisters &part, At at) {
    return printExpr(placed(e, part, at), context);
  }
  void loadWide(const std::string &words, const Slot &slot, bool turned, std::int64_t width, Writer &out);
  [[nodiscard]] std::string wide(Type type, const std::string &words, const std::string &x);
  [[nodiscard]] std::int64_t elementsOf(const DeviceRegisters &part) const;
  /// Does an element of 64 bits have part in it, which no int holds?
  [[nodiscard]] bool readsWide(const Expr &e) const;
  /// The values that are the same along a row, or along a column: these once for both rows of a thread.
  void before(const DeviceRegisters &part, Writer &out);
  void rowRegion(const DeviceRegisters &part, Writer &out);
  void reduction(const DeviceRegisters &part, Writer &out);
  void elementRegion(const DeviceRegisters &part, Writer &out);
  void eachElement(const TileArray &tile, const std::string &text, const std::string &first, std::int64_t count,
                   Writer &out);
  void eachFour(const TileArray &tile, const std::string &text, const DeviceRegisters &part, Writer &out);
  void moved(const DeviceRegisters &part, Writer &out);
  void store(const DeviceRegisters &part, Writer &out);
  void oneByOne(const DeviceRegisters &part, Type type, Writer &out);
  void narrowWords(const DeviceRegisters &part, Type type, Writer &out);
  void wideWords(const DeviceRegisters &part, Type type, Writer &out);
  void storeWord(const DeviceRegisters &part, Type type, Writer &out);
  void defineAt(const DeviceRegisters &part, Type type, const std::string &parameters, Writer &out);
  void readRepeated(const DeviceRegisters &part, Writer &out);
  [[nodiscard]] std::string targetAt(const DeviceRegisters &part, const Expr &c);
  [[nodiscard]] std::string guardAt(const Expr &guard, const DeviceRegisters &part, const Expr &c);
  std::string symbolFor(const std::string &text, Type type);
  [[nodiscard]] bool hasMoves(const DeviceBlock &block) const;
  /// The rows of a thread; the first register of its row $r; the row of register $e.
  [[nodiscard]] std::string rows() const { return std::to_string(2 * warpsN); }
  [[nodiscard]] std::string firstOfRow() const;
  [[nodiscard]] std::string rowOfElement() const;

  const DeviceKernel &kernel;
  const DeviceRoles &roles;
  Context &context;
  TileLayout matrix;                // of one matrix: all agree but for their columns
  std::int64_t warpsN = 1;          // warps of a group beside each other
  std::int64_t ofBlock = 0;         // registers of 16 rows of a matrix
  std::string cx;                   // a register's column from the thread's first
  std::string rowOf, rowOfRegister; // the thread's row r, and a register's row
  std::map<std::string, Slot> slots;
  std::map<std::string, std::string> loaded; // tiles in shared memory, and the registers that hold this thread's share
  /// What names of a part stand for: a text, which of a value that is not computed once has an element for each row.
  struct Named {
    std::string text;
    Type type = Type::Float32;
    bool perRow = false;
    bool wide = false; // an integer of 64 bits that data say
  };
  std::map<std::string, Named> named;
  struct Vote {
    std::string rows, any; // variables of the text
  };
  std::map<std::string, Vote> votes;
};

} // namespace polymend::print_room
