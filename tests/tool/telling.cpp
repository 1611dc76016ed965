// What is said: kinds of remarks, records for other programs, option files, texts made from the table of options.
#include "session.h"

#include <boost/json.hpp>
#include <gmock/gmock.h>

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

namespace {

std::string read(const std::string &path) {
  const auto text = polymend::readFile(path);
  EXPECT_TRUE(text) << path;
  return text ? *text : "";
}

TEST_F(Tool, SaysInALineWhatItDid) {
  const std::string file = write("a.cpp", logSum);
  EXPECT_THAT(
      run({file}).error,
      HasSubstr(file +
                ":2:1: remark: 'f' is transformed: the loops around lines 6 and 9 are one; sum mended; 1 kernel in "
                "parallel on threads; expected: x read once instead of twice\n"));
  EXPECT_THAT(run({file, "--target=cuda"}).error, HasSubstr("on the GPU's threads"));
  EXPECT_THAT(run({file, "--relax=none"}).error, Not(HasSubstr("mended")));
  EXPECT_EQ(run({file, "--quiet"}).error, "");
}

TEST_F(Tool, SaysOfEachResultWhatItShouldGain) {
  const auto said = [&](const std::string &name, const std::vector<std::string> &more = {}) {
    std::vector<std::string> words{POLYMEND_SOURCE_DIR "/inputs/" + name + ".cpp", "-o", scratch.file("o"), "--report",
                                   scratch.file("r.json")};
    words.insert(words.end(), more.begin(), more.end());
    const std::string error = run(words).error;
    const auto report = boost::json::parse(read(scratch.file("r.json")));
    EXPECT_THAT(
        error, HasSubstr("; expected: " + std::string(report.at("functions").at(0).at("expected").as_string()) + "\n"));
    return error;
  };
  EXPECT_THAT(said("matmul"), HasSubstr("expected: b reused by 64 values of i, a reused by 64 values of j\n"));
  EXPECT_THAT(said("attention_causal"), HasSubstr("expected: score never stored, k and v reused by 64 values of i\n"));
  EXPECT_THAT(said("refused_sigmoid"), HasSubstr("expected: values of i shared among threads\n"));
  EXPECT_THAT(said("seidel2d"), HasSubstr("expected: turns of a loop shared among threads\n"));
  EXPECT_THAT(said("jacobi2d", {"--target=cuda", "--require=parallel", "--config=none"}),
              HasSubstr("1 kernel in parallel on the GPU's threads; expected: turns of a loop shared among the GPU's"));
  const std::string left = write("a.cpp", "int f(int n) { return n; }\n");
  EXPECT_EQ(run({left, "-o", scratch.file("o"), "--report", scratch.file("r.json")}).exitCode, 0);
  EXPECT_TRUE(boost::json::parse(read(scratch.file("r.json"))).at("functions").at(0).at("expected").is_null());
}

TEST_F(Tool, SortsRemarksAsClangDoes) {
  const std::string both = write("a.cpp", std::string(logSum) + R"(
void g(int n, float *x) {
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] * x[i];
}
)");
  const auto said = [&](const char *kinds) { return run({both, kinds}).error; };
  EXPECT_THAT(said("--remarks=passed"), AllOf(HasSubstr("'f' is transformed"), Not(HasSubstr("'g'"))));
  EXPECT_THAT(said("--remarks=missed"), AllOf(HasSubstr("'g' is left as it is"), Not(HasSubstr("'f'"))));
  EXPECT_EQ(said("--remarks=analysis"), "");
  EXPECT_EQ(said("--remarks=none"), "");
  EXPECT_THAT(said("--remarks=passed,missed"), AllOf(HasSubstr("'f'"), HasSubstr("'g'")));
  EXPECT_THAT(run({both, "--tile=q:8", "--quiet"}).error, HasSubstr("warning: --tile names the loop 'q'"));
}

