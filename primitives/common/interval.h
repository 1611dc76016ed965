#ifndef POLYMEND_RT_INTERVAL
#define POLYMEND_RT_INTERVAL

#include "host_device.h"
#include "overflows.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The integers from least to most; where a bound would leave 64 bits, nobody knows which.
template <class Integer> struct IntervalOf {
  using Interval = IntervalOf;
  Integer least = 0, most = -1;
  bool known = true;
  IntervalOf() = default;
  POLYMEND_HOST_DEVICE explicit IntervalOf(Integer value) : least(value), most(value) {}
  POLYMEND_HOST_DEVICE static Interval from(std::int64_t first, std::int64_t last) {
    Interval result;
    result.least = first;
    result.most = last;
    return result;
  }
  POLYMEND_HOST_DEVICE static Interval unknown() {
    Interval result;
    result.known = false;
    return result;
  }
  POLYMEND_HOST_DEVICE static Interval upTo(std::int64_t count) { return from(0, count > 0 ? count - 1 : -1); }
  POLYMEND_HOST_DEVICE static Interval between(const Interval &first, const Interval &limit) {
    if (!first.known || !limit.known) return unknown();
    return first.empty() || limit.empty() || limit.most <= first.least ? Interval() : from(first.least, limit.most - 1);
  }
  POLYMEND_HOST_DEVICE bool empty() const { return known && least > most; }
  POLYMEND_HOST_DEVICE std::int64_t count() const {
    std::int64_t steps = 0;
    if (!known || least > most) return 0;
    return subtractOverflows(most, least, &steps) || steps == INT64_MAX ? INT64_MAX : steps + 1;
  }
  POLYMEND_HOST_DEVICE Interval plus(const Interval &other) const {
    if (empty() || other.empty()) return Interval();
    Interval result;
    const bool wraps = addOverflows(least, other.least, &result.least) || addOverflows(most, other.most, &result.most);
    result.known = known && other.known && !wraps;
    return result;
  }
  POLYMEND_HOST_DEVICE Interval negated() const {
    if (empty()) return Interval();
    Interval result;
    const bool wraps = subtractOverflows(std::int64_t{0}, most, &result.least) ||
                       subtractOverflows(std::int64_t{0}, least, &result.most);
    result.known = known && !wraps;
    return result;
  }
  POLYMEND_HOST_DEVICE Interval minus(const Interval &other) const { return plus(other.negated()); }
  POLYMEND_HOST_DEVICE Interval with(const Interval &other) const {
    if (empty()) return other;
    if (other.empty()) return *this;
    if (!known || !other.known) return unknown();
    return from(least < other.least ? least : other.least, most > other.most ? most : other.most);
  }
  POLYMEND_HOST_DEVICE Interval lower(const Interval &other) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known) return unknown();
    return from(least < other.least ? least : other.least, most < other.most ? most : other.most);
  }
  POLYMEND_HOST_DEVICE Interval higher(const Interval &other) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known) return unknown();
    return from(least > other.least ? least : other.least, most > other.most ? most : other.most);
  }
  POLYMEND_HOST_DEVICE Interval times(const Interval &other) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known) return unknown();
    Interval result;
    for (int corner = 0; corner < 4; ++corner) {
      std::int64_t product = 0;
      if (multiplyOverflows(corner < 2 ? least : most, corner % 2 == 0 ? other.least : other.most, &product))
        return unknown();
      result = result.with(Interval(product));
    }
    return result;
  }
  POLYMEND_HOST_DEVICE Interval over(const Interval &other, bool floors) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known || (other.least <= 0 && other.most >= 0)) return unknown();
    Interval result;
    for (int corner = 0; corner < 4; ++corner) {
      const std::int64_t a = corner < 2 ? least : most, b = corner % 2 == 0 ? other.least : other.most;
      if (b == -1 && a == INT64_MIN) return unknown();
      const bool below = floors && a % b != 0 && (a < 0) != (b < 0);
      result = result.with(Interval(a / b - (below ? 1 : 0)));
    }
    return result;
  }
  POLYMEND_HOST_DEVICE Interval rest(const Interval &other, bool floors) const {
    if (empty() || other.empty()) return Interval();
    if (!known || !other.known || other.least <= 0) return unknown();
    const std::int64_t limit = other.most - 1;
    if (least >= 0) return most < other.least ? *this : from(0, most < limit ? most : limit);
    return from(floors ? 0 : (least > -limit ? least : -limit), floors || most > limit ? limit : (most > 0 ? most : 0));
  }
  POLYMEND_HOST_DEVICE Interval converted(std::int64_t lowest, std::int64_t highest) const {
    return known && (least > most || (least >= lowest && most <= highest)) ? *this : from(lowest, highest);
  }
};
using Interval = IntervalOf<std::int64_t>;

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_INTERVAL
