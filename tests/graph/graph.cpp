// What is drawn of known kernels: distances, what each change is forbidden by, replays, corrections on six numbers.
#include "../compilation.h"

#include "polymend/graph.h"

#include <boost/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace polymend;
using polymend::tests::analyse;

namespace {

/// Two loops that a maximum keeps apart.
const std::string logSum = R"(#include <cmath>
void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    float sum = 0.0f;
    for (int j = 0; j < m; j++) sum += std::exp(x[i * m + j] - top);
    y[i] = top + std::log(sum);
  }
})";

const std::string seidel = R"(void f(int n, float a[][64]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < 63; j++) a[i][j] = a[i - 1][j + 1] + a[i][j - 1];
})";

DrawnFunction drawing(const std::string &text, const std::vector<std::map<std::string, std::int64_t>> &sizes = {}) {
  const auto analysed = analyse(text);
  return drawn(analysed.trace, {sizes, true});
}

const Change *changeOf(const DrawnFunction &function, Change::Kind kind, const std::vector<int> &loops) {
  for (const Change &change : function.changes)
    if (change.kind == kind && change.loops == loops) return &change;
  return nullptr;
}

/// The dependences that forbid a change by themselves, as "S1 -> S3 top flow".
std::vector<std::string> forbids(const DrawnFunction &function, const Change &change) {
  std::vector<std::string> names;
  for (const std::vector<int> &chain : change.obstacles) {
    std::string name;
    for (const int e : chain) {
      const DrawnEdge &edge = function.edges[static_cast<std::size_t>(e)];
      name += (name.empty() ? "" : ", ") + edge.account.from.id + " -> " + edge.account.to.id + " " +
              edge.account.array + " " + edge.account.kind;
    }
    names.push_back(name);
  }
  return names;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Graph, ForbidsFusionByTheValueThatIsNotFinished) {
  const DrawnFunction f = drawing(logSum);
  ASSERT_EQ(f.loops.size(), 3U);
  const Change *fuse = changeOf(f, Change::Kind::Fuse, {1, 2});
  ASSERT_TRUE(fuse);
  EXPECT_THAT(forbids(f, *fuse), ElementsAre("S1 -> S3 top flow"));
  EXPECT_GE(f.edges[static_cast<std::size_t>(fuse->obstacles[0][0])].mended, 0);
  const Change *rows = changeOf(f, Change::Kind::Parallel, {0});
  ASSERT_TRUE(rows);
  EXPECT_THAT(forbids(f, *rows), IsEmpty());
  EXPECT_EQ(changeOf(f, Change::Kind::Parallel, {1})->obstacles.size(), 3U);
}

TEST(Graph, ForbidsFusionThroughWhatStandsBetween) {
  const DrawnFunction f = drawing(R"(void f(int n, float *x, float *y) {
    float last = 0;
    for (int i = 0; i < n; i++) last = x[i];
    float twice = 2 * last;
    for (int i = 0; i < n; i++) y[i] = twice;
  })");
  const Change *fuse = changeOf(f, Change::Kind::Fuse, {0, 1});
  ASSERT_TRUE(fuse);
  EXPECT_THAT(forbids(f, *fuse), ElementsAre("S1 -> S2 last flow, S2 -> S3 twice flow"));
}

TEST(Graph, LoopsMayBeFusedWhereValuesMeetInOneIteration) {
  const DrawnFunction f = drawing(R"(void f(int n, float *__restrict x, float *__restrict y, float *__restrict z) {
    for (int i = 0; i < n; i++) y[i] = 2 * x[i];
    for (int i = 0; i < n; i++) z[i] = y[i] + 1;
  })");
  const Change *fuse = changeOf(f, Change::Kind::Fuse, {0, 1});
  ASSERT_TRUE(fuse);
  EXPECT_THAT(forbids(f, *fuse), IsEmpty());
}

