// Kernels of teams: their text reads back, and verification sees what no team of threads could survive.
#include "mapping.h"

#include <regex>

using namespace polymend;
using namespace polymend::tests;

namespace {

DeviceProgram onGpu(const std::string &text, bool asynchronousCopies = true) {
  const Result<TileProgram> program = readText(text);
  EXPECT_TRUE(program) << program.refusal().reason;
  const Result<DeviceProgram> result =
      mapToGpu({}, program ? *program : TileProgram(), {48 * 1024, asynchronousCopies}, false);
  EXPECT_TRUE(result) << result.refusal().reason;
  return result ? *result : DeviceProgram();
}

/// Sums of the columns of a tile: each column's sum is another thread's than its elements.
const std::string columns = R"(program columns
size n
array x : f32[n, 64] flat
array y : f32[n] flat written
kernel columns grid (i in [0, floordiv(n + 15, 16)) parallel) {
  tile part : f32[16, 64] written
  tile sum : f32[16] written
  points (r in [0, 16) parallel, j in [0, 64) parallel) {
    part[r, j] = x[16 * i + r, j] * 2.0f32 where 16 * i + r < n
  }
  points (r in [0, 16) parallel) {
    sum[r] = 0.0f32
  }
  points (r in [0, 16) parallel, j in [0, 64) reduced) {
    sum[r] += part[r, j]
  }
  points (r in [0, 16) parallel) {
    y[16 * i + r] = sum[r] where 16 * i + r < n
  }
}
)";

/// Two states of 64 rows, of which the last may have fewer, and one of 32.
const std::string tails = R"(program tails
size n
array x : f32[n, 64] flat
array y : f32[n] flat written
kernel tails grid (i in [0, floordiv(n + 63, 64)) parallel) {
  tile top : f32[64] written
  tile sum : f32[64] written
  tile half : f32[32] written
  points (r in [0, min(64, n - 64 * i)) parallel) {
    top[r] = 2.0f32
  }
  points (k in [0, min(64, n - 64 * i)) parallel) {
    sum[k] = 0.0f32
  }
  points (r in [0, 32) parallel) {
    half[r] = 1.0f32
  }
  points (r in [0, min(64, n - 64 * i)) parallel, j in [0, 64) reduced) {
    sum[r] += x[64 * i + r, j] * half[floordiv(r, 2)]
  }
  points (r in [0, min(64, n - 64 * i)) parallel) {
    y[64 * i + r] = sum[r] + top[r]
  }
}
)";

/// A row that groups of threads read twice.
const std::string rows = R"(program rows
size n, m
array x : f32[n, m] flat
array y : f32[n, m] flat written
kernel rows grid (i in [0, n) parallel) {
  tile sum : f32 written
  sum = 0.0f32
  points (j in [0, m) reduced) {
    sum += x[i, j] * x[i, j]
  }
  points (j in [0, m) parallel) {
    y[i, j] = x[i, j] / sum[]
  }
}
)";

/// Sums of windows of a line, in chunks, and of columns: neighbours read neighbours.
const std::string windows = R"(program windows
size n, r
array x : f32[n] flat
array y : f32[n] flat written
kernel windows grid (i in [r, n - r) parallel) {
  tile sum : f32 written
  sum = 0.0f32
  for a_block in [4096 * floordiv(-r, 4096), r + 1) step 4096 {
    if (a_block + 4095 <= r && 0 <= a_block + r) {
      points (a in [0, 4096) reduced) {
        sum += x[i + a_block + a]
      }
    } else {
      points (a in [max(0, -r - a_block), min(4096, r - a_block + 1)) reduced) {
        sum += x[i + a_block + a]
      }
    }
  }
  y[i] = sum[]
}
)";

/// Triangles of columns: each point has another number of turns.
const std::string slopes = R"(program slopes
size n
array x : f32[n, n] flat
array y : f32[n] flat written
kernel slopes grid (i in [0, n) parallel) {
  tile sum : f32 written
  sum = 0.0f32
  for k in [0, i + 1) step 1 {
    points (j in [0, n) reduced) {
      sum += x[j, i]
    }
  }
  y[i] = sum[]
}
)";

