// What the entry of a function tests before it trusts the new text: that no element which one argument writes belongs
// to another. Which elements these are it computes from sizes and, where subscripts are data, from index arrays.
#pragma once

#include "polymend/parse.h"
#include "polymend/tile.h"

namespace polymend::device_room {

/// How an entry can tell that two arguments share nothing that matters.
enum class Apart {
  Surely,   // neither is written, the source says __restrict, their types may not alias, one is not touched
  Extents,  // by a test of their extents from the first element on
  Elements, // by a test of the elements that are touched
  Data,     // by the same test on the device, before anything else runs there: the data that choose them are there, or
            // the test is rough, which is no reason to refuse what is apart
  Together, // by how the memory was allocated, which the runtime of a device tells
  Never     // it cannot
};

/// Whose memory the arguments of an entry are in: the host's, the host's while the work is done on copies of all
/// between the first and the last element that is touched, or a device's, of which the entry reads nothing itself.
enum class Side { Host, Copied, Device };

/// The arguments of one function at one of its entries.
class Entry {
public:
  Entry(const Function &f, const TileProgram &p, Side where) : function(f), program(p), side(where) {}

  /// Of every pair of arguments there is a way to tell; else what to write.
  [[nodiscard]] std::optional<Refusal> refuse() const;
  [[nodiscard]] Apart apart(const TileArray &a, const TileArray &b) const;
  [[nodiscard]] const TouchedElements *touchedOf(const TileArray &array) const;
  /// Whether the elements that are touched can be computed.
  [[nodiscard]] bool isBounded(const TileArray &array) const;
  [[nodiscard]] bool isStored(const TileArray &array) const;
  [[nodiscard]] bool isUntouched(const TileArray &array) const;
  /// For which sizes every element of it is written whatever was there before; absent: for none.
  [[nodiscard]] Expr whereFilled(const TileArray &array) const;

private:
  [[nodiscard]] const Array *declarationOf(const TileArray &array) const;
  [[nodiscard]] bool isResult(const TileArray &a) const { return program.returns && a.name == "return"; }
  [[nodiscard]] bool isRestricted(const TileArray &a, const TileArray &b) const;
  [[nodiscard]] bool haveForeignTypes(const TileArray &a, const TileArray &b) const;
  [[nodiscard]] std::string whyUnbounded(const TileArray &array) const;
  [[nodiscard]] bool areObjects(const TileArray &a, const TileArray &b) const;
  [[nodiscard]] bool hasBounds(const TileArray &array) const;

  const Function &function;
  const TileProgram &program;
  Side side;
};

} // namespace polymend::device_room
