// isl as C++ values: the context, the operation cap, and the operations that isl/cpp.h lacks, each wrapped once.
// Errors surface as isl::exception. After a quota the C functions return null and the C++ layer then reports an
// invalid argument, so the context's last error is what tells a quota from a failure.
#include "polymend/isl.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <pthread.h>
#include <stdexcept>

namespace polymend {

namespace {

/// Sets the operation cap for a scope and restores what was there, with a fresh count and no error pending.
class CapScope {
public:
  CapScope(isl_ctx *owner, unsigned long most) : context(owner), before(isl_ctx_get_max_operations(owner)) {
    isl_ctx_reset_error(context);
    isl_ctx_reset_operations(context);
    isl_ctx_set_max_operations(context, most);
  }
  CapScope(const CapScope &) = delete;
  CapScope &operator=(const CapScope &) = delete;
  ~CapScope() {
    isl_ctx_reset_operations(context);
    isl_ctx_set_max_operations(context, before);
    isl_ctx_reset_error(context);
  }

private:
  isl_ctx *context;
  unsigned long before;
};

/// How much longer everything takes where a sanitizer watches: what is left for its time should be the same there.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POLYMEND_IS_WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POLYMEND_IS_WATCHED
#endif
#ifdef POLYMEND_IS_WATCHED
constexpr double slowness = 5;
#else
constexpr double slowness = 1;
#endif

double secondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The limit that was set last of those that this thread is under.
thread_local TimeLimit *innermost = nullptr;

std::string text(const char *name) { return name ? name : ""; }

std::string mapTuple(const isl::map &map, isl_dim_type type) {
  return isl_map_has_tuple_name(map.get(), type) == isl_bool_true ? text(isl_map_get_tuple_name(map.get(), type)) : "";
}

/// What isl gives up on is not its failure.
template <class T> T coalescedOr(const T &pieces) {
  try {
    return pieces.coalesce();
  } catch (const isl::exception &failure) {
    const bool isOurLimit =
        dynamic_cast<const isl::exception_quota *>(&failure) || dynamic_cast<const isl::exception_abort *>(&failure);
    if (isOurLimit) throw;
    isl_ctx_reset_error(pieces.ctx().get());
    return pieces;
  }
}

isl::map projectOutOf(const isl::map &map, isl_dim_type type, unsigned first, unsigned count) {
  if (count == 0) return map;
  return isl::manage(isl_map_project_out(map.copy(), type, first, count));
}

} // namespace

IslContext makeIslContext() {
  isl_ctx *context = isl_ctx_alloc();
  isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
  return {context, [](isl_ctx *owned) { isl_ctx_free(owned); }};
}

TimeLimit::TimeLimit(const IslContext &context, double seconds) : owner(context), around(innermost) {
  innermost = this;
  clockid_t clock = 0;
  if (pthread_getcpuclockid(pthread_self(), &clock) != 0) return;
  const double until = secondsOf(clock) + seconds * slowness;
  watch = std::jthread([this, clock, until](const std::stop_token &stop) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested() && secondsOf(clock) < until)
      woken.wait_for(lock, stop, std::chrono::milliseconds(50), [] { return false; });
    if (stop.stop_requested()) return;
    isOver = true;
    isl_ctx_abort(owner.get());
  });
}

TimeLimit::~TimeLimit() {
  watch = {}; // it stops before the context goes on
  innermost = around;
  if (around == nullptr || around->owner != owner || !around->isOver) isl_ctx_resume(owner.get());
}

bool capped(const IslContext &context, const std::function<void()> &step, std::string &what, unsigned long most) {
  const CapScope scope(context.get(), most);
  try {
    step();
    return true;
  } catch (const isl::exception &failure) {
    isl_val_free(isl_val_zero(context.get())); // fails at a limit, though what met it may be called wrong syntax
    const isl_error last = isl_ctx_last_error(context.get());
    const bool late = last == isl_error_abort || dynamic_cast<const isl::exception_abort *>(&failure);
    const bool quota = last == isl_error_quota || dynamic_cast<const isl::exception_quota *>(&failure);
    if (late) {
      what = "isl gave up: it took too long";
      return false;
    }
    if (!quota) throw std::runtime_error(std::string("isl failed: ") + failure.what());
    what = "isl gave up after " + std::to_string(most) + " operations";
    return false;
  }
}

