// Roles: their values are those of plain loops, and every wait that is left out, every ring that is too short and every
// broken rule is found.
#include "chain.h"
#include "polymend/interpret.h"
#include "polymend/verify.h"
#include "tile/visit.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;

namespace {

std::string replaced(std::string text, const std::string &from, const std::string &to, std::size_t which = 0) {
  std::size_t at = text.find(from);
  for (; which > 0 && at != std::string::npos; --which) at = text.find(from, at + 1);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Memory memoryOf(std::int64_t n, std::int64_t m) {
  Memory memory{{{"n", n}, {"m", m}}, {}, {}};
  for (const auto &[name, rows] : {std::pair("q", n), {"k", m}, {"v", m}, {"o", n}}) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < rows * 4; ++i) values.push_back(static_cast<double>((i * 7 + name[0]) % 5) - 2);
    memory.arrays.emplace_back(name, values);
  }
  return memory;
}

TEST(Roles, ValuesAreThoseOfPlainLoops) {
  const TileProgram plain = readProgram(plainChain), roles = readProgram(roleChain);
  ASSERT_THAT(verify(roles), testing::IsEmpty());
  for (const auto &[n, m] : {std::pair(1, 1), {64, 8}, {65, 7}, {130, 41}, {3, 16}, {1, 0}, {0, 5}}) {
    Memory wanted = memoryOf(n, m), got = wanted;
    ASSERT_EQ(interpret(plain, wanted), std::nullopt);
    ASSERT_EQ(interpret(roles, got), std::nullopt) << n << ", " << m;
    EXPECT_EQ(wanted.arrays, got.arrays) << n << ", " << m;
  }
}

TEST(Roles, WaitsOfTheChainEnd) {
  const TileProgram p = readProgram(roleChain);
  for (std::int64_t n : {0, 1, 64, 65, 300})
    for (std::int64_t m = 0; m <= 50; m += 5)
      EXPECT_THAT(protocolFaults(p, {{{"n", n}, {"m", m}}, {}, {}}), testing::IsEmpty()) << n << ", " << m;
}

/// The first fault of the waits at sizes of several grid points and steps; with values it must be found too.
std::string faultOf(const std::string &text) {
  const TileProgram p = readProgram(text);
  Memory memory = memoryOf(130, 41);
  const std::vector<std::string> faults = protocolFaults(p, memory);
  const std::optional<std::string> fault = interpret(p, memory);
  EXPECT_EQ(fault.value_or(""), faults.empty() ? "" : faults.front());
  return fault.value_or("");
}

TEST(Roles, EveryWaitIsNeeded) {
  const std::string text = roleChain;
  int removed = 0;
  for (const std::string word : {"    get ", "    release ", "    await "})
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      std::string mutant = text;
      mutant.erase(at, text.find('\n', at) - at);
      EXPECT_NE(faultOf(mutant), "") << text.substr(at, text.find('\n', at) - at);
      ++removed;
    }
  EXPECT_EQ(removed, 14);
}

TEST(Roles, EveryCopyIsNeeded) {
  const std::string text = roleChain;
  for (std::size_t at = text.find("copy "); at != std::string::npos; at = text.find("copy ", at + 1)) {
    std::string mutant = text;
    mutant.erase(at, text.find('}', at) + 1 - at);
    EXPECT_NE(faultOf(mutant), "");
  }
}

TEST(Roles, FaultsSayWhatIsMissing) {
  const std::string text = roleChain;
  EXPECT_THAT(faultOf(replaced(text, "release K", "")), HasSubstr("gets a slot of 'K' while it holds one"));
  EXPECT_THAT(faultOf(replaced(text, "await scores", "")), HasSubstr("releases 'K' before it awaits 'scores'"));
  EXPECT_THAT(faultOf(replaced(text, "await scores\n    release K", "release K\n    await scores")),
              HasSubstr("releases 'K' before it awaits 'scores'"));
  EXPECT_THAT(faultOf(replaced(text, "get V", "")), HasSubstr("reads 'V' while it holds no slot of it"));
  EXPECT_THAT(faultOf(replaced(text, "      await sums\n      release V\n", "", 0)),
              HasSubstr("assigns 'P' before it awaits 'sums'"));
  EXPECT_THAT(faultOf(replaced(text, "    get Q\n", "    get Q\n    release Q\n    get Q\n")),
              HasSubstr("role 'compute' waits for a full slot of 'Q' forever"));
  EXPECT_THAT(faultOf(replaced(text, "    release Q\n", "")), HasSubstr("leaves a grid point without releasing 'Q'"));
}