TEST(Graph, TilingIsForbiddenByWhatRunsBackwards) {
  const DrawnFunction f = drawing(seidel);
  const Change *tile = changeOf(f, Change::Kind::Tile, {0, 1});
  ASSERT_TRUE(tile);
  EXPECT_THAT(forbids(f, *tile), ElementsAre("S0 -> S0 a flow"));
  EXPECT_EQ(spellDistance(f.edges[static_cast<std::size_t>(tile->obstacles[0][0])].steps), "(1, -1)");
}

TEST(Graph, ViolatedArrowsAreThoseOfTheUnfinishedMaximum) {
  const DrawnFunction f = drawing(logSum, {{{"n", 2}, {"m", 4}}});
  ASSERT_EQ(f.replays.size(), 1U);
  const Replay &r = f.replays[0];
  EXPECT_EQ(r.points.size(), 2U + 8 + 2 + 8 + 2);
  ASSERT_EQ(r.planned.size(), r.points.size());
  std::vector<std::size_t> rank(r.planned.size());
  for (std::size_t k = 0; k < r.planned.size(); ++k) rank[static_cast<std::size_t>(r.planned[k])] = k;
  std::size_t violated = 0;
  for (const ReplayArrow &arrow : r.arrows) {
    const DrawnEdge &edge = f.edges[static_cast<std::size_t>(arrow.edge)];
    const ReplayPoint &from = r.points[static_cast<std::size_t>(arrow.from)],
                      &to = r.points[static_cast<std::size_t>(arrow.to)];
    EXPECT_LT(arrow.from, arrow.to);
    if (edge.account.kind != "flow") continue;
    const bool unfinished = from.statement == 1 && to.statement == 3 && to.at[1] < 3;
    EXPECT_EQ(arrow.violated, unfinished) << edge.sentence;
    EXPECT_EQ(arrow.violated, rank[static_cast<std::size_t>(arrow.from)] > rank[static_cast<std::size_t>(arrow.to)]);
    violated += arrow.violated;
  }
  EXPECT_EQ(violated, 2U * 3);
}

TEST(Graph, AnInnerReductionIsFinishedBeforeItIsRead) {
  const DrawnFunction f = drawing(R"(#include <cmath>
void f(int n, const float x[][4], const float y[][4], float *out) {
  for (int i = 0; i < n; i++) {
    float s[64], top = -INFINITY, sum = 0;
    for (int j = 0; j <= i; j++) {
      float dot = 0;
      for (int d = 0; d < 4; d++) dot += x[i][d] * y[j][d];
      s[j] = dot;
    }
    for (int j = 0; j <= i; j++) top = std::fmax(top, s[j]);
    for (int j = 0; j <= i; j++) sum += std::exp(s[j] - top);
    out[i] = sum;
  }
})");
  ASSERT_FALSE(f.replays.empty()) << f.replayNote;
  const Replay &r = f.replays.back();
  ASSERT_FALSE(r.planned.empty()) << f.replayNote;
  std::size_t violated = 0;
  for (const ReplayArrow &arrow : r.arrows) {
    if (!arrow.violated) continue;
    ++violated;
    EXPECT_GE(f.edges[static_cast<std::size_t>(arrow.edge)].mended, 0)
        << f.edges[static_cast<std::size_t>(arrow.edge)].sentence;
  }
  EXPECT_GT(violated, 0U);
}

