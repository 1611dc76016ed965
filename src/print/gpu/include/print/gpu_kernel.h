// Prints kernels of a device target: definitions for the file, and the statements of the host that start them.
#pragma once

#include "polymend/device.h"
#include "print/fallback.h"
#include "print/gpu_region.h"

#include <functional>

namespace polymend::print_room {

/// A part of the memory of one call: a pointer to so many elements.
struct ScratchPart {
  std::string type, name, count;
};

/// Where blocks of a launch tell whether they marked anything: `tickets` points at the counters of the launch, behind
/// which `count` words stand.
struct MarkWords {
  std::string tickets, count;
};
constexpr int ticketCounters = 2; // of a launch with roles: see nextTicket

/// What the kernels of one function share.
struct DeviceFunction {
  Context &context;
  const DeviceProgram &program;
  const std::string &source;
  std::string definitions;             // of the kernels, in order
  std::vector<std::string> hostValues; // integers of the host that kernels may use: sizes and loops around launches
  std::vector<const TileArray *> work; // arrays that live for one call
  std::map<std::string, MarkWords> marks = {}; // by the array of marks
  /// Arrays of marks that kernels with roles leave zero: one variable of the host stands for all their elements.
  std::map<std::string, std::string> unmarked = {};
  /// What kernels with roles compute again themselves, by the array of marks.
  std::map<std::string, PointFunction> fallbacks = {};
  std::vector<ScratchPart> scratch = {}; // to be allocated before the first launch
  std::string meeting = {}; // a flag of the device: not zero where arguments share memory, and kernels do nothing; its
                            // address is null, or the name empty, where the entry knows that they do not
  std::string guard = {};   // words of the device: not zero where an index array leads nowhere, and kernels do nothing;
                            // empty: nobody asked
};

/// A launch: the kernel's name, its parameters beyond arrays and scalars, and how its body is printed.
struct LaunchPlan {
  std::string name;
  std::set<std::string> written, used; // arrays
  std::string blocks;                  // how many, as an expression of the host
  int threads = blockThreads;
  int residentThreads = 0;                                // on CUDA: that a multiprocessor is meant to hold of groups
  int residents = 0;                                      // blocks a multiprocessor is meant to hold; 0: any number
  std::int64_t bytes = 0;                                 // of shared memory
  std::string windowBytes;                                // and what a group's windows take, unless empty
  std::vector<std::pair<std::string, std::string>> extra; // further parameters: declaration, argument
  std::vector<HostValue> values;                          // that the host computes for the body
  std::string groups;                                     // the number of points where groups run them, else empty
  std::string length;                                     // the longest run of a point, for groups
  int fours = 4;                                          // that each thread of a group holds
  bool mayShare = false;                                  // arrays may share memory, and the kernel runs even so
  std::string terms;                 // of each sum, where so many are read ahead as suits their number; else empty
  bool isGuard = false;              // it looks at index arrays itself
  std::string blockSize = {};        // of a launch whose blocks have `threads` threads at most; empty: as many
  std::vector<std::string> launches; // the blocks of each; empty: one. The kernel has its number as a parameter
  std::string residentsOf; // of several launches: the function from it to the blocks a multiprocessor is meant to hold
  std::string reach = {};  // of the kernel's integers, where their type is its parameter; else empty
  std::string index = "std::int64_t"; // that type
  bool beside = false, apart = false; // groups: of neighbours that read neighbours; and how their threads stand
};

/// A fresh name for a function of the file.
std::string functionName(const std::string &wish, const DeviceFunction &function);
/// A fresh name for a kernel of the file.
std::string kernelName(const std::string &wish, const DeviceFunction &function);
/// Defines the kernel with the given body and prints its launch.
void defineAndLaunch(const LaunchPlan &plan, const std::string &body, DeviceFunction &function, Writer &host);
/// A kernel and its launch.
void printKernel(const DeviceKernel &kernel, DeviceFunction &function, Writer &host);
/// A kernel that computes again what these with roles before it mark, and what it does at a point as a function for
/// them: see PointFunction.
void printForRoles(const DeviceKernel &kernel, const std::vector<const DeviceRoles *> &roles, DeviceFunction &function,
                   Writer &host);
/// The host's part of a program: launches of its kernels, loops and branches around them.
void printHost(const DeviceBlock &nodes, const DeviceProgram &program, DeviceFunction &function, Writer &host);
/// Memory of the device for as long as a step takes; endWork() when it is done.
void beginWork(const DeviceStep &step, DeviceFunction &function, Writer &host);
void endWork(const DeviceStep &step, DeviceFunction &function);
/// Registers an array of global memory.
void placeGlobal(const TileArray &array, Context &context);
/// Asks for `array` on the device as a pointer called `name`, `rows` times where that is not empty: before the first
/// launch, or here where loops of the host surround it.
void printScratch(const TileArray &array, const std::string &name, const std::string &rows, DeviceFunction &function,
                  Writer &host);

/// Statements of the host that allocate parts together.
void printAllocation(const std::vector<ScratchPart> &parts, Context &context, Writer &host);

} // namespace polymend::print_room
