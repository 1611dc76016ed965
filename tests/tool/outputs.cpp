// Where results go: several inputs and targets in one run, stdin, in place, as a difference, as fixes.
#include "session.h"

#include <gmock/gmock.h>

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

std::string shell(const std::string &script) {
  const auto done = polymend::execute({{"bash", "-c", script}, std::chrono::minutes(5)});
  EXPECT_TRUE(done) << done.refusal().reason;
  return done->output + done->error;
}

std::string read(const std::string &path) {
  const auto text = polymend::readFile(path);
  EXPECT_TRUE(text) << path;
  return text ? *text : "";
}

/// A text below its banner.
std::string belowBanner(const std::string &text) { return text.substr(text.find('\n') + 1); }

TEST_F(Tool, MakesSeveralFilesForSeveralTargetsInOneRun) {
  const std::string a = write("a.cpp", logSum), b = write("b.cpp", logSum);
  const auto done = run(
      {a, b, "--target=cuda,hip,cpp", "--arch=gfx942,sm_90a", "--output-dir", scratch.file("made/here"), "--quiet"});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_EQ(done.output + done.error, "");
  for (const char *name : {"a", "b"}) {
    EXPECT_THAT(read(scratch.file("made/here/" + std::string(name) + ".cu")), HasSubstr("--arch=sm_90a"));
    EXPECT_THAT(read(scratch.file("made/here/" + std::string(name) + ".hip")), HasSubstr("--arch=gfx942"));
  }
  const auto patterns = run({a, b, "-o", scratch.file("%s-%t.%e"), "--report", scratch.file("%s.json")});
  EXPECT_EQ(patterns.exitCode, 0) << patterns.error;
  EXPECT_TRUE(exists("a-cpp.cpp") && exists("b-cpp.cpp") && exists("a.json") && exists("b.json"));
}

TEST_F(Tool, RefusesOutputsThatMeet) {
  const std::string a = write("a.cpp", logSum), b = write("b.cpp", logSum);
  std::filesystem::create_directory(scratch.file("other"));
  const std::string same = write("other/a.cpp", logSum);
  const std::vector<std::pair<std::vector<std::string>, const char *>> cases{
      {{a, b}, "several results want --output-dir"},
      {{a, "--target=cuda,hip"}, "several results want --output-dir"},
      {{a, b, "-o", scratch.file("out")}, "several results would be written to"},
      {{a, same, "--output-dir", scratch.file("out")}, "several results would be written to"},
      {{a, b, "--output-dir", scratch.file("out"), "--report", scratch.file("r")},
       "several results would be written to"},
      {{a, "--output-dir", scratch.file("")}, "names the input file"},
      {{a, "-i", "-o", "x"}, "both say where the result goes"},
      {{a, "-i", "--diff"}, "both say where the result goes"},
      {{a, "-i", "--dump=model"}, "--dump prints a stage"},
      {{a, "-i", "--target=cuda,hip"}, "-i has one place"},
      {{"-", "-i"}, "-i cannot write back to stdin"},
      {{"-", a}, "stdin is read alone"},
      {{"-", "-MF", "x", "-MT", "y"}, "-MF needs a file"},
      {{"deps", a, "-i"}, "the option '-i' is none of 'deps'"},
      {{a, "--arch=sm_80,gfx942", "--target=cuda"}, "--arch=gfx942 does not fit --target=cuda"},
  };
  for (const auto &[words, message] : cases) {
    const auto done = run(words);
    EXPECT_EQ(done.exitCode, 1) << message;
    EXPECT_EQ(done.output, "") << message;
    EXPECT_THAT(done.error, HasSubstr(message));
    EXPECT_EQ(read(a), logSum) << message;
  }
  EXPECT_FALSE(exists("out"));
}

TEST_F(Tool, ReadsStdin) {
  const std::string file = write("stdin.cpp", std::string("#include \"near.h\"\n") + logSum);
  write("near.h", "#pragma once\n");
  write(".clang-format", "BasedOnStyle: GNU\n");
  const std::string here = "cd " + scratch.file("") + " && " POLYMEND_TOOL;
  EXPECT_EQ(shell(here + " - --quiet <stdin.cpp"), run({file, "--quiet"}).output);
  EXPECT_THAT(shell(here + " - <stdin.cpp 2>&1 >x"), StartsWith("<stdin>:3:1: remark: 'f' is transformed"));
  EXPECT_THAT(shell("echo 'void f( {' | " POLYMEND_TOOL " -"), StartsWith("<stdin>:1:"));
  EXPECT_THAT(shell(here + " - --diff --quiet <stdin.cpp"), StartsWith("--- <stdin>\n+++ <stdin>\n"));
  EXPECT_THAT(shell(here + " explain - --quiet <stdin.cpp"), HasSubstr("<stdin>:"));
  EXPECT_THAT(shell(here + " deps - --quiet --format=html <stdin.cpp"), HasSubstr("&lt;stdin&gt;"));
}

TEST_F(Tool, ReplacesItsInputOnlyWhenAsked) {
  const std::string file = write("a.cpp", logSum), result = run({file, "--quiet"}).output;
  EXPECT_EQ(read(file), logSum);
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  const auto done = run({file, "-i"});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_EQ(done.output, "");
  EXPECT_EQ(belowBanner(read(file)), belowBanner(result));
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms::owner_all);
  const std::string other = write("b.cpp", refused), wrong = write("c.cpp", "void f( {");
  EXPECT_EQ(run({other, "-i", "--require"}).exitCode, 2);
  EXPECT_EQ(read(other), refused);
  EXPECT_EQ(run({wrong, "-i"}).exitCode, 1);
  EXPECT_EQ(read(wrong), "void f( {");
}

