// No output is a file that the run reads, whatever path leads there, and none is written twice: nothing is made then.
#include "session.h"

#include <gmock/gmock.h>

using testing::HasSubstr;

namespace {

std::string textOf(const std::string &path) {
  const auto text = polymend::readFile(path);
  EXPECT_TRUE(text) << path;
  return text ? *text : "";
}

/// Runs each of the word lists; each is refused for its reason.
class Overwrites : public Tool {
protected:
  using Cases = std::vector<std::pair<std::vector<std::string>, std::string>>;
  static void expectRefused(const Cases &cases) {
    for (const auto &[words, message] : cases) {
      const auto done = run(words);
      EXPECT_EQ(done.exitCode, 1) << message;
      EXPECT_EQ(done.output, "") << message;
      EXPECT_THAT(done.error, HasSubstr(message));
    }
  }
};

TEST_F(Overwrites, NoInputOfTheRun) {
  const std::string a = write("a.cpp", logSum), b = write("b.cpp", logSum), made = write("made_b.cpp", logSum);
  std::filesystem::create_symlink(a, scratch.file("link.cpp"));
  expectRefused({{{a, "-o", scratch.file("o"), "--sarif", a}, "--sarif names the input file"},
                 {{a, "-o", scratch.file("o"), "--sarif", scratch.file("link.cpp")}, "--sarif names the input file"},
                 {{a, b, "-o", scratch.file("o_%s.cpp"), "--sarif", b}, "--sarif names the input file"},
                 {{b, made, "-o", scratch.file("made_%s.cpp")}, "-o names the input file"},
                 {{"check", a, "--resume", a}, "--resume names the input file"},
                 {{a, "--output-dir", scratch.file("")}, "--output-dir names the input file"},
                 {{a, "--print=man", "-o", a}, "-o names the input file"}});
  for (const std::string &file : {a, b, made}) EXPECT_EQ(textOf(file), logSum);
  EXPECT_FALSE(exists("o") || exists("o_a.cpp") || exists("o_b.cpp"));
}

TEST_F(Overwrites, NothingElseThatIsRead) {
  write("h.h", "#pragma once\n");
  std::filesystem::create_directory(scratch.file("include"));
  write("include/far.h", "#pragma once\n");
  const std::string a = write("a.cpp", std::string("#include \"h.h\"\n#include <far.h>\n") + logSum);
  const std::string flag = "--extra-arg=-I" + scratch.file("include"), words = write("words", "--quiet\n");
  write(".polymend", "--fp=strict\n");
  expectRefused({{{a, flag, "-o", scratch.file("h.h")}, "-o names a file that an input includes"},
                 {{a, flag, "-o", scratch.file("o"), "--header", scratch.file("h.h")}, "--header names a file that"},
                 {{a, flag, "-o", scratch.file("include/far.h")}, "-o names a file that an input includes"},
                 {{a, flag, "-o", scratch.file(".polymend")}, "-o names the option file"},
                 {{a, flag, "@" + words, "-o", words}, "-o names the option file"},
                 {{a, flag, "--schedule", words, "-o", words}, "-o names the schedule"}});
  EXPECT_EQ(textOf(scratch.file("h.h")) + textOf(scratch.file("include/far.h")), "#pragma once\n#pragma once\n");
  EXPECT_EQ(textOf(words) + textOf(scratch.file(".polymend")), "--quiet\n--fp=strict\n");
}

TEST_F(Overwrites, NoOutputOfTheRun) {
  const std::string a = write("a.cpp", logSum), x = scratch.file("x");
  std::filesystem::create_symlink(a, scratch.file("link.cpp"));
  expectRefused({{{a, "--sarif", x, "--report", x}, "--report and --sarif name the same file"},
                 {{a, "--sarif", x, "--report", scratch.file("./x")}, "--report and --sarif name the same file"},
                 {{a, "--sarif=-"}, "both write to stdout"},
                 {{"check", a, "--resume", x, "-o", x}, "-o and --resume name the same file"},
                 {{a, scratch.file("link.cpp"), "-i"}, "several results would be written to"},
                 {{a, "-o", x, "-o", scratch.file("y")}, "-o stands twice"}});
  EXPECT_FALSE(exists("x") || exists("y"));
  EXPECT_EQ(textOf(a), logSum);
  const auto several = run({a, write("b.cpp", logSum), "-o", scratch.file("%s.o"), "--save-optimization-record=" + x});
  EXPECT_THAT(several.error, HasSubstr("%s in a name stands for the input's"));
}

TEST_F(Overwrites, NoFileThatIsNoJournal) {
  const std::string a = write("a.cpp", logSum), notes = write("notes", "dear diary\n");
  expectRefused({{{"check", a, "--resume", notes}, "holds something else than runs of a check"},
                 {{"check", a, "--resume", scratch.file("no/such/folder")}, "there is no directory"}});
  EXPECT_EQ(textOf(notes), "dear diary\n");
  EXPECT_EQ(run({"check", a, "--sizes=n=1,m=1", "--resume", write("empty", "")}).exitCode, 0);
  EXPECT_THAT(textOf(scratch.file("empty")), HasSubstr("{\"check\":"));
}

TEST_F(Overwrites, NoInputByHalfOfAResult) {
  const std::string a = write("a.cpp", logSum), bad = write("bad.cpp", "void f( {");
  const auto done = run({a, bad, "-i", "--quiet"});
  EXPECT_EQ(done.exitCode, 1);
  EXPECT_THAT(done.error, HasSubstr("no input is replaced, as not every result was made"));
  EXPECT_EQ(textOf(a), logSum);
}

TEST_F(Overwrites, NoResultByAnother) {
  const std::string a = write("a.cpp", logSum);
  ASSERT_EQ(run({a, "-i"}).exitCode, 0);
  const std::string result = textOf(a);
  EXPECT_THAT(result.substr(0, result.find('\n')), testing::EndsWith(", in whose place it stands."));
  for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
           {a, "-i"}, {a}, {"deps", a}, {"explain", a}, {"check", a}, {write("b.cpp", "\xEF\xBB\xBF" + result)}}) {
    const auto done = run(words);
    EXPECT_EQ(done.exitCode, 1) << words.front();
    EXPECT_THAT(done.error, HasSubstr(":1:1: error: it is a result of polymend: transform its source"));
    EXPECT_EQ(done.output, "") << words.front();
  }
  EXPECT_EQ(textOf(a), result);
}

} // namespace