TEST(Roles, ContractionsAtWorkAreLeftAlone) {
  const auto between = [](const std::string &node) {
    return faultOf(replaced(roleChain, "    await scores\n", "    " + node + "\n    await scores\n"));
  };
  EXPECT_THAT(between("points (i in [0, 64) parallel) { P[i, 0] = S[i, 0] }"),
              HasSubstr("reads 'S' before it awaits 'scores'"));
  EXPECT_THAT(between("points (i in [0, 64) parallel) { S[i, 0] = 0.0f32 }"),
              HasSubstr("assigns 'S' before it awaits 'scores'"));
  const std::string product = "points (i in [0, 64) parallel, e in [0, 4) parallel) { C[i, e] += ";
  EXPECT_EQ(
      between("contract c " + product + "P[i, 0] * Q[i, e] } contract c " + product + "P[i, 1] * Q[i, e] } await c"),
      "");
  EXPECT_THAT(between("contract c " + product + "S[i, 0] * Q[i, e] } await c"),
              HasSubstr("reads 'S' before it awaits 'scores'"));
  EXPECT_THAT(between("contract c " + product + "P[i, 0] * P[i, e] }"), HasSubstr("assigns 'P' before it awaits 'c'"));
  EXPECT_THAT(faultOf(replaced(roleChain, "where 64 * I + i < n\n    }\n",
                               "where 64 * I + i < n\n    }\n    contract c " + product + "P[i, 0] * P[i, e] }\n")),
              HasSubstr("leaves a grid point without awaiting 'c'"));
}

/// The channels' order decides: all of K before V needs as many slots as there are steps.
TEST(Roles, ShortRingsDeadlock) {
  std::string text = roleChain;
  const std::size_t from = text.find("      copy points (j in [0, 8) parallel, e in");
  const std::size_t to = text.find("    }\n    copy points (j in [0, 8) parallel, e in");
  const std::string copy = text.substr(from, to - from);
  text.replace(from, copy.size(), "");
  text = replaced(text, "    copy points (j in [0, 8) parallel, e in",
                  "    for J in [1, floordiv(m + 7, 8)) step 1 {\n" + copy +
                      "    }\n    copy points (j in [0, 8) parallel, e in");
  EXPECT_EQ(faultOf(text),
            "kernel 'chained': role 'load' waits for a free slot of 'K', role 'compute' waits for a full "
            "slot of 'V' forever");
  EXPECT_EQ(faultOf(replaced(text, "ring 2", "ring 5")), "");
}

TEST(Roles, CopiesOfDifferentChannelsMayChangePlaces) {
  std::string text = roleChain;
  const std::size_t first = text.find("      copy points"), second = text.find("      copy points", first + 1);
  const std::size_t end = text.find("    }\n    copy", second);
  const std::string copies = text.substr(second, end - second) + text.substr(first, second - first);
  EXPECT_EQ(faultOf(text.replace(first, copies.size(), copies)), "");
}

TEST(Roles, SlotsOfOtherGridPointsAreFound) {
  const std::string late = replaced(roleChain, "    get Q\n", "    if (1 <= I) {\n      get Q\n    }\n");
  EXPECT_NE(faultOf(late), "");
  const std::string extra = "    if (I == 1) {\n      copy points (j in [0, 8) parallel, d in [0, 4) parallel) {\n"
                            "        K[j, d] = k[j, d]\n      }\n    }\n";
  EXPECT_THAT(faultOf(replaced(roleChain, "    for J in", extra + "    for J in")),
              HasSubstr("filled for another grid point"));
  EXPECT_THAT(faultOf(replaced(replaced(roleChain, "    for J in", extra + "    for J in"), "I == 1", "I == 0")),
              HasSubstr("a slot of 'K' is never read"));
}

