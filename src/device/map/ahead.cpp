#include "ahead.h"
#include "device/stride.h"
#include "device/team_body.h"
#include "terms.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

constexpr std::size_t mostArrays = 8; // of registers

/// The body's regions that stand in no loop or branch.
std::vector<const TilePoints *> regionsOf(const TileBlock &prepared) {
  std::vector<const TilePoints *> regions;
  for (const TileNode &node : prepared)
    if (const auto *p = as<TilePoints>(node)) regions.push_back(p);
  return regions;
}

/// Each thread has the one element of its number, or all have the same scalar.
bool isThreadEach(const DeviceDeal &deal, int threads) {
  if (deal.dealt.empty()) return true;
  const DealtDim &d = deal.dealt.front();
  return deal.form == DeviceDeal::Form::Each && deal.fixed && deal.dealt.size() == 1 && d.low == 0 &&
         d.size == threads && !d.checkFirst && !d.checkLimit;
}

/// Whether where an element stands is known before the body has computed anything.
bool isPlaced(const Expr &read, const std::set<std::string> &written) {
  return !written.contains(read->name) &&
         std::none_of(read->args.begin(), read->args.end(), [](const Expr &s) { return reads(s); });
}

} // namespace

std::optional<FewTerms> fewTerms(const TileBlock &prepared, const Memory &memory, const Scope &scope) {
  constexpr std::int64_t warp = 32;
  std::int64_t most = 1;
  FewTerms result;
  bool few = false, alike = true;
  for (const TileNode &node : prepared)
    if (as<TileLoop>(node)) return std::nullopt;
  for (const TilePoints *points : regionsOf(prepared)) {
    const DeviceDeal deal = dealOf(*points, memory, scope);
    const std::map<std::string, Interval> known = boundsOfDims(*points);
    const std::size_t summed = deal.ahead ? innerOf(deal).front() : points->dims.size();
    std::int64_t size = 1;
    for (std::size_t i = 0; i < points->dims.size(); ++i) {
      const Interval &b = known.at(points->dims[i].variable);
      if (i == summed) continue;
      if (!b.low() || !b.high() || *b.high() - *b.low() >= blockThreads) return std::nullopt;
      size *= *b.high() - *b.low() + 1;
    }
    most = std::max(most, size);
    if (!deal.ahead) continue;
    const Expr count = simplify(points->dims[summed].limit);
    alike = alike && (!few || equal(count, result.count));
    result.count = count;
    few = true;
  }
  if (!few || most > blockThreads) return std::nullopt;
  if (!alike) result.count = {};
  result.threads = static_cast<int>((most + warp - 1) / warp * warp);
  return result;
}

TermsAhead termsAhead(const TileBlock &prepared, const Memory &memory, Scope &scope) {
  const std::set<std::string> written = writtenIn(prepared);
  const Expr number = Expr::symbol(numberOfTerm, Type::Int64);
  TermsAhead result;
  TermsRead known; // of all regions that deal out nothing
  std::size_t arrays = 0;
  for (const TilePoints *points : regionsOf(prepared)) {
    const DeviceDeal deal = dealOf(*points, memory, scope);
    if (!deal.ahead || !isThreadEach(deal, memory.threads)) continue;
    const PointDim &sum = points->dims[innerOf(deal).front()];
    const auto numbered = [&](const Expr &e) {
      return substitute(e, [&](const std::string &name) { return name == sum.variable ? number : Expr(); });
    };
    TermsRead reads, fresh;
    bool placed = true;
    for (const Expr &read : readsInAnyCase(points->body.front().value, memory, scope)) {
      placed = placed && isPlaced(read, written);
      const Expr at = numbered(read);
      const auto same = std::find_if(known.begin(), known.end(), [&](const auto &k) { return equal(k.first, at); });
      const std::string name = same == known.end() ? scope.fresh(read->name + "_ahead") : same->second;
      if (same == known.end()) fresh.emplace_back(at, name);
      reads.emplace_back(read, name);
    }
    if (!placed || reads.empty() || arrays + fresh.size() > mostArrays) continue;
    arrays += fresh.size();
    std::optional<PointDim> own;
    if (!deal.dealt.empty()) own = points->dims[deal.dealt.front().dim];
    if (!fresh.empty()) result.nodes.push_back({fresh, own, sum.limit});
    for (const auto &one : fresh)
      if (!own || !dependsOn(one.first, own->variable)) known.push_back(one);
    result.loaded[points] = reads;
  }
  return result;
}

} // namespace polymend::device_room
