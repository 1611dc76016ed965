// Words that make no sense, files that are not there: exit code 1, a message that names the word, no output.
#include "session.h"

TEST_F(Tool, TellsItsVersionAndItsHelp) {
  const auto version = run({"--version"});
  EXPECT_EQ(version.exitCode, 0);
  EXPECT_EQ(version.output.rfind("polymend ", 0), 0u);
  const auto help = run({"--help"});
  EXPECT_EQ(help.exitCode, 0);
  for (const char *word : {"deps", "explain", "check", "--target", "--relax", "--report", "Exit codes"})
    EXPECT_NE(help.output.find(word), std::string::npos) << word;
}

TEST_F(Tool, WantsAFile) {
  EXPECT_EQ(run({}).exitCode, 1);
  EXPECT_EQ(run({"deps"}).exitCode, 1);
  EXPECT_EQ(run({"a.cpp", "b.cpp"}).exitCode, 1);
}

TEST_F(Tool, SaysWhichFileIsMissing) {
  const auto done = run({scratch.file("none.cpp")});
  EXPECT_EQ(done.exitCode, 1);
  EXPECT_EQ(done.output, "");
  EXPECT_NE(done.error.find("cannot read '" + scratch.file("none.cpp") + "': No such file or directory"),
            std::string::npos);
}

TEST_F(Tool, ReadsNoDirectory) {
  const auto done = run({scratch.file("")});
  EXPECT_EQ(done.exitCode, 1);
  EXPECT_NE(done.error.find("it is a directory"), std::string::npos);
}

TEST_F(Tool, KnowsItsOptions) {
  const std::string file = write("a.cpp", logSum);
  const std::vector<std::pair<std::vector<std::string>, const char *>> cases{
      {{file, "--bogus"}, "--bogus"},
      {{file, "--target=vax"}, "vax"},
      {{file, "--relax=maybe"}, "maybe"},
      {{file, "--fp=fast"}, "fast"},
      {{file, "--arch=sm_90a"}, "--arch=sm_90a does not fit --target=cpp"},
      {{file, "--target=cuda", "--arch=gfx90a"}, "--arch=gfx90a does not fit --target=cuda"},
      {{file, "--target=cuda", "--arch=sm_81"}, "--arch=sm_81 is not among those known: sm_50, "},
      {{file, "--target=hip", "--arch=sm_80"}, "--arch=sm_80 does not fit --target=hip"},
      {{file, "--tile=i"}, "not 'i'"},
      {{file, "--tile=i:0"}, "not 'i:0'"},
      {{file, "--tile=i:8,i:9"}, "'i' twice"},
      {{file, "--tile=i:99999999999999999999"}, "not 'i:99999999999999999999'"},
      {{file, "--tile=i:1000000000000"}, "not 'i:1000000000000'"},
      {{file, "--dump=bogus"}, "no stage 'bogus'"},
      {{file, "-MF", scratch.file("d")}, "-MF needs -MT or -o"},
      {{file, "-MT", "x"}, "-MT needs -MF"},
      {{file, "--report=-"}, "both write to stdout"},
      {{file, "-MF", "-", "-MT", "x"}, "both write to stdout"},
      {{file, "--order=x"}, "--order"},
      {{file, "--fp=strict", "--relax=rolling"}, "--fp=strict"},
      {{"check", file, "--sizes=n=x"}, "not 'n=x'"},
      {{"check", file, "--sizes=n=1,n=2"}, "'n' twice"},
      {{"check", file, "--sizes=n=1,m=1,q=2"}, "--sizes names 'q', which is no size"},
      {{"check", file, "--sizes=n=1,m=1;n=2"}, "--sizes gives 'm' of 'f' no value"},
      {{"check", file, "--sizes=n=-1"}, "not 'n=-1'"},
      {{"check", file, "--sizes="}, "--sizes is empty"},
      {{"check", file, "--sizes=n=1,m=1;;n=2,m=2"}, "--sizes has a run without sizes"},
      {{"explian", file}, "no file or verb 'explian'; did you mean 'explain'?"},
      {{"--quiet", "deps", file}, "the verb 'deps' stands before all other words"},
      {{file, "--target=hip", "--arch=foo"}, "--arch=foo does not fit --target=hip; known are gfx90a"},
      {{"deps", file, "--format=pdf"}, "pdf"},
  };
  for (const auto &[words, message] : cases) {
    const auto done = run(words);
    EXPECT_EQ(done.exitCode, 1) << message;
    EXPECT_EQ(done.output, "") << message;
    EXPECT_NE(done.error.find(message), std::string::npos) << done.error;
  }
}

