// What is made of records runs as its source does, and is left where a device could not copy it back.
#include "session.h"

#include <gmock/gmock.h>

using testing::HasSubstr;

namespace {

const char *const blocks = R"(#include <cstdint>
struct Block { float scale; std::int8_t q[32]; };
void dot(const Block *w, const Block *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; ++r) {
    const Block *row = w + r * n;
    float sum = 0.0f;
    for (int b = 0; b < n; ++b) {
      int whole = 0;
      for (int k = 0; k < 32; ++k) whole += row[b].q[k] * x[b].q[k];
      sum += row[b].scale * x[b].scale * whole;
    }
    y[r] = sum;
  }
}
)";

const char *const runsBlocks = R"(
int main() {
  std::vector<Block> w(65 * 3), x(3);
  for (auto *all : {&w, &x})
    for (Block &b : *all) {
      b.scale = float(std::rand() % 9 - 4);
      for (auto &q : b.q) q = std::int8_t(std::rand() % 255 - 127);
    }
  std::vector<float> y(65, -1), z(65, -2);
  dot(w.data(), x.data(), y.data(), 65, 3);
  source::dot(reinterpret_cast<source::Block *>(w.data()), reinterpret_cast<source::Block *>(x.data()), z.data(), 65, 3);
  return y == z ? 0 : 1;
}
)";

const char *const tracks = R"(#include <cstdint>
struct Place { double x, y; };
struct Track { Place at, speed; double weight[2][2]; float age; std::uint32_t misses; };
void step(Track *tracks, const std::uint8_t *seen, int n, double dt) {
  for (int i = 0; i < n; ++i) {
    Track *t = &tracks[i];
    t->at.x += dt * t->speed.x;
    t->at.y += dt * t->speed.y;
    if (!seen[i]) { ++t->misses; continue; }
    for (int k = 0; k < 2; ++k) t->weight[1][k] += t->weight[0][1 - k] * t->age;
    t->misses = 0;
    t->age = 0;
  }
}
)";

const char *const runsTracks = R"(
int main() {
  std::vector<Track> a(1000);
  for (Track &t : a)
    t = {{double(std::rand() % 99), 1}, {2, double(std::rand() % 9)}, {{1, 2}, {3, 4}}, float(std::rand() % 5), 7};
  std::vector<std::uint8_t> seen(1000);
  for (auto &s : seen) s = std::rand() % 2;
  std::vector<Track> b = a;
  step(a.data(), seen.data(), 1000, 0.5);
  source::step(reinterpret_cast<source::Track *>(b.data()), seen.data(), 1000, 0.5);
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(Track)) == 0 ? 0 : 1;
}
)";

/// A program of the result and of its source in a namespace, and what runs both.
std::string beside(const std::string &result, const std::string &source, const std::string &main) {
  return "#include <cstdint>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n" + result +
         "namespace source {\n" + source + "}\n" + main;
}

} // namespace

TEST_F(Tool, RunsRecordsAsTheSourceDoes) {
  for (const auto &[name, text, main] :
       {std::tuple("blocks", blocks, runsBlocks), std::tuple("tracks", tracks, runsTracks)}) {
    const auto made = run({write(std::string(name) + ".cpp", text), "-o", "-"});
    ASSERT_EQ(made.exitCode, 0) << made.error;
    EXPECT_THAT(made.error, HasSubstr("is transformed"));
    const std::string program = write(std::string(name) + ".both.cpp", beside(made.output, text, main));
    const auto built =
        polymend::execute({{"clang++-19", "-std=c++20", "-O1", "-fopenmp", "-DPOLYMEND_LEAST_WORK=0",
                            "-fsanitize=undefined", "-fno-sanitize-recover=all", program, "-o", scratch.file(name)}});
    ASSERT_EQ(built->exitCode, 0) << built->error;
    const auto ran = polymend::execute({{scratch.file(name)}});
    EXPECT_EQ(ran->exitCode, 0) << name << ran->error;
  }
}

TEST_F(Tool, LeavesRecordsThatADeviceCannotCopyBack) {
  const auto made = run({write("tracks.cpp", tracks), "--target=cuda", "-o", "-"});
  EXPECT_EQ(made.exitCode, 0);
  EXPECT_THAT(made.error, HasSubstr("records with members of several types are written here"));
}