TEST_F(Tool, WritesRecordsThatLlvmReads) {
  const std::string file = write("a.cpp", logSum), out = scratch.file("o.cpp");
  EXPECT_EQ(run({file, "-o", out, "--save-optimization-record", "--quiet"}).exitCode, 0);
  const std::string record = read(out + ".opt.yaml");
  EXPECT_THAT(record, AllOf(HasSubstr("--- !Passed\n"), HasSubstr("Name:            Transformed"),
                            HasSubstr("Line: 2, Column: 1")));
  const auto program = polymend::findProgram({"llvm-remarkutil-19", "llvm-remarkutil"});
  if (!program) GTEST_SKIP() << "llvm-remarkutil is not installed";
  const auto counted =
      polymend::execute({{*program, "count", "--parser=yaml", "--group-by=function", out + ".opt.yaml"}});
  EXPECT_THAT(counted->output, HasSubstr("f,1")) << counted->error;
}

TEST_F(Tool, WritesSarif) {
  const std::string a = write("a.cpp", logSum), b = write("b.cpp", refused);
  EXPECT_EQ(run({a, b, "-o", scratch.file("%s.out"), "--sarif", scratch.file("all.sarif"), "--quiet"}).exitCode, 0);
  const auto log = boost::json::parse(read(scratch.file("all.sarif")));
  EXPECT_EQ(log.at("version").as_string(), "2.1.0");
  std::set<std::string> levels;
  for (const auto &result : log.at("runs").as_array().at(0).at("results").as_array()) {
    levels.insert(result.at("ruleId").as_string().c_str() + std::string(" ") + result.at("level").as_string().c_str());
    EXPECT_GT(result.at("locations").at(0).at("physicalLocation").at("region").at("startLine").as_int64(), 0);
  }
  EXPECT_TRUE(levels.contains("Transformed none")) << testing::PrintToString(levels);
  EXPECT_TRUE(levels.contains("LeftAsItIs note") || levels.contains("DependenceKept note"))
      << testing::PrintToString(levels);
}