TEST(Graph, AReductionTurnedRoundStillBeginsWithItsFirstValue) {
  const DrawnFunction f = drawing(R"(#include <cmath>
void f(int n, const float x[][8], float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY, sum = 0;
    for (int j = 7; j >= 0; j--) top = std::fmax(top, x[i][j]);
    for (int j = 7; j >= 0; j--) sum += std::exp(x[i][j] - top);
    y[i] = sum;
  }
})",
                                  {{{"n", 2}}});
  ASSERT_EQ(f.replays.size(), 1U) << f.replayNote;
  const Replay &r = f.replays[0];
  ASSERT_FALSE(r.planned.empty()) << f.replayNote;
  std::set<int> begun;
  for (const int point : r.planned) {
    const ReplayPoint &p = r.points[static_cast<std::size_t>(point)];
    if (p.statement == 1) begun.insert(static_cast<int>(p.at[0]));
    if (p.statement == 3) EXPECT_TRUE(begun.contains(static_cast<int>(p.at[0]))) << p.at[0] << ", " << p.at[1];
  }
  for (const ReplayArrow &arrow : r.arrows) {
    const DrawnEdge &edge = f.edges[static_cast<std::size_t>(arrow.edge)];
    if (arrow.violated) EXPECT_TRUE(edge.reduction || edge.mended >= 0) << edge.sentence;
  }
}

TEST(Graph, WavefrontsOfARecurrenceAreItsLongestChains) {
  const DrawnFunction f = drawing(R"(void f(int n, float *a) {
    for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) a[i * n + j] = a[(i - 1) * n + j] + a[i * n + j - 1];
  })",
                                  {{{"n", 4}}});
  ASSERT_EQ(f.replays.size(), 1U) << f.replayNote;
  for (std::size_t k = 0; k < f.replays[0].points.size(); ++k)
    EXPECT_EQ(f.replays[0].waves[k], f.replays[0].points[k].at[0] + f.replays[0].points[k].at[1] - 2);
}

TEST(Graph, ACorrectionOnSixNumbersGivesWhatTheSourceComputes) {
  const DrawnFunction f = drawing(logSum);
  ASSERT_EQ(f.trials.size(), 1U);
  const Trial &trial = f.trials[0];
  double top = -std::numeric_limits<double>::infinity(), expected = 0;
  for (const TrialStep &step : trial.steps) top = std::max(top, step.elements.begin()->second);
  for (const TrialStep &step : trial.steps) expected += std::exp(step.elements.begin()->second - top);
  EXPECT_EQ(trial.steps.size(), 6U);
  EXPECT_NEAR(trial.expected, expected, 1e-5);
  EXPECT_NEAR(trial.result, trial.expected, 1e-5);
  EXPECT_GT(std::abs(trial.unmended - trial.expected), 0.1);
}

TEST(Graph, WithoutSixNumbersItSaysWhy) {
  const DrawnFunction f =
      drawing("#include <cmath>\nvoid f(int n, const float x[][8], float *y) {\n"
              "  for (int i = 0; i < n; i++) {\n    float top = x[i][0], sum = 0;\n"
              "    for (int j = 1; j < 8; j++) top = std::fmax(top, x[i][j]);\n"
              "    for (int j = 0; j < 8; j++) sum += std::exp(x[i][j] - top);\n    y[i] = sum;\n  }\n}");
  ASSERT_EQ(f.trials.size(), 1U);
  EXPECT_EQ(f.trials[0].why, "'top[i]' takes other elements than 'sum'");
  EXPECT_TRUE(f.trials[0].steps.empty());
}

TEST(Graph, WhatIsDroppedEntersTheLoopOfTheConsumer) {
  const DrawnFunction f = drawing("#include <cmath>\nvoid f(int n, const float x[][8], float *y) {\n"
                                  "  for (int i = 0; i < n; i++) {\n    float top = -INFINITY, sum = 0;\n"
                                  "    for (int j = 0; j < 8; j++) top = std::fmax(top, x[i][j]);\n"
                                  "    for (int j = 0; j < 8; j++) { const float w = std::exp(x[i][j] - top);\n"
                                  "      sum += w * w; }\n    y[i] = sum;\n  }\n}");
  std::set<std::string> dropped;
  for (const DrawnEdge &edge : f.edges)
    if (edge.account.verdict == Verdict::Corrected) dropped.insert(edge.account.array);
  EXPECT_EQ(dropped, std::set<std::string>{"top"}) << "w is used where it is computed";
}

