// Commands and builds: what succeeds, what fails, what is missing and what hangs.
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <csignal>
#include <dlfcn.h>
#include <unistd.h>

using namespace polymend;
using namespace std::chrono_literals;

namespace {

BuildRequest request(const std::string &source, const std::string &output) {
  BuildRequest request;
  request.source = source;
  request.output = output;
  return request;
}

} // namespace

TEST(Execute, TellsBothOutputsAndTheExitCode) {
  const auto done = execute({{"sh", "-c", "echo out; echo err >&2; exit 7"}});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->output, "out\n");
  EXPECT_EQ(done->error, "err\n");
  EXPECT_EQ(done->exitCode, 7);
  EXPECT_FALSE(done->timedOut);
}

TEST(Execute, TellsTheSignal) {
  const auto done = execute({{"sh", "-c", "kill -SEGV $$"}});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exitCode, 128 + SIGSEGV);
}

TEST(Execute, ReadsMoreThanAPipeHolds) {
  const auto done = execute({{"sh", "-c", "yes polymend | head -c 1000000"}});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->output.size(), 1000000u);
}

TEST(Execute, EndsAtTheLimit) {
  const auto done = execute({{"sh", "-c", "sleep 1000; true"}, 50ms});
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->timedOut);
}

TEST(Execute, RefusesWhatIsMissing) {
  const auto done = execute({{"no-such-program-here"}});
  ASSERT_FALSE(done);
  EXPECT_NE(done.refusal().reason.find("no-such-program-here"), std::string::npos);
  EXPECT_FALSE(execute({{}}));
}

TEST(Build, MakesALibraryThatLoads) {
  const ScratchDirectory scratch;
  ASSERT_FALSE(replaceFile(scratch.file("a.cpp"), "extern \"C\" int answer() { return 42; }\n"));
  const auto built = build(request(scratch.file("a.cpp"), scratch.file("a.so")));
  ASSERT_TRUE(built) << built.refusal().reason;
  void *library = dlopen(built->c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(reinterpret_cast<int (*)()>(dlsym(library, "answer"))(), 42);
  dlclose(library);
}

TEST(Build, MakesAProgram) {
  const ScratchDirectory scratch;
  ASSERT_FALSE(replaceFile(scratch.file("a.cpp"), "int main() { return 5; }\n"));
  BuildRequest program = request(scratch.file("a.cpp"), scratch.file("a"));
  program.shared = false;
  ASSERT_TRUE(build(program));
  EXPECT_EQ(execute({{scratch.file("a")}})->exitCode, 5);
}

TEST(Build, RefusesInTheCompilersWords) {
  const ScratchDirectory scratch;
  ASSERT_FALSE(replaceFile(scratch.file("a.cpp"), "int f() { return missing; }\n"));
  const auto built = build(request(scratch.file("a.cpp"), scratch.file("a.so")));
  ASSERT_FALSE(built);
  EXPECT_NE(built.refusal().reason.find("use of undeclared identifier 'missing'"), std::string::npos);
}

TEST(Build, RefusesAMissingCompiler) {
  BuildRequest odd = request("a.cpp", "a.so");
  odd.compiler = "no-such-compiler";
  const auto built = build(odd);
  ASSERT_FALSE(built);
  EXPECT_NE(built.refusal().reason.find("no-such-compiler"), std::string::npos);
}

TEST(Isolate, ReturnsTheText) {
  const auto done = isolate([] { return std::string(300000, 'x'); }, 60s);
  EXPECT_EQ(done.end, Isolated::End::Done);
  EXPECT_EQ(done.text, std::string(300000, 'x'));
}

TEST(Isolate, SurvivesACrash) {
  const auto done = isolate(
      []() -> std::string {
        raise(SIGKILL);
        return "no";
      },
      60s);
  EXPECT_EQ(done.end, Isolated::End::Crashed);
  EXPECT_EQ(done.signal, SIGKILL);
}

TEST(Isolate, SurvivesAnExceptionAndAnExit) {
  EXPECT_EQ(isolate([]() -> std::string { throw 1; }, 60s).end, Isolated::End::Crashed);
  EXPECT_EQ(isolate([]() -> std::string { _exit(1); }, 60s).end, Isolated::End::Crashed);
}

TEST(Isolate, EndsAtTheLimit) {
  const auto done = isolate(
      []() -> std::string {
        for (volatile int i = 0;;) i = 1 - i;
      },
      50ms);
  EXPECT_EQ(done.end, Isolated::End::TimedOut);
}

TEST(Isolate, RunsSeveralAndKeepsTheirOrder) {
  std::vector<std::function<std::string()>> works;
  for (int k = 0; k < 9; ++k)
    works.emplace_back([k]() -> std::string {
      if (k == 4) raise(SIGKILL);
      if (k == 6) throw 1;
      return std::string(70000, static_cast<char>('a' + k));
    });
  const auto done = isolate(works, 60s, 3);
  ASSERT_EQ(done.size(), 9U);
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_EQ(done[k].end, k == 4 || k == 6 ? Isolated::End::Crashed : Isolated::End::Done) << k;
    if (k != 4 && k != 6) EXPECT_EQ(done[k].text, std::string(70000, static_cast<char>('a' + k))) << k;
  }
}

TEST(Isolate, GivesEachItsOwnTime) {
  const auto endless = []() -> std::string {
    for (volatile int i = 0;;) i = 1 - i;
  };
  const auto done = isolate({endless, [] { return std::string("done"); }, endless}, 300ms, 2);
  EXPECT_EQ(done[0].end, Isolated::End::TimedOut);
  EXPECT_EQ(done[1].end, Isolated::End::Done);
  EXPECT_EQ(done[1].text, "done");
  EXPECT_EQ(done[2].end, Isolated::End::TimedOut);
}