/// Few elements of a point of its own, which a thread sorts.
const std::string sorted = R"(program sorted
size n
array x : f32[n, 4] flat
array y : f32[n] flat written
kernel sorted grid (i in [0, n) parallel) {
  tile v : f32[4] written
  points (k in [0, 4) parallel) {
    v[k] = x[i, k]
  }
  for k in [0, 3) step 1 {
    v[k + 1] = max(v[k], v[k + 1])
  }
  y[i] = v[3]
}
)";

/// A row whose sum is mended as its largest element grows, by each thread of a group for itself.
const std::string mended = R"(program mended
size n, m
array x : f32[n, m] flat
array y : f32[n] flat written
kernel mended grid (i in [0, n) parallel) {
  tile top : f32 written
  tile next : f32 written
  tile factor : f32 written
  tile sum : f32 written
  top = -1.0e30f32
  sum = 0.0f32
  for j_block in [0, m) step 4096 {
    next = top[]
    points (j in [0, min(4096, m - j_block)) reduced) {
      next max= x[i, j_block + j]
    }
    factor = select(top[] != next[], exp(top[] - next[]), 1.0f32)
    sum = sum[] * factor[] where top[] != next[]
    top = next[]
    points (j in [0, min(4096, m - j_block)) reduced) {
      sum += exp(x[i, j_block + j] - next[])
    }
  }
  y[i] = sum[]
}
)";

/// Rows whose lengths an array has, in chunks.
const std::string ragged = R"(program ragged
size n
array ends : i32[n + 1] flat
array x : f32[n] flat
array y : f32[n] flat written
kernel ragged grid (i in [0, n) parallel) {
  tile sum : f32 written
  sum = 0.0f32
  for c in [0, ends[i + 1] - ends[i]) step 4096 {
    if (ends[i] + (c + 4096) <= ends[i + 1]) {
      points (k in [0, 4096) reduced) {
        sum += x[ends[i] + c + k]
      }
    } else {
      points (k in [0, min(4096, ends[i + 1] - ends[i] - c)) reduced) {
        sum += x[ends[i] + c + k]
      }
    }
  }
  y[i] = sum[]
}
)";

/// Steps in time of a stencil, by launches of the whole device.
const std::string steps = R"(program steps
size n, t
array a : f64[n] flat written
array b : f64[n] flat written
kernel steps grid () {
  for s in [0, t) step 1 {
    points (i in [1, n - 1) parallel) {
      b[i] = a[i - 1] + a[i + 1]
    }
    points (i in [1, n - 1) parallel) {
      a[i] = b[i - 1] + b[i + 1]
    }
  }
}
)";

/// A row and a column of a pivot, behind it and before it, and what lies before both.
const std::string pivots = R"(program pivots
size n
array d : f32[n, n] flat written
kernel pivots grid () {
  for k in [0, n) step 1 {
    points (i in [0, k) parallel, j in [0, k) parallel) {
      d[i, j] = d[i, k] + d[k, j]
    }
    points (i in [0, k) parallel) {
      d[i, k] = d[i, k] + d[k, k]
    }
    points (j in [k + 1, n) parallel) {
      d[k, j] = d[k, j] + d[k, k]
    }
    points (i in [k + 1, n) parallel, j in [0, k) parallel) {
      d[i, j] = d[i, j] + d[k, j]
    }
    d[k, k] = 2.0f32 * d[k, k]
  }
}
)";

/// What lies below a diagonal and what does not.
const std::string halves = R"(program halves
size n
array a : f64[n, n] flat written
kernel halves grid () {
  for t in [0, n - 1) step 1 {
    points (i in [t + 2, n) parallel, j in [t + 1, i) parallel) {
      a[i, j] += a[i, t] * a[t, j]
    }
    points (i in [t + 1, n) parallel, j in [i, n) parallel) {
      a[i, j] += a[i, t] * a[t, j]
    }
  }
}
)";

Memory memoryOf(const DeviceProgram &program, std::int64_t size) {
  Memory memory;
  for (const std::string &name : program.sizes) memory.sizes.emplace_back(name, size);
  return memory;
}

/// What verification and a run find of the program whose text is changed so.
std::string faultsOf(const DeviceProgram &program, const std::string &from, const std::string &to) {
  const std::string text = writeText(program), changed = std::regex_replace(text, std::regex(from), to);
  EXPECT_NE(text, changed) << "no '" << from << "' in\n" << text;
  const Result<DeviceProgram> other = readDeviceText(changed);
  EXPECT_TRUE(other) << other.refusal().reason << "\n" << changed;
  if (!other) return "";
  std::string all;
  for (const std::string &fault : verify(*other)) all += fault + "\n";
  for (const std::string &fault : races(*other, memoryOf(*other, 37))) all += fault + "\n";
  return all;
}