TEST(Roles, TicketsVisitEveryPointOnce) {
  const std::string text = roleChain, order = "floordiv(n + 63, 64) - 1 - t", wrong = "does not visit every grid point";
  EXPECT_EQ(faultOf(replaced(text, order, "t")), "");
  EXPECT_THAT(faultOf(replaced(text, order, "t + 1")), HasSubstr(wrong));
  EXPECT_THAT(faultOf(replaced(text, order, "floordiv(t, 2)")), HasSubstr(wrong));
  EXPECT_THAT(faultOf(replaced(text, "order t in [0, floordiv(n + 63, 64))", "order t in [0, 2)")), HasSubstr(wrong));
}

/// Tickets decide who is last also where a launch has no roles.
TEST(Roles, TicketsOrderPlainKernels) {
  const TileProgram p = readProgram("program f work a : f32 array b : f32 written kernel k grid (i in [0, 4) parallel) "
                                    "order t in [0, 4) -> ((t + 2) % 4) { b = f32(i) }");
  Memory memory{{}, {}, {{"b", {0}}}};
  ASSERT_EQ(interpret(p, memory), std::nullopt);
  EXPECT_EQ(memory.arrays[0].second[0], 1);
}

TEST(Roles, RewriteReachesRoles) {
  const TileProgram p = readProgram(roleChain);
  int copies = 0, all = 0;
  const Kernel doubled = rewrite(p.kernels[0], [&](const TileAssign &a) {
    TileAssign b = a;
    ++all;
    if (a.target.array == "K") ++copies;
    if (a.target.array == "o") b.value = b.value + b.value;
    return b;
  });
  EXPECT_EQ(copies, 2);
  EXPECT_EQ(all, 15);
  TileProgram q = p;
  q.kernels[0] = doubled;
  EXPECT_FALSE(equal(p, q));
  EXPECT_TRUE(verify(q).empty());
}

struct BrokenRule {
  const char *from, *to, *message;
};

TEST(RoleRules, NamesAreForRoles) {
  const std::string text = replaced(plainChain, "kernel scores grid () {", "kernel scores grid () let one = 1 {");
  EXPECT_THAT(verify(readProgram(text)), testing::Contains(HasSubstr("without roles")));
}

class RoleRule : public testing::TestWithParam<BrokenRule> {};

TEST_P(RoleRule, IsChecked) {
  const std::vector<std::string> found = verify(readProgram(replaced(roleChain, GetParam().from, GetParam().to)));
  EXPECT_THAT(found, testing::Contains(HasSubstr(GetParam().message)));
}

constexpr const char *floating = "for J in [1, floordiv(m + 7, 8)) step 1 {\n      points";

