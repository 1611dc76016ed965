// What a device program's entries ask before they trust it, and what they do around its kernels. On a processor there
// is one entry. On a GPU there are two: one takes the caller's memory, copies what is touched of it to the device and
// back and waits (its tests are DeviceEntry's), the other takes memory of the device and queues the work on a stream
// (DeviceQueue).
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// What must not hold for the program to run; else the source's own function does.
struct EntryTest {
  enum class Kind {
    Given,    // the program's `given` is false
    Unknown,  // which elements of `a` are touched cannot be told from the data that choose them
    Extents,  // arrays `a` and `b` overlap from their first elements on, by their extents
    Elements, // of the elements of `a` and `b` that are touched some are the same
    Together, // the memory of `a` and `b` was allocated together: which elements of one are touched nobody can tell
    Numbers   // among the elements of `a` that are touched lie numbers that the function has beside it
  };
  Kind kind = Kind::Given;
  std::string a, b;
};

/// Where all of these sizes are less than `below`, a power of two, a call brings some `work` simple operations at most.
struct LittleWork {
  std::vector<std::string> sizes;
  std::int64_t below = 0, work = 0;
};

/// The entry on the caller's memory.
struct DeviceEntry {
  Expr work; // simple operations of the source, a Float64 over sizes; absent: no estimate
  /// Below so many times leastWork the source's own function runs: an integer, or a Float64 over sizes.
  Expr times = Expr::integer(1);
  std::vector<EntryTest> tests;
  std::optional<LittleWork> little = {}; // asked before the estimate: such calls cost no more than the source's
  std::string source = {}; // on a GPU: why nothing but the source's own function runs, whatever the sizes are, so that
                           // nothing is tested and copied; empty: something else may
};

/// What the entry on the caller's memory has of an argument on the device while it works.
struct DeviceCopy {
  std::string array;
  Expr count;        // elements from the first one on; absent: from the first to the last that is touched
  Expr filled;       // where it holds, all of them are written before any is read: none goes there; absent: nowhere
  bool back = false; // do they go back?
};

} // namespace polymend
