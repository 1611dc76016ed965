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
      {{file, "--target=hip", "--arch=sm_80"}, "--arch=sm_80 does not fit --target=hip"},
      {{file, "--tile=i"}, "not 'i'"},
      {{file, "--tile=i:0"}, "not 'i:0'"},
      {{file, "--tile=i:8,i:9"}, "'i' twice"},
      {{file, "--tile=i:99999999999999999999"}, "not 'i:99999999999999999999'"},
      {{file, "--tile=i:1000000000000"}, "not 'i:1000000000000'"},
      {{file, "--dump=bogus"}, "no stage 'bogus'"},
      {{file, "-MF", scratch.file("d")}, "-MF needs -MT or -o"},
      {{file, "-MT", "x"}, "-MT needs -MF"},
      {{file, "--fp=strict", "--relax=rolling"}, "--fp=strict"},
      {{"check", file, "--sizes=n=x"}, "not 'n=x'"},
      {{"check", file, "--sizes=n=1,n=2"}, "'n' twice"},
      {{"check", file, "--sizes=n=-1"}, "not 'n=-1'"},
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
