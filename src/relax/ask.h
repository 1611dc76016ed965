// From a blocking pair to a question for algebra.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// The consumer's element expression over symbols named as in the source, with every blocking producer as such. `fused`
/// are pairs whose consumer is mended.
struct Question {
  Candidate candidate;
  std::vector<int> producers;
  std::vector<std::pair<std::string, int>> names; // symbol -> operand of the consumer
  std::string unknown;                            // why the element cannot be put in symbols; empty: it can
};
Question ask(const Scop &scop, const System &system, int consumer, const std::vector<Blocking> &pairs,
             const std::vector<Blocking> &fused);

} // namespace polymend