TEST_F(Tool, WritesSarifThatOthersRead) {
  const std::string odd = write("grün & 1%.cpp", logSum), none = scratch.file("none.cpp"), out = scratch.file("%s.out");
  EXPECT_EQ(run({odd, none, "-o", out, "--sarif", scratch.file("all"), "--quiet"}).exitCode, 1);
  const auto log = boost::json::parse(read(scratch.file("all"))).at("runs").at(0);
  EXPECT_FALSE(log.at("invocations").at(0).at("executionSuccessful").as_bool());
  std::string uris, texts;
  for (const auto &result : log.at("results").as_array()) {
    uris +=
        std::string(result.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri").as_string());
    texts += std::string(result.at("message").at("text").as_string());
  }
  EXPECT_THAT(uris, AllOf(HasSubstr("file://" + scratch.file("gr%C3%BCn%20%26%201%25.cpp")), HasSubstr("none.cpp")));
  EXPECT_THAT(texts, HasSubstr("cannot read '" + none + "'"));
  for (const auto &rule : log.at("tool").at("driver").at("rules").as_array())
    EXPECT_GT(rule.at("shortDescription").at("text").as_string().size(), 10U);

  const std::string piped = "cd " + scratch.file("") + " && " POLYMEND_TOOL " - --sarif=- -o x --quiet <'" + odd +
                            "'; " + POLYMEND_TOOL " 'grün & 1%.cpp' --sarif=- -o x --quiet";
  EXPECT_THAT(polymend::execute({{"bash", "-c", piped}})->output,
              AllOf(HasSubstr(R"("uri":"%3Cstdin%3E")"), HasSubstr(R"("uri":"gr%C3%BCn%20%26%201%25.cpp")"),
                    HasSubstr(R"("executionSuccessful":true)")));
}

TEST_F(Tool, WritesALogForEachNameThatAPatternMakes) {
  const std::string a = write("a.cpp", logSum), b = write("b.cpp", logSum);
  const auto made = run({a, b, "--target=cpp,cuda", "-o", scratch.file("%s.%e"), "--config=none", "--quiet", "--report",
                         scratch.file("%s.%t.json"), "--sarif", scratch.file("%t.sarif")});
  EXPECT_EQ(made.exitCode, 1) << "an output is an input";
  EXPECT_EQ(run({a, b, "--target=cpp,cuda", "-o", scratch.file("%s.o.%e"), "--quiet", "--sarif", scratch.file("%t.s")})
                .exitCode,
            0);
  for (const char *name : {"cpp.s", "cuda.s"}) {
    const std::string log = read(scratch.file(name));
    EXPECT_THAT(log, AllOf(HasSubstr("a.cpp"), HasSubstr("b.cpp")));
  }
}

TEST_F(Tool, OneThreadOverAllElementsIsNotParallel) {
  const std::string total =
      "double total = 0, mean = 0;\n  for (int i = 0; i < n; i++) { total += w[i]; mean += w[i] * x[i]; }\n"
      "  mean /= total;\n";
  const std::string head = "void f(int n, const double *x, const double *w, double *y) {\n  " + total;
  const auto sums = run({write("sums.cpp", head + "  y[0] = mean;\n}\n"), "--require=parallel"});
  EXPECT_EQ(sums.exitCode, 0) << sums.error;
  EXPECT_NE(sums.error.find("2 kernels in parallel"), std::string::npos) << sums.error;
  const auto moments =
      run({write("moments.cpp", head + "  double m3 = 0;\n  for (int i = 0; i < n; i++) {\n"
                                       "    const double d = x[i] - mean;\n    m3 += w[i] * d * d * d;\n  }\n"
                                       "  y[0] = m3;\n}\n"),
           "--require=parallel"});
  EXPECT_EQ(moments.exitCode, 2) << "the second pass runs on one thread: " << moments.error;
  EXPECT_NE(moments.error.find("runs once"), std::string::npos) << moments.error;
}

TEST_F(Tool, CanBeAskedForMoreThanAResult) {
  const std::string file = write("a.cpp", logSum);
  for (const char *fine : {"--require", "--require=transformed", "--require=parallel,mended"})
    EXPECT_EQ(run({file, fine}).exitCode, 0) << fine;
  const std::vector<std::pair<std::vector<std::string>, const char *>> cases{
      {{file, "--require=matrix"}, "error: 'f' does not use matrix units"},
      {{file, "--require=mended", "--relax=none"}, "error: 'f' has no mend"},
      {{write("b.cpp", "void g(int n, float *x) {\n  for (int i = 0; i < n; i++) x[i] *= 2;\n}\n"), "--require=mended"},
       "'g' has no mend: no dependence had to be dropped"}};
  const auto nothing = run({write("c.cpp", "int x;\n"), "--require"});
  EXPECT_EQ(nothing.exitCode, 2);
  EXPECT_THAT(nothing.error, HasSubstr("error: no function here has a body"));
  for (const auto &[words, message] : cases) {
    const auto done = run(words);
    EXPECT_EQ(done.exitCode, 2) << message;
    EXPECT_EQ(done.output, "") << message;
    EXPECT_THAT(done.error, HasSubstr(message));
  }
}

TEST_F(Tool, ReadsAnOptionFileAboveItsInput) {
  std::filesystem::create_directories(scratch.file("deep/er"));
  const std::string file = write("deep/er/a.cpp", logSum);
  write(".polymend", "# for all kernels here\n--target=cuda\n\n--arch sm_80\n--style=none\n  --entry=f\n");
  EXPECT_THAT(run({file}).output, HasSubstr("with --target=cuda --arch=sm_80"));
  EXPECT_THAT(run({file, "--arch=sm_90a"}).output, HasSubstr("--arch=sm_90a"));
  EXPECT_THAT(run({file, "--config=none"}).output, Not(HasSubstr("cuda")));
  EXPECT_EQ(run({file, "--target=cpp"}).exitCode, 0) << "what --arch of the file fits is asked of no other target";
  EXPECT_EQ(run({"deps", file}).exitCode, 0) << "--style is passed over where a verb has none";
  write("deep/.polymend", "--target=hip\n--arch=sm_80\n");
  EXPECT_THAT(run({file}).error, HasSubstr("deep/.polymend: --arch=sm_80 does not fit --target=hip; known are gfx90a"));
  write("deep/.polymend", "--fp=fast\n");
  EXPECT_THAT(run({file}).error, HasSubstr("deep/.polymend:1: --fp knows no 'fast', only algebraic, strict, approx"));
  write("deep/.polymend", "\n-o x\n");
  EXPECT_THAT(run({file}).error, HasSubstr("deep/.polymend:2: -o belongs on the command line"));
  write("deep/.polymend", "cuda\n");
  EXPECT_THAT(run({file}).error, HasSubstr("deep/.polymend:1: 'cuda' is no option"));
  EXPECT_FALSE(exists("x"));
}

TEST_F(Tool, NamesTheWordsThatItKnows) {
  const std::string file = write("a.cpp", logSum);
  EXPECT_THAT(run({file, "--target=vax"}).error, HasSubstr("--target knows no 'vax', only cpp, cuda, hip"));
  EXPECT_THAT(run({file, "--targt=cuda"}).error, HasSubstr("did you mean '--target'?"));
  EXPECT_THAT(run({"check", file, "--format=dot"}).error, HasSubstr("--format knows no 'dot', only text, json"));
  EXPECT_THAT(run({file, "--tile"}).error, HasSubstr("--tile wants a value: --tile=LOOP:SIZE,..."));
  EXPECT_THAT(run({file, "--quiet=1"}).error, HasSubstr("--quiet takes no value"));
}

TEST_F(Tool, ColoursItsMessagesWhenAsked) {
  const std::string file = write("a.cpp", logSum);
  EXPECT_THAT(run({file}).error, Not(HasSubstr("\033[")));
  const std::string coloured = run({file, "--color"}).error;
  EXPECT_THAT(coloured, HasSubstr("\033[1;34mremark: \033[0m"));
  std::string bare;
  for (std::size_t k = 0; k < coloured.size(); ++k)
    if (coloured[k] == '\033')
      k = coloured.find('m', k);
    else
      bare += coloured[k];
  EXPECT_EQ(bare, run({file, "--color=never"}).error);
}

TEST_F(Tool, TellsWhatTimeEachRoomTook) {
  const std::string said = run({write("a.cpp", logSum), "--timings", "--quiet"}).error;
  for (const char *room : {"parse", "model", "deps", "relax", "schedule", "tile", "device", "validate", "print", "all"})
    EXPECT_THAT(said, HasSubstr("\n  " + std::string(room) + " ")) << said;
}

TEST_F(Tool, ExplainsWithAPlanInWords) {
  const std::string file = write("a<b>.cpp", logSum);
  EXPECT_THAT(run({"explain", file}).output, HasSubstr("  plan of kernel 0: for all i in parallel, one pass over j "
                                                       "in chunks of 1024 computes top (max) and sum (+, mended)"));
  const auto json = boost::json::parse(run({"explain", file, "--format=json"}).output);
  EXPECT_EQ(json.at("schema").as_int64(), 1);
  EXPECT_EQ(json.at("explanations").at(0).at("name").as_string(), "f");
  EXPECT_EQ(json.at("explanations").at(0).at("plan").as_array().size(), 1U);
  const std::string page = run({"explain", file, "--format=html"}).output;
  EXPECT_THAT(page, AllOf(HasSubstr("<!doctype html>"), HasSubstr("a&lt;b&gt;.cpp"), HasSubstr("j &lt; m; j++"),
                          Not(HasSubstr("<script"))));
}

TEST_F(Tool, MakesItsManualAndItsCompletionFromOneTable) {
  const std::string help = run({"--help"}).output + run({"deps", "--help"}).output + run({"check", "--help"}).output;
  for (const char *text : {"man", "bash", "zsh", "fish", "reference"}) {
    const auto made = run({"--print=" + std::string(text)});
    EXPECT_EQ(made.exitCode, 0);
    for (const char *option : {"require", "output-dir", "sarif", "seed", "kinds"}) {
      std::string bare;
      for (const char c : made.output)
        if (c != '\\') bare += c;
      EXPECT_THAT(bare, HasSubstr(option)) << text;
      EXPECT_THAT(help, HasSubstr(std::string("--") + option));
    }
  }
  write("completion", run({"--print=bash"}).output);
  const std::string script = "source " + scratch.file("completion") + R"(
    COMP_WORDS=(polymend a.cpp --target = c) COMP_CWORD=4; _polymend; echo ${COMPREPLY[@]}
    COMP_WORDS=(polymend a.cpp --target = cuda,h) COMP_CWORD=4; _polymend; echo ${COMPREPLY[@]}
    COMP_WORDS=(polymend a.cpp --remarks = passed,m) COMP_CWORD=4; _polymend; echo ${COMPREPLY[@]}
    COMP_WORDS=(polymend a.cpp --arch = sm_90) COMP_CWORD=4; _polymend; echo ${COMPREPLY[@]}
    COMP_WORDS=(polymend a.cpp --dump = sch) COMP_CWORD=4; _polymend; echo ${COMPREPLY[@]}
    COMP_WORDS=(polymend check --see) COMP_CWORD=2; _polymend; echo ${COMPREPLY[@]}
    COMP_WORDS=(polymend --see) COMP_CWORD=1; _polymend; echo ${COMPREPLY[@]}
    COMP_WORDS=(polymend de) COMP_CWORD=1; _polymend; echo ${COMPREPLY[@]})";
  EXPECT_EQ(polymend::execute({{"bash", "-c", script}})->output,
            "cpp cuda\ncuda,hip\npassed,missed\nsm_90 sm_90a\nschedule schedule=\n--seed\n\ndeps\n");
}