void expectFault(const std::string &faults, const std::string &expected) {
  EXPECT_NE(faults.find(expected), std::string::npos) << "found: " << faults;
}

} // namespace

TEST(Teams, AreSoundAndReadBack) {
  for (const std::string &text : {columns, rows, ragged, steps, mended, tails, pivots, halves})
    for (const bool copies : {false, true}) {
      const DeviceProgram program = onGpu(text, copies);
      EXPECT_EQ(verify(program), std::vector<std::string>());
      EXPECT_EQ(races(program, memoryOf(program, 37)), std::vector<std::string>());
      const Result<DeviceProgram> again = readDeviceText(writeText(program));
      ASSERT_TRUE(again) << again.refusal().reason << "\n" << writeText(program);
      EXPECT_EQ(writeText(*again), writeText(program));
    }
}

TEST(Teams, MeanWhatTheTileProgramDoes) {
  for (const std::string &text : {columns, rows, steps, mended, tails, pivots, halves}) {
    const DeviceProgram program = onGpu(text);
    const TileProgram meaning = forget(program);
    Memory memory = memoryOf(program, 21);
    for (const TileArray &a : program.arrays) {
      memory.arrays.push_back({a.name, {}});
      std::vector<double> &content = memory.arrays.back().second;
      for (int k = 0; k < 64 * 64; ++k) content.push_back(0.25 * (k % 7) + 1);
    }
    Memory expected = memory;
    const Result<TileProgram> source = readText(text);
    ASSERT_FALSE(interpret(*source, expected).has_value());
    ASSERT_FALSE(interpret(meaning, memory).has_value());
    EXPECT_EQ(memory.arrays, expected.arrays) << writeText(meaning);
  }
}

TEST(Teams, WaitWhereOneThreadReadsWhatAnotherWrote) {
  expectFault(faultsOf(onGpu(columns), "  barrier\n", ""), "two threads touch one element of 'part' between");
}

TEST(Teams, NeverWaitWithinWhatOneThreadRuns) {
  expectFault(faultsOf(onGpu(columns), "  barrier\n", "  one {\n    barrier\n  }\n"), "one thread waits for all");
}

TEST(Teams, DealOutEveryPointOnce) {
  const DeviceProgram program = onGpu(columns);
  expectFault(faultsOf(program, "j 64 from 0", "j 32 from 0"), "points beyond the last of 'j'");
  expectFault(faultsOf(program, "j 64 from 0", "j 64 from 1"), "points below the first of 'j'");
  expectFault(faultsOf(program, "r 16 from 0\\)", "r 16 from 0, r 16 from 0)"), "'r' is dealt out twice");
}

TEST(Teams, HaveTheirTilesApart) {
  const DeviceProgram program = onGpu(columns);
  expectFault(faultsOf(program, "on shared 0 ", "on shared 999936 "), "lies outside the block's memory");
  expectFault(faultsOf(program, "on shared [1-9][0-9]* \\(16\\)", "on shared 16 (16)"), "share memory");
  expectFault(faultsOf(program, "on shared 0 \\(16, [0-9]+\\)", "on shared 0 (16, 8)"),
              "'part' is larger than its place");
}

TEST(Teams, OfGroupsHoldScalarsAndKeepWhatTheySay) {
  const DeviceProgram program = onGpu(rows);
  expectFault(faultsOf(program, "keeps \\(x\\) ", ""), "'x' is kept, and the group has no room for it");
  expectFault(faultsOf(program, "group of", "block of"), "fours belong to groups of threads");
  expectFault(faultsOf(program, " on held", " on slice"), "is no scalar of threads");
}

TEST(Teams, OfGroupsMendUnderOneCondition) {
  const std::string text = writeText(onGpu(mended));
  const std::regex branch("if \\(top\\[\\] != next\\[\\]\\) \\{\n *factor = exp\\(top\\[\\] - next\\[\\]\\)\n *sum = "
                          "sum\\[\\] \\* factor\\[\\]\n *\\}");
  EXPECT_TRUE(std::regex_search(text, branch)) << text;
  EXPECT_EQ(text.find("where top"), std::string::npos) << text;
}

