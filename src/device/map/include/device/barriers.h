// Where the threads of a block must wait for one another. A program is abstracted to spans: what each piece reads and
// writes of the memory that threads share, and how loops and branches hold the pieces together.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace polymend::device_room {

/// Array -> who touches its elements. Two pieces with one non-empty owner touch each element by the same thread; the
/// empty owner stands for any thread.
using Touches = std::map<std::string, std::string>;

struct Span {
  enum class Kind { Run, Repeat, Choose };
  Kind kind = Kind::Run;
  Touches reads, writes;           // of a run; of the bounds of a loop; of the condition of a choice
  bool synchronises = false;       // holds a barrier of its own, after its reads and before its writes
  std::vector<Span> first, second; // the body; what is chosen, and what otherwise
  bool barrier = false;            // a result: all threads wait before it begins
  bool barrierAtEnd = false;       // a result: all threads wait at the end of a loop's body
};

/// Sets `barrier` wherever a span touches what another thread may have touched since the last barrier, and one of the
/// two wrote. A loop's body comes after itself; conditions and bounds are evaluated by all threads.
std::vector<Span> placeBarriers(std::vector<Span> spans);

} // namespace polymend::device_room
