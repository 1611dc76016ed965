// Remarks as Clang sorts them, what a result can be asked to have, and what time rooms take.
#pragma once

#include "polymend/support.h"

#include <string>

namespace polymend {

/// Passed: what was done. Missed: what was not, and why. Analysis: what a result rests on, what a caller should know.
enum class RemarkKind { Passed, Missed, Analysis };
std::string spell(RemarkKind kind);

/// A remark with its kind, its name for machines ("Transformed") and the function that it is about.
struct SaidRemark {
  RemarkKind kind = RemarkKind::Passed;
  std::string name, function;
  Diagnostic said;
};

/// What --require asks of each function. Parallel: each of its kernels has many groups or threads at once. Mended: a
/// dependence is dropped and mended. Matrix: a kernel runs on matrix units.
enum class Quality { Parallel, Mended, Matrix };
std::string spell(Quality quality);

/// A room's share of a run, in seconds.
struct RoomTime {
  std::string room;
  double seconds = 0;
};

} // namespace polymend