TEST(Teams, OfALaunchAreStepsOfTheHost) {
  const DeviceProgram program = onGpu(steps);
  EXPECT_NE(writeText(program).find("  for s in [0, t) step 1 {\n    launch 0\n    launch 1\n  }\n"), std::string::npos)
      << writeText(program);
  expectFault(faultsOf(program, "\n  deal each", "\n  barrier\n  deal each"), "threads wait that are no team");
}

TEST(Teams, OfALaunchTakeRegionsThatAreApart) {
  const DeviceProgram program = onGpu(pivots);
  const std::string text = writeText(program);
  EXPECT_EQ(program.kernels.size(), 3U) << text;
  EXPECT_EQ(program.kernels[1].body.size(), 3U) << "the column before, the row behind, and what is below: " << text;
  expectFault(faultsOf(program, "d\\[i, k\\] = ", "d[k, i] = "), "two threads touch one element of 'd' between");
  EXPECT_EQ(onGpu(halves).kernels.size(), 1U);
  EXPECT_EQ(onGpu(steps).kernels.size(), 2U);
}

/// Two regions of single points of the threads, each of which sets its own elements, are one; the point's own bound is
/// asked once, without the part that the box says.
TEST(Teams, TakeRegionsOfSinglePointsTogether) {
  const DeviceProgram program = onGpu(tails);
  const std::string text = writeText(program);
  const std::regex together("deal each \\(r in \\[0, min\\(64, n - 64 \\* i\\)\\) parallel\\) by \\(r 64 from 0 "
                            "limit as n - 64 \\* i\\) \\{\n *top\\[r\\] = [^\n]*\n *sum\\[r\\] = [^\n]*\n *\\}");
  EXPECT_TRUE(std::regex_search(text, together)) << text;
  const std::regex apart(
      "deal each \\(r in \\[0, 32\\) parallel\\) by \\(r 32 from 0\\) \\{\n *half\\[r\\] = [^\n]*\n *\\}");
  EXPECT_TRUE(std::regex_search(text, apart)) << text;
  expectFault(faultsOf(program, "limit as n - 64 \\* i", "limit as n - 63 * i"), "is not its limit within the box");
  expectFault(faultsOf(program, "min\\(64, n - 64 \\* i\\)", "min(48, n - 64 * i)"), "is not its limit within the box");
}

/// The row above the first one does not exist: what a condition leaves out at all points of a region is read by no
/// group beforehand, what it leaves out at some is.
TEST(Teams, OfGroupsHoldNoRowThatMayNotExist) {
  const auto guardedBy = [](const std::string &condition) {
    const std::string value = "select(" + condition + ", x[i - 1, j], 1.0f32)";
    return writeText(onGpu(
        "program above\nsize n, m\narray x : f32[n, m:i32] flat\narray y : f32[n] flat written\n"
        "kernel above grid (i in [0, n) parallel) {\n  tile top : f32 written\n  tile sum : f32 written\n"
        "  top = 0.0f32\n  sum = 0.0f32\n  points (j in [0, m) reduced) {\n    top fmax= " +
        value + "\n  }\n  points (j in [0, m) reduced) {\n    sum += " + value + " - top[]\n  }\n  y[i] = sum[]\n}\n"));
  };
  EXPECT_EQ(guardedBy("1 <= i").find("stream x"), std::string::npos);
  EXPECT_EQ(guardedBy("1 <= i && j < 5").find("stream x"), std::string::npos);
}

/// Neighbours that read neighbours are threads beside one another; a row's chunks are one then.
TEST(Teams, RunNeighboursThatReadNeighbours) {
  const DeviceProgram program = onGpu(windows);
  ASSERT_EQ(program.kernels.size(), 1U);
  EXPECT_TRUE(program.kernels[0].team->beside && program.kernels[0].team->apart) << writeText(program);
  const std::string text = writeText(program), row = "deal whole a (a in [-r, r + 1) reduced)";
  EXPECT_NE(text.find(row), std::string::npos) << text;
  expectFault(faultsOf(program, "box \\(\\[r, n - r\\)\\)", "box ([0, n))"), "some points of a block are left out");
  const DeviceProgram own = onGpu(slopes);
  EXPECT_TRUE(own.kernels[0].team->beside && !own.kernels[0].team->apart) << writeText(own);
  expectFault(faultsOf(own, " beside", " beside apart"), "that points of a block enter in turns of their own");
  EXPECT_FALSE(onGpu(rows).kernels[0].team->beside);
}

