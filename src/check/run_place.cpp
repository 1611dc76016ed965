// A target arrives; where its text can run here, and how it is built for that, leave. Text for a GPU runs on the GPU of
// this machine where its compiler is there too, else on the emulated device, whose files are installed with the tool.
#include "run_place.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace polymend {

namespace fs = std::filesystem;

namespace {

/// What a command writes, or nothing where it is missing or fails.
std::optional<std::string> said(const std::vector<std::string> &words) {
  const auto done = execute({words, std::chrono::seconds(20)});
  return done && !done->timedOut && done->exitCode == 0 ? std::optional(done->output) : std::nullopt;
}

/// 90 of "9.0\n".
int capabilityIn(const std::string &text) {
  int major = 0, minor = 0;
  char point = 0;
  std::istringstream(text) >> major >> point >> minor;
  return 10 * major + minor;
}

/// 90 of "sm_90a"; 0 where the architecture is not named.
int numberOf(const std::string &arch) { return arch.starts_with("sm_") ? std::atoi(arch.c_str() + 3) : 0; }

/// Can the GPU with this capability run text for the architecture? What is for one alone runs there only.
bool runsOn(int capability, const std::string &arch) {
  const bool alone = !arch.empty() && (arch.back() == 'a' || arch.back() == 'f');
  return alone ? capability == numberOf(arch) : capability >= numberOf(arch);
}

std::optional<RunPlace> cudaPlace(const std::string &arch) {
  const auto compiler = findProgram({"nvcc", "/usr/local/cuda/bin/nvcc"});
  const auto asked = said({"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"});
  if (!compiler || !asked || !runsOn(capabilityIn(*asked), arch)) return std::nullopt;
  RunPlace place{RunPlace::Kind::Gpu, "the GPU", *compiler, {"-x", "cu", "-O2", "-Xcompiler", "-fPIC"}, {}};
  const std::string number = std::to_string(numberOf(arch));
  if (numberOf(arch) != 0 && arch.back() == 'a')
    place.flags.push_back("-gencode=arch=compute_" + number + "a,code=sm_" + number + "a");
  else
    place.flags.push_back("-arch=" + (numberOf(arch) != 0 ? arch : std::string("native")));
  return place;
}

std::optional<RunPlace> hipPlace(const std::string &arch) {
  const auto compiler = findProgram({"hipcc", "/opt/rocm/bin/hipcc"});
  const auto asked = said({"rocm_agent_enumerator"});
  if (!compiler || !asked || asked->find("gfx") == std::string::npos) return std::nullopt;
  if (arch.starts_with("gfx") && asked->find(arch) == std::string::npos) return std::nullopt;
  RunPlace place{RunPlace::Kind::Gpu, "the GPU", *compiler, {"-x", "hip", "-O2"}, {}};
  if (arch.starts_with("gfx")) place.flags.push_back("--offload-arch=" + arch);
  return place;
}

/// Where the files of the emulated device are: beside the tool, as it was built or installed.
std::optional<fs::path> emulatedFiles() {
  std::error_code error;
  const fs::path tool = fs::read_symlink("/proc/self/exe", error);
  for (const char *from : {"share/polymend/emulate", "../share/polymend/emulate"}) {
    const fs::path files = tool.parent_path() / from;
    if (fs::exists(files / "libemulated_device.a", error) && fs::exists(files / "translate.py", error))
      return files.lexically_normal();
  }
  return std::nullopt;
}

Result<RunPlace> emulatedPlace(const std::string &arch) {
  const auto files = emulatedFiles();
  const auto python = findProgram({"python3"});
  const auto compiler = findProgram({"clang++-19", "clang++"});
  if (!files) return Refusal{"the emulated device is not installed beside the tool", {}};
  if (!python || !compiler)
    return Refusal{std::string("the emulated device wants ") + (python ? "clang++-19" : "python3"), {}};
  RunPlace place{RunPlace::Kind::Emulated, "an emulated device", *compiler, {}, {*python, *files / "translate.py"}};
  place.flags = {"-O2",
                 "-march=x86-64-v3",
                 "-ftrivial-auto-var-init=pattern",
                 "-DPOLYMEND_EMULATED",
                 "-I",
                 *files,
                 "--rtlib=compiler-rt",
                 "--unwindlib=libgcc"};
  if (numberOf(arch) != 0) place.flags.push_back("-D__CUDA_ARCH__=" + std::to_string(10 * numberOf(arch)));
  place.archive = *files / "libemulated_device.a";
  return place;
}

} // namespace

Result<RunPlace> placeOf(Target target, const std::string &arch) {
  if (target == Target::Cpp) return RunPlace{RunPlace::Kind::Cpu, "the CPU", {}, {}, {}};
  const auto gpu = target == Target::Cuda ? cudaPlace(arch) : hipPlace(arch);
  if (gpu) return *gpu;
  auto emulated = emulatedPlace(arch);
  if (emulated) return emulated;
  return Refusal{"there is no GPU with its compiler here for what is printed, and " + emulated.refusal().reason, {}};
}

Result<std::string> placeFor(Target target, const std::string &arch) {
  const auto place = placeOf(target, arch);
  if (!place) return place.refusal();
  return place->name;
}

std::optional<Refusal> translated(const RunPlace &place, const std::string &source) {
  if (place.translate.empty()) return std::nullopt;
  std::vector<std::string> words = place.translate;
  words.insert(words.end(), {source, "-o", source});
  const auto done = execute({words, std::chrono::seconds(120)});
  if (!done) return done.refusal();
  if (done->exitCode == 0 && !done->timedOut) return std::nullopt;
  return Refusal{"the result cannot be translated for the emulated device: " + done->error, {}};
}

} // namespace polymend
