// On x86-64 a switch saves the six registers that a call preserves; elsewhere the C library does it, with a system
// call.
#include "context.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace emulated {

char *newStack() {
  constexpr unsigned long page = 4096;
  void *const memory =
      mmap(nullptr, stackBytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0) {
    std::perror("emulated: no memory for a stack");
    std::abort();
  }
  return static_cast<char *>(memory) + page;
}

#ifdef __x86_64__

extern "C" void emulated_switch(void **from, void *to);

asm(".text\n"
    ".globl emulated_switch\n"
    ".type emulated_switch, @function\n"
    "emulated_switch:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size emulated_switch, .-emulated_switch\n");

void prepare(Context &context, char *stack, void (*entry)()) {
  constexpr int registers = 6;
  auto *top = reinterpret_cast<std::uintptr_t *>(stack + stackBytes) - 1;
  *top = 0;
  *--top = reinterpret_cast<std::uintptr_t>(entry);
  // A function begins 8 bytes off a multiple of 16, on a return address: nobody returns to this one.
  for (int i = 0; i < registers; ++i) *--top = 0;
  context.pointer = top;
}

void switchContext(Context &from, Context &to) { emulated_switch(&from.pointer, to.pointer); }

#else

void prepare(Context &context, char *stack, void (*entry)()) {
  auto *const inner = context.pointer ? static_cast<ucontext_t *>(context.pointer) : new ucontext_t;
  getcontext(inner);
  inner->uc_stack.ss_sp = stack;
  inner->uc_stack.ss_size = stackBytes;
  inner->uc_link = nullptr;
  makecontext(inner, entry, 0);
  context.pointer = inner;
}

void switchContext(Context &from, Context &to) {
  if (!from.pointer) from.pointer = new ucontext_t;
  swapcontext(static_cast<ucontext_t *>(from.pointer), static_cast<ucontext_t *>(to.pointer));
}

#endif

} // namespace emulated
