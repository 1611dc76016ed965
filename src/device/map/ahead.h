// Sums of few terms at the start of a kernel's body: what their terms read is on its way, all at once, before the first
// of them is computed.
#pragma once

#include "device/deal.h"

namespace polymend::device_room {

/// What a body computes in any case, where that is sums of few terms and regions of few points.
struct FewTerms {
  int threads = blockThreads; // that a block needs
  Expr count;                 // of the terms of each sum, over sizes; absent: the sums differ
};
/// Absent where the body does more than that.
std::optional<FewTerms> fewTerms(const TileBlock &prepared, const Memory &memory, const Scope &scope);

/// The reads of the first terms of every sum in the body, and by region what holds them.
struct TermsAhead {
  std::vector<DeviceReadAhead> nodes;
  std::map<const TilePoints *, TermsRead> loaded;
};
TermsAhead termsAhead(const TileBlock &prepared, const Memory &memory, Scope &scope);

} // namespace polymend::device_room