TEST_F(Tool, ShowsWhatWouldChange) {
  std::string source = logSum;
  source += "int last;"; // a file that does not end in a line
  const std::string file = write("a.cpp", source), result = run({file, "--quiet"}).output;
  const auto diff = run({file, "--diff", "--quiet"});
  EXPECT_EQ(diff.exitCode, 0) << diff.error;
  EXPECT_THAT(diff.output, StartsWith("--- " + file + "\n+++ " + file + "\n@@ -1,"));
  EXPECT_THAT(diff.output, HasSubstr(" int last;\n\\ No newline at end of file\n"));
  write("patch", diff.output);
  EXPECT_THAT(shell("cp " + file + " " + file + ".new && patch -s " + file + ".new " + scratch.file("patch")), "");
  EXPECT_EQ(belowBanner(read(file + ".new")), belowBanner(result));
  EXPECT_EQ(read(file), source);
  EXPECT_EQ(run({write("b.cpp", "int nothing;\n"), "--diff", "--quiet"}).output, "");
}

TEST_F(Tool, EndsLinesAsTheSourceDoes) {
  std::string source;
  for (const char c : std::string(logSum)) source += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const std::string file = write("a.cpp", source);
  EXPECT_EQ(run({file, "-o", scratch.file("o.cpp"), "--header", scratch.file("o.h"), "--quiet"}).exitCode, 0);
  for (const char *made : {"o.cpp", "o.h"}) {
    const std::string text = read(scratch.file(made));
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; ++at) ASSERT_EQ(text[at - 1], '\r') << at;
  }
  write("patch", run({file, "--diff", "--quiet"}).output);
  EXPECT_THAT(shell("patch -s " + file + " " + scratch.file("patch")), "");
  EXPECT_EQ(belowBanner(read(file)), belowBanner(read(scratch.file("o.cpp"))));
}

TEST_F(Tool, ExportsFixes) {
  const std::string file = write("a.cpp", logSum), result = run({file, "--quiet"}).output;
  std::filesystem::create_directory(scratch.file("fixes"));
  const auto done = run({file, "--quiet", "--export-fixes", scratch.file("fixes/a.yaml")});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_EQ(done.output, "");
  const auto program = polymend::findProgram({"clang-apply-replacements-19", "clang-apply-replacements"});
  if (!program) GTEST_SKIP() << "clang-apply-replacements is not installed";
  EXPECT_EQ(shell(*program + " " + scratch.file("fixes")), "");
  EXPECT_EQ(belowBanner(read(file)), belowBanner(result));
}

TEST_F(Tool, WritesEmptyRulesForHeaders) {
  write("b.h", "");
  const std::string file = write("a.cpp", std::string("#include \"b.h\"\n") + logSum);
  EXPECT_EQ(run({file, "-o", scratch.file("o.cpp"), "-MF", scratch.file("d"), "-MP"}).exitCode, 0);
  EXPECT_THAT(read(scratch.file("d")), HasSubstr("\n" + scratch.file("b.h") + ":"));
  EXPECT_THAT(read(scratch.file("d")), Not(HasSubstr("\n" + file + ":")));
}

TEST_F(Tool, LeavesAloneWhatWouldNotChange) {
  const std::string file = write("a.cpp", logSum), out = scratch.file("o.cpp");
  const std::vector<std::string> words{file, "-o", out, "--write-if-changed"};
  EXPECT_EQ(run(words).exitCode, 0);
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(out, old);
  EXPECT_EQ(run(words).exitCode, 0);
  EXPECT_EQ(std::filesystem::last_write_time(out), old);
  EXPECT_EQ(run({file, "-o", out}).exitCode, 0);
  EXPECT_GT(std::filesystem::last_write_time(out), old);
  write("o.cpp", "something else");
  EXPECT_EQ(run(words).exitCode, 0);
  EXPECT_EQ(read(out), run({file, "--quiet"}).output);
}

TEST_F(Tool, ReadsWordsFromFiles) {
  const std::string file = write("a.cpp", "#ifndef WIDTH\n#error\n#endif\n#if SHIFT != 2\n#error\n#endif\nint x;\n");
  const std::string flags = write("flags", "-DWIDTH=\"a b\"\n\nSHELL:-D SHIFT=2\n-DWIDTH=\"a b\"\n");
  EXPECT_EQ(run({file, "--quiet", "--", "@" + flags}).exitCode, 0);
  EXPECT_EQ(run({file, "--quiet"}).exitCode, 1);
  // Behind "--" stand a build's flags: pairs stay pairs, and what only another compiler knows is passed over.
  const std::string pairs = write("pairs.h", "#define WIDTH 1\n");
  const std::string others =
      write("others", "-include\n" + pairs + "\n-D\nSHIFT=2\n-D\nOTHER=2\n-include\n<cstddef>\n" +
                          "-O3\n-Werror\n-fno-ipa-icf\n-MF\nd\n-fopt-info-vec\n");
  const auto done = run({file, "--quiet", "--", "@" + others});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_EQ(run({file, "--quiet", "--", "-fno-ipa-icf", "@" + others}).exitCode, 1);
  EXPECT_THAT(run({file, "@" + scratch.file("none")}).error, HasSubstr("cannot read"));
}

} // namespace
