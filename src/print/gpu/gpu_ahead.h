// Sums of few terms at the start of a kernel's body: what their terms read is on its way, all at once, before the first
// of them is computed.
#pragma once

#include "print/gpu_plan.h"
#include "print/writer.h"

namespace polymend::print_room {

/// What a body computes in any case, where that is sums of few terms and regions of few points.
struct FewTerms {
  int threads = blockThreads; // that a block needs
  Expr count;                 // of the terms of each sum, over sizes; absent: the sums differ
};
/// Absent where the body does more than that.
std::optional<FewTerms> fewTerms(const TileBlock &prepared, const Memory &memory, const Context &context);

/// Prints the reads of the first terms of every sum in the body, as many as the kernel's template parameter says; by
/// region.
std::map<const TilePoints *, TermsRead> readTermsAhead(const TileBlock &prepared, const Memory &memory, Writer &out,
                                                       Context &context);
/// The name of that parameter.
inline constexpr const char *termsAhead = "terms ahead";

} // namespace polymend::print_room
