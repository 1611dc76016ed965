// Stacks that a thread of the host switches between.
#pragma once

namespace emulated {

/// A stack and where its code goes on. The default one is that of whoever switches away first.
struct Context {
  void *pointer = nullptr; // x86-64: the stack's top, with the saved registers on it; elsewhere a ucontext_t
};

/// The bytes of a stack; below it lies a page that faults.
constexpr unsigned long stackBytes = 256 * 1024;

/// A stack of `stackBytes`, its lowest address. Stacks live on until the process ends: give them out again.
char *newStack();
/// Has `context` begin at `entry`, which never returns, on that stack.
void prepare(Context &context, char *stack, void (*entry)());
/// Leaves this stack for another one; returns when somebody switches back.
void switchContext(Context &from, Context &to);

} // namespace emulated
