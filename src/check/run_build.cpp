// The texts of original and result arrive, three libraries leave: the original without contraction, the result as its
// user would build it for where it runs, but that each run says what is too little work for threads, and the original
// in a wider type. All host code is built for this machine: its conversions to 16 bits may flush what others do not.
#include "run_place.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <limits>

namespace polymend {

namespace {

/// Compiles one text to a library.
Result<std::string> buildLibrary(const CheckRequest &request, const ScratchDirectory &scratch, const std::string &name,
                                 const std::string &text, const RunPlace &place,
                                 const std::vector<std::string> &flags) {
  const std::string source = scratch.file(name + ".cpp");
  if (auto failure = replaceFile(source, text)) return *failure;
  if (auto failure = translated(place, source)) return *failure;
  BuildRequest build;
  build.source = source;
  build.output = scratch.file(name + ".so");
  build.compiler = place.compiler.empty() ? request.compiler : place.compiler;
  const std::string directory = std::filesystem::path(request.file).parent_path().string();
  const std::vector<std::string> beside{place.kind == RunPlace::Kind::Gpu ? "-I" : "-iquote",
                                        directory.empty() ? "." : directory};
  build.flags = {"-std=c++20", "-w"};
  for (const auto *more : {&beside, &flags, &request.clangArgs})
    build.flags.insert(build.flags.end(), more->begin(), more->end());
  if (text.find("__bf16") != std::string::npos && place.kind == RunPlace::Kind::Cpu)
    build.flags.insert(build.flags.end(), {"--rtlib=compiler-rt", "--unwindlib=libgcc"});
  build.objects = place.archive.empty() ? std::vector<std::string>() : std::vector<std::string>{place.archive};
  build.position = place.kind == RunPlace::Kind::Gpu ? "" : "-fPIC";
  const auto built = polymend::build(build);
  if (!built) return Refusal{"the " + name + " cannot be built: " + built.refusal().reason, {}};
  return *built;
}

/// For this machine's vectors, but without arithmetic of 16-bit floats, which the source was not read for: it rounds
/// every operation where others carry float. A processor among the user's own flags, which follow, counts instead.
std::vector<std::string> flagsOfProcessor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return {"-march=x86-64-v4"};
  if (__builtin_cpu_supports("x86-64-v3")) return {"-march=x86-64-v3"};
  return {};
#else
  return {"-march=native"};
#endif
}

/// How the user of a result builds it.
std::vector<std::string> flagsFor(const RunPlace &place) {
  const bool isHost = place.kind == RunPlace::Kind::Cpu;
  std::vector<std::string> flags = isHost ? flagsOfProcessor() : place.flags;
  if (!isHost) {
    flags.emplace_back("-DPOLYMEND_NARROW_REACH=polymend_narrow_reach");
    return flags;
  }
  flags.insert(flags.end(), {"-O3", "-fopenmp", "-ffp-contract=off", "-DPOLYMEND_LEAST_WORK=polymend_least_work"});
  return flags;
}

} // namespace

namespace {

/// A type of 113 digits where long double has fewer and this compiler knows one.
constexpr Widened widest() {
#ifdef __SIZEOF_FLOAT128__
  if (std::numeric_limits<long double>::digits < 113) return Widened::Quad;
#endif
  return Widened::LongDouble;
}

std::string spelled(Widened widened) {
  return widened == Widened::Double ? "double" : widened == Widened::Quad ? "__float128" : "long double";
}

} // namespace

namespace {

/// A source that leaves its containers at some sizes ends there, and these are no sizes for it.
constexpr const char *containersAsk[] = {"-D_GLIBCXX_ASSERTIONS",
                                         "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST"};

} // namespace

Widened widenedFor(const std::vector<CheckedFunction> &functions) {
  const auto isDouble = [](const auto &typed) { return typed.type == Type::Float64; };
  return std::any_of(functions.begin(), functions.end(),
                     [&](const CheckedFunction &checked) {
                       const Function &f = checked.function;
                       return f.returnType == Type::Float64 ||
                              std::any_of(f.arrays.begin(), f.arrays.end(), isDouble) ||
                              std::any_of(f.parameters.begin(), f.parameters.end(), isDouble);
                     })
             ? widest()
             : Widened::Double;
}

Result<Libraries> buildAll(const CheckRequest &request, const RunPlace &place, const std::string &resultText,
                           const ScratchDirectory &scratch) {
  const RunPlace host{RunPlace::Kind::Cpu, "", "", {}, {}};
  std::vector<std::string> plain = flagsOfProcessor();
  plain.insert(plain.end(), {"-O2", "-ffp-contract=off"});
  plain.insert(plain.end(), std::begin(containersAsk), std::end(containersAsk));
  const Widened widened = widenedFor(request.functions);
  const std::string source = withEntries(request.original, request.original, request.functions);
  const std::string printed =
      withEntries(resultText, request.original, request.functions, request.target == Target::Hip ? "hip" : "cuda");
  const std::string reference = promote(source, spelled(widened));
  const auto start = [&](const char *name, const std::string &text, const RunPlace &where,
                         const std::vector<std::string> &flags) {
    return std::async(std::launch::async,
                      [&, name, flags] { return buildLibrary(request, scratch, name, text, where, flags); });
  };
  auto original = start("original", source, host, plain), result = start("result", printed, place, flagsFor(place)),
       wide = start("reference", reference, host, plain);
  const bool isQuad = widened == Widened::Quad;
  const std::string inLongDouble = isQuad ? promote(source, spelled(Widened::LongDouble)) : "";
  const auto first = original.get(), second = result.get(), third = wide.get();
  if (!first) return first.refusal();
  if (!second) return second.refusal();
  const auto fewer = isQuad ? start("fewer", inLongDouble, host, plain).get() : third;
  if (!third && !fewer) return Libraries{*first, *second, {}, Widened::No};
  if (!third) return Libraries{*first, *second, *fewer, Widened::LongDouble};
  return Libraries{*first, *second, *third, widened, isQuad && fewer ? *fewer : std::string()};
}

bool leaveUncallable(CheckRequest &request, const ScratchDirectory &scratch) {
  const RunPlace host{RunPlace::Kind::Cpu, "", "", {}, {}};
  std::vector<std::string> quick = flagsOfProcessor();
  quick.emplace_back("-O0");
  bool leaves = false;
  for (CheckedFunction &checked : request.functions) {
    const bool isMade = checked.function.isRegion || !checked.function.parts.empty();
    if (!isMade || !checked.function.isMakeable) continue;
    const std::string entered = withEntries(request.original, request.original, {checked});
    if (buildLibrary(request, scratch, "one", entered, host, quick)) continue;
    checked.function.isMakeable = false;
    leaves = true;
  }
  return leaves;
}

} // namespace polymend
