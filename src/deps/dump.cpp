// The text form of the dependences for --dump=deps: the graph's table, then reductions, live-in and live-out sets.
#include "polymend/deps.h"

#include <sstream>

namespace polymend {

namespace {

std::string id(const Scop &scop, int statement) { return scop.statements[static_cast<std::size_t>(statement)].id; }

void write(std::ostream &out, const Scop &scop, const Reduction &reduction) {
  out << "reduction " << id(scop, reduction.statement) << ": " << spell(reduction.monoid)
      << (reduction.comparison ? " by comparison" : "") << " of " << show(reduction.element) << " along";
  const std::vector<std::string> &loops = scop.statements[static_cast<std::size_t>(reduction.statement)].iterators;
  for (std::size_t d = 0; d < loops.size(); ++d)
    if (reduction.reduced[d]) out << ' ' << loops[d];
  out << "\n  first " << reduction.first << "\n  last " << reduction.last << '\n';
}

void write(std::ostream &out, const Scop &scop, const Sources &sources) {
  const Statement &reader = scop.statements[static_cast<std::size_t>(sources.statement)];
  out << "read " << reader.id << ' ' << reader.reads[static_cast<std::size_t>(sources.read)].array << '\n';
  for (const auto &[writer, relation] : sources.from) out << "  from " << relation << '\n';
  if (!sources.liveIn.is_empty()) out << "  live in " << sources.liveIn << '\n';
}

} // namespace

std::string dump(const Scop &scop, const Dependences &dependences) {
  std::ostringstream out;
  out << graphText(scop, dependences);
  for (const Dependence &edge : dependences.edges)
    out << spell(edge.kind) << ' ' << edge.relation << (edge.exact ? "" : " (inexact)") << '\n';
  for (const Reduction &reduction : dependences.reductions) write(out, scop, reduction);
  for (const Sources &sources : dependences.sources) write(out, scop, sources);
  for (const auto &[array, writes] : dependences.liveOut) out << "live out " << array << ' ' << writes << '\n';
  return out.str();
}

} // namespace polymend
