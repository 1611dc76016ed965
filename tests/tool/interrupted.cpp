// A signal ends what was started as well: no compiler goes on, none leaves a file behind.
#include "session.h"

#include <gmock/gmock.h>

using testing::HasSubstr;

namespace {

TEST_F(Tool, EndsItsCompilersWhenInterrupted) {
  const std::string file = write("a.cpp", logSum), journal = scratch.file("runs");
  std::filesystem::create_directory(scratch.file("tmp"));
  for (const auto &[signal, code] : {std::pair("TERM", "143"), std::pair("INT", "130"), std::pair("HUP", "129")}) {
    // A shell without jobs lets what runs beside it ignore SIGINT.
    const std::string script = "set -m; export TMPDIR=" + scratch.file("tmp") + "; " POLYMEND_TOOL " check " + file +
                               " --quiet --resume=" + journal + R"( &
      until pgrep -f "cc1.*$TMPDIR/polymend-" >/dev/null; do sleep 0.01; done
      kill -)" + signal + R"( $!; wait $! 2>/dev/null; echo $?
      pgrep -f "cc1.*$TMPDIR/polymend-"; ls $TMPDIR)";
    const auto done = polymend::execute({{"bash", "-c", script}});
    EXPECT_EQ(done->output, std::string(code) + "\n") << done->error;
    EXPECT_THAT(done->error, HasSubstr("polymend: stopped; --resume=" + journal + " goes on\n"));
  }
}

TEST_F(Tool, SaysThatItWasStopped) {
  const std::string file = write("a.cpp", logSum);
  const std::string script = "set -m; export TMPDIR=" + scratch.file("") + "; " POLYMEND_TOOL " check " + file + R"( &
    until ls $TMPDIR/polymend-*/original.cpp >/dev/null 2>&1; do sleep 0.01; done; kill -TERM $!; wait $!)";
  EXPECT_THAT(polymend::execute({{"bash", "-c", script}})->error, HasSubstr("polymend: stopped\n"));
}

TEST_F(Tool, ScriptsEndTheirCompilers) {
  std::filesystem::create_directory(scratch.file("tmp"));
  const std::string python = write("stops.py", "import sys\nsys.path.insert(0, '" POLYMEND_SOURCE_DIR
                                               "/scripts/common')\nfrom long_work import run, until_stopped\n"
                                               "sys.exit(until_stopped(lambda: run(['bash', '-c', 'touch $TMPDIR/left; "
                                               "sleep 77 & wait']), 'again'))\n");
  const std::string script =
      "set -m; export TMPDIR=" + scratch.file("tmp") + " PYTHONDONTWRITEBYTECODE=1; python3 " + python + R"( &
    until ls $TMPDIR/polymend-*/left >/dev/null 2>&1; do sleep 0.01; done
    started=$(pgrep -P $!); sleep 0.2; below=$(pgrep -P $started)
    kill -TERM $!; wait $! 2>/dev/null; echo $?; ls $TMPDIR; [ -e /proc/$below/exe ] && echo it runs)";
  const auto done = polymend::execute({{"bash", "-c", script}});
  EXPECT_EQ(done->output, "143\n") << done->error;
}

} // namespace