TEST(Graph, AnOtherOrderAndTilesOfTheSourcesAreReplayed) {
  const auto violated = [](const DrawnFunction &f) {
    std::vector<std::size_t> counts;
    for (const Replay &r : f.replays)
      if (!r.planned.empty())
        for (const TiledOrder &order : r.tiled) counts.push_back(order.violated.size());
    return counts;
  };
  const auto recurrence = [](const std::string &above) {
    return drawing("void f(int n, float *a) {\n  for (int i = 1; i < n; i++)\n    for (int j = 1; j < n - 1; j++)\n"
                   "      a[i * n + j] = a[(i - 1) * n + " +
                       above + "] + a[i * n + j - 1];\n}",
                   {{{"n", 7}}});
  };
  const DrawnFunction straight = recurrence("j"), aside = recurrence("j + 1");
  EXPECT_EQ(straight.orderName, "the source's order in tiles");
  EXPECT_EQ(violated(straight), (std::vector<std::size_t>{0, 0})) << straight.replayNote;
  EXPECT_FALSE(straight.reasonEdges.empty());
  ASSERT_EQ(violated(aside).size(), 2U) << aside.replayNote;
  EXPECT_GT(violated(aside)[0], 0U) << "the element above and to the right lies in a later tile";
  const DrawnFunction product =
      drawing("void f(int n, const float *a, const float *b, float *c) {\n"
              "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) {\n"
              "      c[i * n + j] = 0;\n"
              "      for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];\n"
              "    }\n}",
              {{{"n", 3}}});
  EXPECT_EQ(violated(product), (std::vector<std::size_t>{0, 0})) << product.replayNote;
}

TEST(Graph, DotShowsFlowUncutInClustersWithALegend) {
  const DrawnFunction f = drawing(logSum);
  const std::string flow = writeDot(f, {}), all = writeDot(f, {Kinds::All, "", false, true});
  EXPECT_NE(flow.find("label=\"for j, line 5\""), std::string::npos) << flow;
  EXPECT_NE(flow.find("top (0)\\lcorrected: sum *= exp("), std::string::npos) << flow;
  EXPECT_NE(flow.find("dashed: dropped and mended"), std::string::npos);
  EXPECT_EQ(flow.find("anti"), std::string::npos);
  EXPECT_NE(all.find("anti"), std::string::npos);
  EXPECT_LE(merged(f, {Kinds::Flow, "", false, true}).size(), 9U);
}

TEST(Graph, DotIsFoldedByNest) {
  const DrawnFunction f = drawing(R"(void f(int n, float *__restrict x, float *__restrict y) {
    for (int i = 0; i < n; i++) { x[i] = 1; x[i] = x[i] * 2; }
    for (int i = 0; i < n; i++) y[i] = x[i];
  })");
  const std::string dot = writeDot(f, {Kinds::Flow, "", true, false});
  EXPECT_NE(dot.find("S0 to S1, line 2\\lfor i: 2 statements"), std::string::npos) << dot;
  EXPECT_NE(dot.find("N0 -> N1"), std::string::npos) << dot;
  EXPECT_EQ(dot.find("N0 -> N0"), std::string::npos) << dot;
}

TEST(Graph, JsonIsOneDocumentWithItsSchema) {
  const Drawing two{"a.cpp", "", "", {drawing(logSum), drawing(seidel)}};
  const boost::json::value all = boost::json::parse(writeJson(two));
  EXPECT_EQ(all.at("schema"), 2);
  EXPECT_EQ(all.at("functions").as_array().size(), 2U);
  const auto &edges = all.at("functions").at(0).at("dependences").as_array();
  for (const auto &edge : edges) {
    const std::string verdict(edge.at("verdict").as_string());
    EXPECT_TRUE(verdict == "kept" || verdict == "corrected" || verdict == "runtime" || verdict == "refused");
    EXPECT_EQ(edge.at("steps").as_array().size(),
              std::count(edge.at("direction").as_string().begin(), edge.at("direction").as_string().end(), ',') + 1);
  }
}

} // namespace
