// isl as C++ values, and the few functions that isl/cpp.h lacks, wrapped once.
#pragma once

#include <isl/cpp.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace polymend {

/// Owns an isl_ctx; objects of that context must die first. Errors are exceptions of type isl::exception.
using IslContext = std::shared_ptr<isl_ctx>;
IslContext makeIslContext();

/// Operations one step may take before isl gives up with isl::exception_quota.
inline constexpr unsigned long islOperationCap = 2'000'000;

/// Runs `step` with so many operations at most; false when isl gave up (the context stays usable), which `what` says
/// for a diagnostic. What isl says is wrong is a fault of the caller's: it leaves as a std::runtime_error.
bool capped(const IslContext &context, const std::function<void()> &step, std::string &what,
            unsigned long most = islOperationCap);

/// For as long as this lives isl gives up, as above, once the thread that made it has worked for so many seconds: what
/// it eliminates it does not count as operations. A net below `capped`, whose limit does not depend on the machine. One
/// within another of the same context leaves that one's limit as it is.
class TimeLimit {
public:
  TimeLimit(const IslContext &context, double seconds);
  TimeLimit(const TimeLimit &) = delete;
  TimeLimit &operator=(const TimeLimit &) = delete;
  ~TimeLimit();

private:
  IslContext owner;
  TimeLimit *around;
  std::atomic<bool> isOver = false;
  std::jthread watch;
};

unsigned dimension(const isl::set &set);
unsigned domainDimension(const isl::map &map);
unsigned rangeDimension(const isl::map &map);
std::string tuple(const isl::set &set);
std::string domainTuple(const isl::map &map);
std::string rangeTuple(const isl::map &map);
/// Projects out `count` set dimensions from `first`.
isl::set projectOut(const isl::set &set, unsigned first, unsigned count);
isl::map projectOutDomain(const isl::map &map, unsigned first, unsigned count);
isl::map projectOutRange(const isl::map &map, unsigned first, unsigned count);
/// The same in fewer pieces, where isl finds any: isl 0.25 fails within itself on some sets ("cannot relax redundant
/// constraint"), which then stay as they are.
isl::set coalesced(const isl::set &set);
isl::map coalesced(const isl::map &map);
/// A set's dimension d alone, without tuple.
isl::set onlyDimension(const isl::set &set, unsigned d);
/// The map to output d alone.
isl::map onlyOutput(const isl::map &map, unsigned d);
isl::set setTuple(const isl::set &set, const std::string &name);
isl::map setDomainTuple(const isl::map &map, const std::string &name);
isl::map setRangeTuple(const isl::map &map, const std::string &name);
/// What is known of a parameter, as a set over no dimensions, becomes a set of its values: one dimension.
isl::set parameterAsDimension(const isl::set &known, const std::string &parameter);
isl::set fixParameter(const isl::set &set, const std::string &parameter, long value);
std::vector<std::string> parameters(const isl::set &set);
/// Does what the map gives depend on the `count` domain dimensions from `first`, rather than only where it is defined?
bool movesAlong(const isl::map &map, unsigned first, unsigned count);
/// Is output dimension `out` of the map always its input dimension `in`?
bool alwaysEqual(const isl::map &map, unsigned in, unsigned out);
/// One past the largest value of a dimension; absent: no positive constant bounds it.
std::optional<std::int64_t> constantExtent(const isl::set &set, unsigned dim);

} // namespace polymend