TEST_F(Tool, NeverOverwritesItsInput) {
  const std::string file = write("a.cpp", logSum);
  std::filesystem::create_hard_link(file, scratch.file("b.cpp"));
  for (const std::string &other : {file, scratch.file("./a.cpp"), scratch.file("b.cpp")})
    for (const char *option : {"-o", "--report", "-MF"}) {
      const auto done = run({file, "-MT", "x", "-MF", "/dev/null", option, other});
      EXPECT_EQ(done.exitCode, 1) << option << other;
      EXPECT_EQ(*polymend::readFile(file), logSum);
    }
}

TEST_F(Tool, WantsDifferentOutputs) {
  const std::string file = write("a.cpp", logSum), out = scratch.file("out");
  const auto done = run({file, "-o", out, "--report", out});
  EXPECT_EQ(done.exitCode, 1);
  EXPECT_NE(done.error.find("name the same file"), std::string::npos);
  EXPECT_FALSE(exists("out"));
}

TEST_F(Tool, SaysWhyItCannotWrite) {
  const std::string file = write("a.cpp", logSum);
  for (const char *option : {"-o", "--report"}) {
    const auto done = run({file, option, scratch.file("no/such/place")});
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_NE(done.error.find("there is no directory"), std::string::npos) << done.error;
  }
  const auto full = polymend::execute({{"sh", "-c", "exec " POLYMEND_TOOL " " + file + " > /dev/full"}});
  EXPECT_EQ(full->exitCode, 1);
  EXPECT_NE(full->error.find("cannot write to stdout"), std::string::npos);
}

TEST_F(Tool, WritesTheReportToStdout) {
  const std::string file = write("a.cpp", logSum);
  const auto done = run({file, "-o", scratch.file("out.cpp"), "--report=-"});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_EQ(done.output.rfind("{", 0), 0U) << done.output;
  EXPECT_FALSE(exists("-"));
}

TEST_F(Tool, ReadsOrdinaryFilesOnly) {
  const auto piped = polymend::execute({{"bash", "-c", POLYMEND_TOOL " <(cat " + write("a.cpp", logSum) + ")"}});
  for (const polymend::Execution &done : {*piped, run({"/dev/null"})}) {
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_NE(done.error.find("it is no ordinary file; use - and"), std::string::npos) << done.error;
  }
}

std::string manyLines() {
  std::string text;
  while (text.size() < 200000) text += "// A line that nobody reads.\n";
  return text;
}

TEST_F(Tool, EndsWhenNobodyReads) {
  const std::string file = write("a.cpp", logSum + std::string("\n") + manyLines());
  const auto done = polymend::execute({{"bash", "-c", POLYMEND_TOOL " " + file + " | head -1; echo ${PIPESTATUS[0]}"}});
  EXPECT_EQ(done->output.substr(done->output.size() - 2), "1\n") << done->output;
  EXPECT_NE(done->error.find("cannot write to stdout"), std::string::npos) << done->error;
}

TEST_F(Tool, LeavesNothingBehindWhenInterrupted) {
  const std::string file = write("a.cpp", logSum);
  std::filesystem::create_directory(scratch.file("tmp"));
  const std::string script = "export TMPDIR=" + scratch.file("tmp") + "; " POLYMEND_TOOL " check " + file + " -o " +
                             scratch.file("out.txt") + R"( &
    until ls $TMPDIR/polymend-*/original.cpp >/dev/null 2>&1; do sleep 0.01; done
    kill -TERM $!; wait $!; echo $?
    for k in $(seq 100); do [ $(ls $TMPDIR | wc -l) = 0 ] && break; sleep 0.1; done # a compiler may still end
    ls $TMPDIR | wc -l)";
  const auto done = polymend::execute({{"bash", "-c", script}});
  EXPECT_EQ(done->output, "143\n0\n") << done->error;
  EXPECT_FALSE(exists("out.txt"));
}

TEST_F(Tool, TakesPathsOfAnyKind) {
  const std::string name = "grüße, 世界 &.cpp";
  const std::string file = write(name, logSum), out = scratch.file("aus gabe.cpp");
  EXPECT_EQ(run({file, "-o", out, "-MF", scratch.file("d d")}).exitCode, 0);
  EXPECT_NE(polymend::readFile(out)->find("void f(int n, int m"), std::string::npos);
  const auto inside = polymend::execute(
      {{"sh", "-c", "cd " + scratch.file("") + " && exec " POLYMEND_TOOL " './" + name + "' -o 'b b.cpp'"}});
  EXPECT_EQ(inside->exitCode, 0) << inside->error;
  EXPECT_EQ(*polymend::readFile(scratch.file("b b.cpp")), *polymend::readFile(out));
  EXPECT_EQ(run({"check", file, "--sizes=n=3,m=4"}).exitCode, 0);
}
