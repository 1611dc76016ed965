// Exceptions are caught on the thread that they are thrown on; fatal errors of LLVM's and signals come to handlers of
// their own, the latter on a stack of their own, as the usual one may be what ran out. What is open then is a temporary
// file at most: outputs are written whole or not at all.
#include "guard.h"

#include "polymend/pipeline.h"

#include <llvm/Support/ErrorHandling.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <pthread.h>
#include <unistd.h>

namespace polymend {

namespace {

constexpr std::size_t deepStack = std::size_t{1} << 30, signalStack = 1 << 16;

/// Says what went wrong with nothing but write(2), and ends.
[[noreturn]] void end(const char *what) {
  for (const char *part : {"polymend: internal error: ", what, "; nothing was written, please report this\n"})
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  _exit(static_cast<int>(ExitCode::Invalid));
}

[[noreturn]] void onSignal(int number) {
  switch (number) {
  case SIGSEGV: end("a segmentation fault, or a source nested too deeply");
  case SIGBUS: end("a bus error");
  case SIGFPE: end("an arithmetic fault");
  case SIGILL: end("an illegal instruction");
  default: end("an abort");
  }
}

void onFatalError(void *, const char *reason, bool) { end(reason); }

/// Handlers on a stack of this thread's own, which lives as long as the process; returns the one that it had,
/// which is to be put back: a sanitizer takes it away when the thread ends.
stack_t catchSignals() {
  static std::array<char, signalStack> own;
  stack_t stack = {}, before = {};
  stack.ss_sp = own.data();
  stack.ss_size = own.size();
  sigaltstack(&stack, &before);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(number, &action, nullptr);
  return before;
}

struct Work {
  const std::function<int()> &run;
  int exitCode = static_cast<int>(ExitCode::Invalid);
};

void *runCaught(void *argument) {
  auto *work = static_cast<Work *>(argument);
  const stack_t before = catchSignals();
  try {
    work->exitCode = work->run();
  } catch (const std::exception &failure) {
    end(failure.what());
  } catch (...) {
    end("an exception of an unknown kind");
  }
  sigaltstack(&before, nullptr);
  return nullptr;
}

} // namespace

int guarded(const std::function<int()> &work) {
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onFatalError);
  Work one{work};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, deepStack);
  pthread_t thread = {};
  const bool started = pthread_create(&thread, &attributes, runCaught, &one) == 0;
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    runCaught(&one);
  return one.exitCode;
}

} // namespace polymend