unsigned dimension(const isl::set &set) { return static_cast<unsigned>(isl_set_dim(set.get(), isl_dim_set)); }

unsigned domainDimension(const isl::map &map) { return static_cast<unsigned>(isl_map_dim(map.get(), isl_dim_in)); }

unsigned rangeDimension(const isl::map &map) { return static_cast<unsigned>(isl_map_dim(map.get(), isl_dim_out)); }

std::string tuple(const isl::set &set) {
  return isl_set_has_tuple_name(set.get()) == isl_bool_true ? text(isl_set_get_tuple_name(set.get())) : "";
}

std::string domainTuple(const isl::map &map) { return mapTuple(map, isl_dim_in); }

std::string rangeTuple(const isl::map &map) { return mapTuple(map, isl_dim_out); }

isl::set coalesced(const isl::set &set) { return coalescedOr(set); }
isl::map coalesced(const isl::map &map) { return coalescedOr(map); }

isl::set projectOut(const isl::set &set, unsigned first, unsigned count) {
  if (count == 0) return set;
  return isl::manage(isl_set_project_out(set.copy(), isl_dim_set, first, count));
}

isl::map projectOutDomain(const isl::map &map, unsigned first, unsigned count) {
  return projectOutOf(map, isl_dim_in, first, count);
}

isl::map projectOutRange(const isl::map &map, unsigned first, unsigned count) {
  return projectOutOf(map, isl_dim_out, first, count);
}

isl::set onlyDimension(const isl::set &set, unsigned d) {
  return projectOut(projectOut(set, d + 1, dimension(set) - d - 1), 0, d);
}

isl::map onlyOutput(const isl::map &map, unsigned d) {
  return projectOutRange(projectOutRange(map, d + 1, rangeDimension(map) - d - 1), 0, d);
}

isl::set setTuple(const isl::set &set, const std::string &name) {
  return isl::manage(isl_set_set_tuple_name(set.copy(), name.c_str()));
}

isl::map setDomainTuple(const isl::map &map, const std::string &name) {
  return isl::manage(isl_map_set_tuple_name(map.copy(), isl_dim_in, name.c_str()));
}

isl::map setRangeTuple(const isl::map &map, const std::string &name) {
  return isl::manage(isl_map_set_tuple_name(map.copy(), isl_dim_out, name.c_str()));
}

isl::set parameterAsDimension(const isl::set &known, const std::string &parameter) {
  isl_set *raw = isl_set_add_dims(isl_set_from_params(known.copy()), isl_dim_set, 1);
  const int at = isl_set_find_dim_by_name(raw, isl_dim_param, parameter.c_str());
  if (at < 0) return isl::manage(raw);
  raw = isl_set_equate(raw, isl_dim_param, at, isl_dim_set, 0);
  return isl::manage(isl_set_project_out(raw, isl_dim_param, static_cast<unsigned>(at), 1));
}

isl::set fixParameter(const isl::set &set, const std::string &parameter, long value) {
  const int at = isl_set_find_dim_by_name(set.get(), isl_dim_param, parameter.c_str());
  if (at < 0) return set;
  return isl::manage(isl_set_fix_si(set.copy(), isl_dim_param, static_cast<unsigned>(at), static_cast<int>(value)));
}

std::vector<std::string> parameters(const isl::set &set) {
  const int count = isl_set_dim(set.get(), isl_dim_param);
  std::vector<std::string> names(static_cast<std::size_t>(count));
  for (unsigned i = 0; i < names.size(); ++i) names[i] = text(isl_set_get_dim_name(set.get(), isl_dim_param, i));
  return names;
}