INSTANTIATE_TEST_SUITE_P(
    Rules, RoleRule,
    testing::Values(
        BrokenRule{"shared K : f32[8, 4] ring 2", "shared K : f32[8, 4] ring 0", "wrong number of slots"},
        BrokenRule{"fragment S : f32[64, 8]", "fragment S : f32[64, 8] ring 2", "wrong number of slots"},
        BrokenRule{"fragment S : f32[64, 8]", "fragment S : f32[n, 8]", "symbolic"},
        BrokenRule{"groups 1 registers 240", "groups 2 registers 240", "no multiple of 64 for each group"},
        BrokenRule{"groups 1 registers 240", "groups 0 registers 240", "no groups"},
        BrokenRule{"role compute", "role load", "two roles are called 'load'"},
        BrokenRule{"  role load", "  S[0, 0] = 0.0f32 role load", "a body of its own"},
        BrokenRule{"-> (floordiv(n + 63, 64) - 1 - t) {", "-> (floordiv(n + 63, 64) - 1 - t) let again = later {",
                   "later"},
        BrokenRule{"get V", "get S", "no channel"}, BrokenRule{"release V", "release z", "no channel"},
        BrokenRule{"await sums", "await sum", "issued nowhere"},
        BrokenRule{"role load groups 1 registers 24 {", "role load groups 1 registers 24 { get K release K",
                   "'K' is not got, read and released by one role"},
        BrokenRule{"role compute groups 1 registers 240 {",
                   "role compute groups 1 registers 240 { copy points (j in [0, 8) parallel, d in [0, 4) parallel) { "
                   "K[j, d] = k[j, d] }",
                   "'K' is not filled by one role"},
        BrokenRule{"role load groups 1 registers 24 {",
                   "role load groups 1 registers 24 { points (i in [0, 64) parallel) { S[i, 0] = 0.0f32 }",
                   "'S' is used by more than one role"},
        BrokenRule{"      C[i, e] = 0.0f32", "      C[i, e] = 0.0f32 V[e, i] = 0.0f32", "something else than a copy"},
        BrokenRule{"copy points (i in [0, 64)", "copy points (i in [0, 32)", "does not fill its slot"},
        BrokenRule{"Q[i, d] = q", "Q[i, 0] = q", "does not fill its slot"},
        BrokenRule{"copy points (i in [0, 64)", "copy points (z in [0, 2) serial, i in [0, 64)",
                   "fills an element twice"},
        BrokenRule{"Q[i, d] = q[64 * I + i, d]", "S[i, d] = q[64 * I + i, d]", "no channel"},
        BrokenRule{"Q[i, d] = q[64 * I + i, d]", "Q[i, d] += q[64 * I + i, d]", "no plain assignment"},
        BrokenRule{"Q[i, d] = q[64 * I + i, d]", "Q[i, d] = -q[64 * I + i, d]", "reads no single array"},
        BrokenRule{"array q : f32[n, 4]", "array q : f16[n, 4]", "converts"},
        BrokenRule{"array q : f32[n, 4]", "array q : f32[?, 4]", "without known extents"},
        BrokenRule{"Q[i, d] = q[64 * I + i, d]", "Q[i, d] = o[64 * I + i, d]", "assigned in the kernel that copies it"},
        BrokenRule{"+= Q[i, d] * K[j, d]", "+= Q[i, d] + K[j, d]", "no sum of products"},
        BrokenRule{"+= Q[i, d] * K[j, d]", "+= Q[i, d] * exp(K[j, d])", "no tile of roles"},
        BrokenRule{"+= Q[i, d] * K[j, d]", "+= Q[i, d] * k[j, d]", "no tile of roles"},
        BrokenRule{"+= Q[i, d] * K[j, d]", "max= Q[i, d] * K[j, d]", "no plain sum"},
        BrokenRule{"+= Q[i, d] * K[j, d]", "+= Q[i, d] * K[j, d] where j < m", "no plain sum"},
        BrokenRule{"d in [0, 4) reduced", "d in [0, m) reduced", "no constant extent along 'd'"},
        BrokenRule{"S[i, j] += Q[i, d] * K[j, d]", "o[i, j] += Q[i, d] * K[j, d]", "assigns no fragment"},
        BrokenRule{"contract scores points", "contract points", "no name to wait for"},
        BrokenRule{"C[i, e] += P[i, j]", "C[i, e] += P[e, j]", "other rows of the fragment 'P'"},
        BrokenRule{"-> (floordiv(n + 63, 64) - 1 - t)", "-> (t, t)", "does not give every grid dimension"},
        BrokenRule{"-> (floordiv(n + 63, 64) - 1 - t)", "-> (I)", "no size or loop variable"},
        BrokenRule{floating, "if (0.0f32 < S[0, 0]) { } for J in [1, floordiv(m + 7, 8)) step 1 {\n      points",
                   "a condition of a role"}));

TEST(Roles, PlainKernelsHaveNone) {
  for (const auto &[inside, message] : {std::pair("shared a : f32[8]", "needs a kernel with roles"),
                                        {"fragment a : f32[64]", "needs a kernel with"},
                                        {"get x", "outside of a role"},
                                        {"tile t : f32[1] copy points () { t[0] = x[0] }", "outside of a role"}}) {
    const std::string text = "program f array x : f32[1] kernel k grid () { " + std::string(inside) + " }";
    EXPECT_THAT(verify(readProgram(text)), testing::Contains(HasSubstr(message))) << text;
  }
}

} // namespace
