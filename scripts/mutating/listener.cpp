// Tells after each test how long it took and which faults it came by: a line of POLYMEND_TRACE.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

extern unsigned char *polymend_reached;

namespace {

class Tracer : public testing::EmptyTestEventListener {
  std::ofstream out;
  std::size_t mutants;

  void OnTestStart(const testing::TestInfo &) override {
    for (std::size_t i = 0; i < mutants; ++i) polymend_reached[i] = 0;
  }

  void OnTestEnd(const testing::TestInfo &info) override {
    out << info.test_suite_name() << '.' << info.name() << ' ' << info.result()->elapsed_time() << ' '
        << (info.result()->Passed() && !info.result()->Skipped());
    for (std::size_t i = 0; i < mutants; ++i)
      if (polymend_reached[i]) out << ' ' << i;
    out << std::endl;
  }

public:
  Tracer(const char *path, std::size_t count) : out(path), mutants(count) {}
};

const bool added = [] {
  const char *path = std::getenv("POLYMEND_TRACE"), *count = std::getenv("POLYMEND_MUTANTS");
  if (path && count && polymend_reached)
    testing::UnitTest::GetInstance()->listeners().Append(new Tracer(path, std::strtoul(count, nullptr, 10)));
  return true;
}();

} // namespace