TEST_F(Tool, DeclaresWhatItMade) {
  const std::string file = write("a.cpp", R"(#include <cstddef>
namespace far {
void scale(int n, float *x, float by = 2.0f) {
  for (int i = 0; i < n; i++) x[i] *= by;
}
}
extern "C" {
void twice(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++) y[i] = 2 * x[i];
}
}
struct element;
using other = element;
void own(int n, float *x, other *y) {
  for (int i = 0; i < n; i++) x[i] *= 3;
}
using real = float;
typedef const real input;
void plain(int n, const input *x, real *y) {
  for (int i = 0; i < n; i++) y[i] = 3 * x[i];
}
float kept(int n, const float *x) {
  for (volatile int k = n; k > 0; k = k / 2)
    if (x[k] > 2) return n;
  return 0;
}
static void hidden(int n, float *x) {
  for (int i = 0; i < n; i++) x[i] *= 4;
}
void all(int n, float *x) { hidden(n, x); }
)");
  for (const std::string target : {"cpp", "cuda", "hip"}) {
    const auto done =
        run({file, "--target=" + target, "-o", scratch.file("out." + target), "--header", scratch.file(target + ".h")});
    EXPECT_EQ(done.exitCode, 0) << done.error;
    const std::string header = read(scratch.file(target + ".h"));
    EXPECT_THAT(header, HasSubstr("namespace far {\nvoid scale(int n, float *x, float by);\n")) << target;
    EXPECT_THAT(header, HasSubstr("extern \"C\" void twice(int n, const float *x, float *y);")) << target;
    EXPECT_THAT(header, HasSubstr("// own: its declaration needs 'other'")) << target;
    EXPECT_THAT(header, HasSubstr("void plain(int n, const float *x, float *y);")) << target;
    EXPECT_THAT(header, HasSubstr("// kept: left as it is")) << target;
    EXPECT_EQ(header.find("#include <cuda_runtime.h>") != std::string::npos, std::string(target) == "cuda") << header;
    EXPECT_THAT(header, Not(HasSubstr("void hidden("))) << target;
    if (target != "cpp")
      EXPECT_THAT(header, HasSubstr("Error_t scale_on(" + target + "Stream_t stream, int n, float *x, float by)"))
          << header;
  }
  const std::string user =
      write("user.cpp", "#include \"cpp.h\"\nint main() {\n  float x[2] = {1, 2}, y[2];\n  far::scale(2, x, 3);\n"
                        "  twice(2, x, y);\n  return y[1] == 12 ? 0 : 1;\n}\n");
  const std::string compiler = *polymend::findCompiler();
  const std::string build = "cp " + scratch.file("out.cpp") + " " + scratch.file("made.cpp") + " && " + compiler +
                            " -std=c++20 -w " + user + " " + scratch.file("made.cpp") + " -o " + scratch.file("user") +
                            " && " + scratch.file("user");
  const auto built = polymend::execute({{"bash", "-c", build}});
  EXPECT_EQ(built->exitCode, 0) << built->error << read(scratch.file("cpp.h"));
}

} // namespace
