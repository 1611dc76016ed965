// The third opinion: Z3 on the lifted obligations. It gives up after a number of its own steps, so that its opinion is
// the same on a machine that is busy. It may hang beyond every limit of its own, so it runs in a forked child that
// writes one byte per set of obligations; a set that takes seconds of the processor ends it, and the parent starts
// another one behind that set. The child never returns: it only solves, writes and leaves.
#include "lift.h"

#include <csignal>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace polymend::algebra {
namespace {

constexpr int secondsOfProcessor = 2, secondsAsleep = 60;

/// left = right for all reals that satisfy the assumptions?
Opinion solve(z3::context &context, Problem &problem, const Obligation &o, unsigned steps) {
  if (o.left == o.right) return Opinion::Agrees;
  Lifter lifter(problem, context);
  lifter.scan(o.left);
  lifter.scan(o.right);
  const z3::expr left = lifter.lift(o.left), right = lifter.lift(o.right);
  lifter.assumeOrders();
  z3::solver solver = z3::tactic(context, "qfnra-nlsat").mk_solver();
  z3::params limits(context);
  limits.set("rlimit", steps);
  solver.set(limits);
  for (const z3::expr &axiom : lifter.assumptions()) solver.add(axiom);
  solver.add(left != right);
  switch (solver.check()) {
  case z3::unsat: return Opinion::Agrees;
  case z3::sat: return lifter.forgetful() ? Opinion::Unknown : Opinion::Refuted;
  default: return Opinion::Unknown;
  }
}

Opinion solveAll(z3::context &context, Problem &problem, const Obligations &all, unsigned steps) {
  Opinion result = Opinion::Agrees;
  for (const Obligation &o : all.equations) {
    Opinion here = Opinion::Unknown;
    try {
      here = solve(context, problem, o, steps);
    } catch (const z3::exception &) {
      here = Opinion::Unknown;
    } catch (const std::exception &) {
      here = Opinion::Unknown;
    }
    if (here == Opinion::Refuted) return here;
    if (here != Opinion::Agrees) result = here;
  }
  return result;
}

/// Ends this process, unless it is called again, when it has used its share of the processor.
void limitProcessor() {
  itimerval share{};
  share.it_value.tv_sec = secondsOfProcessor;
  setitimer(ITIMER_PROF, &share, nullptr);
}

/// A child that answers for the sets from `first` on, and the read end of its pipe.
struct Child {
  pid_t process = -1;
  int answers = -1;
};

Child start(Problem &problem, const std::vector<Obligations> &sets, std::size_t first, unsigned steps) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) {
    close(ends[0]);
    close(ends[1]);
    return {};
  }
  if (process > 0) {
    close(ends[1]);
    return {process, ends[0]};
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPROF, SIG_DFL);
  if (getppid() != parent) _exit(1);
  close(ends[0]);
  z3::context context;
  for (std::size_t i = first; i < sets.size(); ++i) {
    limitProcessor();
    const auto answer = static_cast<char>(solveAll(context, problem, sets[i], steps));
    if (write(ends[1], &answer, 1) != 1) _exit(1);
  }
  _exit(0);
}

/// Waits for one byte; none comes from a child that was ended, or sleeps.
Opinion receive(int descriptor) {
  for (;;) {
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = poll(&waiting, 1, 1000 * secondsAsleep);
    if (ready < 0) continue;
    char answer = 0;
    return ready > 0 && read(descriptor, &answer, 1) == 1 ? static_cast<Opinion>(answer) : Opinion::Timeout;
  }
}

} // namespace

std::vector<Opinion> bySolver(Problem &problem, const std::vector<Obligations> &sets, unsigned steps) {
  constexpr int patience = 2;
  std::vector<Opinion> opinions;
  for (int hung = 0; opinions.size() < sets.size() && hung < patience; ++hung) {
    const Child child = start(problem, sets, opinions.size(), steps);
    if (child.process < 0) break;
    Opinion last = Opinion::Agrees;
    while (opinions.size() < sets.size() && last != Opinion::Timeout) {
      last = receive(child.answers);
      opinions.push_back(last);
    }
    kill(child.process, SIGKILL);
    close(child.answers);
    while (waitpid(child.process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  opinions.resize(sets.size(), opinions.empty() ? Opinion::Unknown : Opinion::Timeout);
  return opinions;
}

} // namespace polymend::algebra
