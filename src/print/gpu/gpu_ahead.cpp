#include "gpu_ahead.h"
#include "gpu_terms.h"
#include "print/gpu_body.h"
#include "print/region.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::dependsOn;

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
bool isThreadEach(const RegionPlan &plan) {
  if (plan.dealt.empty()) return true;
  const DealtDim &d = plan.dealt.front();
  return plan.form == RegionPlan::Form::Each && plan.fixed && plan.dealt.size() == 1 && d.low == 0 &&
         d.size == plan.threads && !d.checkFirst && !d.checkLimit;
}

/// Whether where an element stands is known before the body has computed anything.
bool isPlaced(const Expr &read, const std::set<std::string> &written) {
  return !written.contains(read->name) &&
         std::none_of(read->args.begin(), read->args.end(), [](const Expr &s) { return reads(s); });
}

} // namespace

std::optional<FewTerms> fewTerms(const TileBlock &prepared, const Memory &memory, const Context &context) {
  constexpr std::int64_t warp = 32;
  std::int64_t most = 1;
  FewTerms result;
  bool few = false, alike = true;
  for (const TileNode &node : prepared)
    if (as<TileLoop>(node)) return std::nullopt;
  for (const TilePoints *points : regionsOf(prepared)) {
    const RegionPlan plan = planRegion(*points, memory, context);
    std::int64_t size = 1;
    for (std::size_t i = 0; i < points->dims.size(); ++i) {
      const Interval &b = plan.known.at(points->dims[i].variable);
      if (plan.ahead && i == plan.inner.front()) continue;
      if (!b.low() || !b.high() || *b.high() - *b.low() >= blockThreads) return std::nullopt;
      size *= *b.high() - *b.low() + 1;
    }
    most = std::max(most, size);
    if (!plan.ahead) continue;
    const Expr count = simplify(points->dims[plan.inner.front()].limit);
    alike = alike && (!few || equal(count, result.count));
    result.count = count;
    few = true;
  }
  if (!few || most > blockThreads) return std::nullopt;
  if (!alike) result.count = {};
  result.threads = static_cast<int>((most + warp - 1) / warp * warp);
  return result;
}

std::map<const TilePoints *, TermsRead> readTermsAhead(const TileBlock &prepared, const Memory &memory, Writer &out,
                                                       Context &context) {
  const std::set<std::string> written = writtenIn(prepared);
  const std::string together = context.names.of(termsAhead), step = context.names.of("number of a term");
  context.narrow.insert("number of a term");
  context.nonNegative.insert("number of a term");
  const Expr number = Expr::symbol("number of a term", Type::Int64);
  std::map<const TilePoints *, TermsRead> result;
  std::vector<std::pair<Expr, std::string>> known; // of all regions that deal out nothing, over `number`
  std::size_t arrays = 0;
  for (const TilePoints *points : regionsOf(prepared)) {
    const RegionPlan plan = planRegion(*points, memory, context);
    if (!plan.ahead || !isThreadEach(plan)) continue;
    const PointDim &sum = points->dims[plan.inner.front()];
    const auto numbered = [&](const Expr &e) {
      return substitute(e, [&](const std::string &name) { return name == sum.variable ? number : Expr(); });
    };
    TermsRead reads;
    std::vector<std::pair<Expr, std::string>> fresh;
    bool placed = true;
    for (const Expr &read : readsInAnyCase(points->body.front().value, context)) {
      placed = placed && isPlaced(read, written);
      const Expr at = numbered(read);
      const auto same = std::find_if(known.begin(), known.end(), [&](const auto &k) { return equal(k.first, at); });
      const std::string name = same == known.end() ? context.names.fresh(read->name + "_ahead") : same->second;
      if (same == known.end()) fresh.emplace_back(at, name);
      reads.emplace_back(read, name);
    }
    if (!placed || reads.empty() || arrays + fresh.size() > mostArrays) continue;
    arrays += fresh.size();
    for (const auto &[read, name] : fresh)
      out.line(spellFor(context.typeOf(read->name), context.table) + " " + name + "[" + together + " > 0 ? " +
               together + " : 1];");
    if (!fresh.empty())
      out.block("", [&] {
        if (!plan.dealt.empty()) {
          const std::string &own = points->dims[plan.dealt.front().dim].variable;
          context.narrow.insert(own);
          noteSign(points->dims[plan.dealt.front().dim], context);
          out.line("[[maybe_unused]] const int " + context.names.of(own) + " = " + context.names.of("thread") + ";");
        }
        out.pragma("unroll");
        const std::string i = context.names.fresh("i");
        out.block("for (int " + i + " = 0; " + i + " < " + together + "; ++" + i + ")", [&] {
          out.line("const int " + step + " = " + i + " < " + printExpr(simplify(sum.limit), context) + " ? " + i +
                   " : 0;");
          for (const auto &[read, name] : fresh)
            out.line(name + "[" + i + "] = " + printRef(read->name, read->args, context) + ";");
        });
      });
    for (const auto &one : fresh) {
      bool own = false;
      for (const DealtDim &d : plan.dealt) own = own || dependsOn(one.first, points->dims[d.dim].variable);
      if (!own) known.push_back(one);
    }
    result[points] = reads;
  }
  return result;
}

} // namespace polymend::print_room