namespace {

/// Is a sum of multiples of results linear in the dimension of the domain, and no multiple of it zero?
bool isLinearAlong(const isl::map &function, unsigned dim) {
  if (isl_map_n_basic_map(function.get()) != 1) return false;
  bool found = false;
  const auto look = [](isl_basic_map *part, void *at) {
    isl_constraint_list *constraints = isl_basic_map_get_constraint_list(part);
    const int count = isl_constraint_list_n_constraint(constraints);
    const auto [linear, along] = *static_cast<std::pair<bool *, int> *>(at);
    for (int i = 0; i < count; ++i) {
      isl_constraint *c = isl_constraint_list_get_constraint(constraints, i);
      const bool quotients =
          isl_constraint_involves_dims(c, isl_dim_div, 0, isl_constraint_dim(c, isl_dim_div)) != isl_bool_false;
      const bool results =
          isl_constraint_involves_dims(c, isl_dim_out, 0, isl_constraint_dim(c, isl_dim_out)) == isl_bool_true;
      const bool moves = isl_constraint_involves_dims(c, isl_dim_in, along, 1) == isl_bool_true;
      *linear = *linear || (isl_constraint_is_equality(c) == isl_bool_true && results && moves && !quotients);
      isl_constraint_free(c);
    }
    isl_constraint_list_free(constraints);
    isl_basic_map_free(part);
    return isl_stat_ok;
  };
  std::pair<bool *, int> known{&found, static_cast<int>(dim)};
  isl_map_foreach_basic_map(function.get(), look, &known);
  return found;
}

/// Are there two points of the set one step apart along the dimension?
bool hasStep(const isl::set &set, unsigned dim) {
  isl_multi_aff *next = isl_multi_aff_identity(isl_space_map_from_set(isl_set_get_space(set.get())));
  isl_aff *one = isl_aff_add_constant_si(isl_multi_aff_get_aff(next, static_cast<int>(dim)), 1);
  next = isl_multi_aff_set_aff(next, static_cast<int>(dim), one);
  return !set.intersect(isl::manage(isl_set_preimage_multi_aff(set.copy(), next))).is_empty();
}

} // namespace

bool movesAlong(const isl::map &map, unsigned first, unsigned count) {
  if (count == 0) return false;
  const isl::set domain = map.domain();
  const isl::map function = isl::manage(isl_map_gist_domain(map.copy(), domain.copy()));
  if (isl_map_involves_dims(function.get(), isl_dim_in, first, count) != isl_bool_true) return false;
  if (count == 1 && isLinearAlong(function, first) && hasStep(domain, first)) return true; // the usual case, and sooner
  isl_map *any =
      isl_map_insert_dims(isl_map_project_out(map.copy(), isl_dim_in, first, count), isl_dim_in, first, count);
  const isl::map wide = isl::manage(isl_map_reset_tuple_id(any, isl_dim_in));
  const isl::map narrow = isl::manage(isl_map_reset_tuple_id(map.copy(), isl_dim_in));
  return !wide.intersect_domain(narrow.domain()).is_subset(narrow);
}

bool alwaysEqual(const isl::map &map, unsigned in, unsigned out) {
  const isl::map same =
      isl::manage(isl_map_equate(map.copy(), isl_dim_in, static_cast<int>(in), isl_dim_out, static_cast<int>(out)));
  return map.is_subset(same);
}

std::optional<std::int64_t> constantExtent(const isl::set &set, unsigned dim) {
  isl_val *value = isl_set_dim_max_val(set.copy(), static_cast<int>(dim));
  const bool integer = value && isl_val_is_int(value) == isl_bool_true;
  const std::int64_t result = integer ? isl_val_get_num_si(value) + 1 : 0;
  isl_val_free(value);
  return integer && result > 0 ? std::optional(result) : std::nullopt;
}

} // namespace polymend