TEST(Teams, OfAThreadHaveFewElementsOfTheirOwn) {
  const DeviceProgram program = onGpu(sorted);
  ASSERT_EQ(program.kernels.size(), 1U);
  EXPECT_EQ(program.kernels[0].team->kind, DeviceTeam::Kind::Thread) << writeText(program);
  EXPECT_NE(onGpu(columns).kernels[0].team->kind, DeviceTeam::Kind::Thread);
}

/// A few threads take the elements of such a row in turn, all of it in one region, and hold none.
TEST(Teams, TellHowLongARowOfAPointIs) {
  const DeviceProgram program = onGpu(ragged);
  ASSERT_EQ(program.kernels.size(), 1U);
  const DeviceTeam &team = *program.kernels[0].team;
  EXPECT_EQ(team.kind, DeviceTeam::Kind::Group);
  ASSERT_TRUE(team.row);
  EXPECT_EQ(show(team.row), "ends[i + 1] - ends[i]");
  const std::string text = writeText(program);
  EXPECT_NE(text.find(" row (ends[i + 1] - ends[i])"), std::string::npos) << text;
  EXPECT_NE(text.find("deal whole k (k in [0, ends[i + 1] - ends[i]) reduced)"), std::string::npos) << text;
  EXPECT_EQ(text.find("4096"), std::string::npos) << text;
}

/// Where a row ends where the next one begins, what its elements are worth is known whatever the row.
TEST(Teams, ShareOutElementsOfRowsThatFollowOneAnother) {
  const DeviceProgram program = onGpu(ragged);
  const DeviceTeam &team = *program.kernels[0].team;
  ASSERT_TRUE(team.folds());
  EXPECT_EQ(show(team.begin), "ends[i]");
  EXPECT_EQ(show(team.element), "x[element of row]");
  EXPECT_NE(writeText(program).find(" begin ends[i] element x[`element of row`] {"), std::string::npos);
  expectFault(faultsOf(program, "begin ends\\[i\\]", "begin ends[i + 1]"), "no one region folds");
  expectFault(faultsOf(program, "begin ends\\[i\\]", "begin x[i]"), "does not end where the next one begins");
  expectFault(faultsOf(program, "element x\\[", "element ends["), "no one region folds what elements are worth");
  expectFault(faultsOf(program, "element x\\[`element of row`", "element y[i"), "depends on the row");
}

/// Elements that are multiplied by what only their row knows, and rows whose ends are another array's, lie as they lie.
TEST(Teams, ShareOutNothingThatTheRowDecides) {
  const auto sharesOut = [](const std::string &from, const std::string &to) {
    const std::string text = std::regex_replace(ragged, std::regex(from), to);
    EXPECT_NE(text, ragged);
    const DeviceProgram program = onGpu(text);
    EXPECT_TRUE(program.kernels[0].team->row);
    return static_cast<bool>(program.kernels[0].team->begin);
  };
  EXPECT_TRUE(sharesOut("x\\[ends\\[i\\] \\+ c \\+ k\\]", "x[ends[i] + c + k] * x[ends[i] + c + k]"));
  EXPECT_FALSE(sharesOut("x\\[ends\\[i\\] \\+ c \\+ k\\]", "x[ends[i] + c + k] * x[c + k]"));
  EXPECT_FALSE(sharesOut("x\\[ends\\[i\\] \\+ c \\+ k\\]", "x[ends[i] + c + k + i]"));
  EXPECT_FALSE(sharesOut("ends\\[i \\+ 1\\]", "ends[i + 2]"));
}

/// The length is asked before the body runs, which sets it.
TEST(Teams, TellNoLengthThatTheBodySets) {
  std::string own = ragged;
  own = std::regex_replace(own, std::regex("tile sum : f32 written"),
                           "tile sum : f32 written\n  tile end : i32 written\n  end = ends[i + 1]");
  own = std::regex_replace(own, std::regex(R"(ends\[i \+ 1\] - ends\[i\])"), "end[] - ends[i]");
  const DeviceProgram program = onGpu(own);
  ASSERT_EQ(program.kernels.size(), 1U);
  EXPECT_FALSE(program.kernels[0].team->row);
}
