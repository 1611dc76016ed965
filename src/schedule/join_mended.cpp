// A mended reduction joins the loop of its producers; they join each other's before it comes.
#include "grouper.h"
#include "wide_product.h"

#include <algorithm>

namespace polymend {
namespace {

/// The pair of a blocked consumer with one of its producers, or nothing.
const Blocking *pairOf(const Relaxed &relaxed, int consumer, int producer) {
  const auto pair = std::find_if(relaxed.fused.begin(), relaxed.fused.end(),
                                 [&](const Blocking &b) { return b.consumer == consumer && b.producer == producer; });
  return pair == relaxed.fused.end() ? nullptr : &*pair;
}

/// Do elements come, beside the rows, to no more keys than a number says, of keys without a bound? Each chunk would go
/// over all of them to mend those few.
bool isOfFewKeys(const Equation &e, const std::vector<int> &rows) {
  for (unsigned d = 0; d < e.keys; ++d)
    if (!std::ranges::count(rows, static_cast<int>(d)) && constantExtent(e.domain, d) &&
        !constantExtent(e.keyDomain, d))
      return true;
  return false;
}

/// Would the running value of a sum be watched beside several loops? It is extrapolated from what one loop has seen to
/// all of it; a part of a sum as it stands is far from what elements lie about, and differences from it cancel.
bool watchesAPart(const System &system, const Mended &mended) {
  if (!mended.correction.moves) return false;
  return std::ranges::any_of(mended.producers, [&](int producer) {
    const Equation &p = system.equations[static_cast<std::size_t>(producer)];
    return p.monoid == Monoid::Sum && p.reduced() > 1;
  });
}

} // namespace

bool Grouper::joinProducers(int e) {
  const Mended &mended = relaxed.mended[static_cast<std::size_t>(mendedIndex(e))];
  const Seat target = seat(mended.producers.front());
  std::vector<Member> aligned;
  Member member{e, mendedIndex(e), Member::Role::Reduce, {}, {}};
  for (int producer : mended.producers) {
    if (seat(producer).kernel != target.kernel || seat(producer).phase != target.phase) return false;
    const Blocking *pair = pairOf(relaxed, e, producer);
    if (!pair) return false;
    const Member &host = memberOf(producer);
    if (host.rows.size() != at(producer).keys) return false;
    Member one = member;
    for (int row : host.rows) one.rows.push_back(pair->rows[static_cast<std::size_t>(row)]);
    for (int rolled : host.rolled) {
      const auto k =
          std::find(pair->alignment.begin(), pair->alignment.end(), static_cast<unsigned>(rolled) - at(producer).keys) -
          pair->alignment.begin();
      one.rolled.push_back(static_cast<int>(at(e).keys + static_cast<unsigned>(k)));
    }
    aligned.push_back(one);
  }
  for (const Member &one : aligned)
    if (one.rows != aligned[0].rows || one.rolled != aligned[0].rolled) return false;
  if (isOfFewKeys(at(e), aligned[0].rows) || watchesAPart(system, mended)) return false;
  if (isWideProduct(at(e), aligned[0].rows, options)) {
    apart.insert(e);
    return false;
  }
  pending = aligned[0].rows;
  const bool ok = available(e, target.kernel, target.phase, mended.producers);
  pending.clear();
  if (!ok) return false;
  kernel(target.kernel).phases[static_cast<std::size_t>(target.phase)].members.push_back(aligned[0]);
  seat(e) = target;
  return true;
}

std::optional<Member> Grouper::besidePartner(int e, const Blocking &own, const Blocking &partner) {
  const Member &from = memberOf(partner.producer);
  Member member{e, -1, Member::Role::Reduce, {}, {}};
  for (int row : from.rows) {
    if (row >= static_cast<int>(partner.rows.size())) return std::nullopt;
    const auto key = std::find(own.rows.begin(), own.rows.end(), partner.rows[static_cast<std::size_t>(row)]);
    if (key == own.rows.end()) return std::nullopt;
    member.rows.push_back(static_cast<int>(key - own.rows.begin()));
  }
  for (int rolled : from.rolled) {
    const unsigned dim = static_cast<unsigned>(rolled) - at(partner.producer).keys;
    const auto k = std::find(partner.alignment.begin(), partner.alignment.end(), dim) - partner.alignment.begin();
    if (k == static_cast<std::ptrdiff_t>(partner.alignment.size())) return std::nullopt;
    member.rolled.push_back(static_cast<int>(at(e).keys + own.alignment[static_cast<std::size_t>(k)]));
  }
  return member;
}

bool Grouper::joinPartner(int e) {
  for (const Mended &mended : relaxed.mended)
    for (int other : mended.producers) {
      const Blocking *own = pairOf(relaxed, mended.consumer, e), *partner = pairOf(relaxed, mended.consumer, other);
      if (other >= e || !own || !partner || seat(other).kernel < 0 || memberOf(other).role != Member::Role::Reduce)
        continue;
      if (at(other).keys != at(e).keys || at(other).reduced() != at(e).reduced()) continue;
      const auto member = besidePartner(e, *own, *partner);
      if (!member) continue;
      pending = member->rows;
      const bool ok = available(e, seat(other).kernel, seat(other).phase, {});
      pending.clear();
      if (!ok) continue;
      kernel(seat(other).kernel).phases[static_cast<std::size_t>(seat(other).phase)].members.push_back(*member);
      seat(e) = seat(other);
      return true;
    }
  return false;
}

} // namespace polymend
