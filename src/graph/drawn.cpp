// Statements and dependences as they are drawn: places of accesses, distances, a sentence for each.
#include "parts.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace polymend {

using namespace graph_room;

namespace {

const Statement &statementAt(const Scop &scop, int index) { return scop.statements[static_cast<std::size_t>(index)]; }

/// As isl writes it.
template <class T> std::string notation(const T &object) {
  std::ostringstream out;
  out << object;
  return out.str();
}

DrawnStatement drawn(const Statement &statement, const std::vector<DrawnLoop> &loops) {
  return {statement.id,
          spell(statement),
          notation(statement.domain),
          statement.write.array,
          loopsAround(statement, loops),
          statement.where};
}

std::vector<SourceRange> placeOf(const Statement &statement, const Access &access) {
  return {access.where.valid() ? access.where : statement.where};
}

/// Where the statement reads the array, each place once.
std::vector<SourceRange> readsOf(const Statement &statement, const std::string &array) {
  std::vector<SourceRange> places;
  for (const Access &access : statement.reads) {
    if (access.array != array) continue;
    const SourceRange where = placeOf(statement, access).front();
    const bool known =
        std::any_of(places.begin(), places.end(), [&](const SourceRange &place) { return place.begin == where.begin; });
    if (!known) places.push_back(where);
  }
  if (places.empty()) places.push_back(statement.where);
  return places;
}

/// "in a later iteration of loop i", "in the same iteration of loops b, i", ...
std::string when(const Dependence &edge, const std::vector<std::string> &common) {
  if (!edge.loop.empty()) return "in a later iteration of loop " + edge.loop;
  if (common.empty()) return "after it";
  std::string names;
  for (const std::string &name : common) names += (names.empty() ? "" : ", ") + name;
  return "later in the same iteration of loop" + std::string(common.size() > 1 ? "s " : " ") + names;
}

std::string sentence(const Dependence &edge, const std::string &from, const std::string &to,
                     const std::vector<std::string> &common) {
  const std::string may = edge.exact ? "" : "may ";
  const std::string s = edge.exact ? "s" : "";
  const std::string time = when(edge, common);
  switch (edge.kind) {
  case Dependence::Kind::Flow:
    return from + " writes " + edge.array + "; " + to + " " + may + "read" + s + " that value " + time + ".";
  case Dependence::Kind::Anti:
    return from + " reads " + edge.array + "; " + to + " " + may + "overwrite" + s + " that element " + time + ".";
  case Dependence::Kind::Output:
    return from + " writes " + edge.array + "; " + to + " " + may + "write" + s + " the same element again " + time +
           ".";
  }
  return "";
}

/// The correction that makes up for the edge: its own, or that of a reduction into which its end is substituted.
int mendOf(const FunctionTrace &trace, std::size_t index) {
  if (!trace.relaxed || !trace.relaxed->system) return -1;
  const Relaxed &relaxed = *trace.relaxed;
  if (index < relaxed.verdicts.size() && relaxed.verdicts[index].mended >= 0) return relaxed.verdicts[index].mended;
  const Dependence &edge = trace.dependences->edges[index];
  if (edge.kind != Dependence::Kind::Flow) return -1;
  const std::vector<Equation> &equations = relaxed.system->equations;
  for (std::size_t k = 0; k < relaxed.mended.size(); ++k) {
    const Mended &mended = relaxed.mended[k];
    const std::vector<int> &through = equations[static_cast<std::size_t>(mended.consumer)].through;
    const bool leadsIn = std::find(through.begin(), through.end(), edge.to) != through.end();
    const bool starts = std::any_of(mended.producers.begin(), mended.producers.end(), [&](int producer) {
      return equations[static_cast<std::size_t>(producer)].statement == edge.from;
    });
    const bool used = std::any_of(relaxed.verdicts.begin(), relaxed.verdicts.end(),
                                  [&](const EdgeVerdict &verdict) { return verdict.mended == static_cast<int>(k); });
    if (leadsIn && starts && used) return static_cast<int>(k);
  }
  return -1;
}

DrawnEdge drawn(const FunctionTrace &trace, const DrawnFunction &function, std::size_t index) {
  const Dependence &edge = trace.dependences->edges[index];
  const Statement &from = statementAt(*trace.scop, edge.from), &to = statementAt(*trace.scop, edge.to);
  DrawnEdge result;
  result.from = edge.from;
  result.to = edge.to;
  result.relation = notation(edge.relation);
  std::vector<std::string> common;
  const std::vector<int> &a = function.statements[static_cast<std::size_t>(edge.from)].loops,
                         &b = function.statements[static_cast<std::size_t>(edge.to)].loops;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()) && a[k] == b[k]; ++k)
    common.push_back(function.loops[static_cast<std::size_t>(a[k])].name);
  result.sentence = sentence(edge, from.id, to.id, common);
  const bool readsFirst = edge.kind == Dependence::Kind::Anti, readsLast = edge.kind == Dependence::Kind::Flow;
  result.fromAt = readsFirst ? readsOf(from, edge.array) : placeOf(from, from.write);
  result.toAt = readsLast ? readsOf(to, edge.array) : placeOf(to, to.write);
  result.reduction = edge.reduction;
  result.privatised = edge.privatised;
  result.exact = edge.exact;
  result.mended = mendOf(trace, index);
  return result;
}

/// The edges that forbid to run one of the outermost loops in parallel.
std::vector<int> serialising(const DrawnFunction &function) {
  std::set<int> edges;
  for (const Change &change : function.changes)
    if (change.kind == Change::Kind::Parallel &&
        function.loops[static_cast<std::size_t>(change.loops.front())].parent < 0)
      for (const std::vector<int> &chain : change.obstacles) edges.insert(chain.begin(), chain.end());
  return {edges.begin(), edges.end()};
}

/// What the report says of the function.
Report reportOn(const FunctionTrace &trace) {
  Report report;
  account(report, trace, false);
  return report;
}

} // namespace

DrawnFunction drawn(const FunctionTrace &trace, const DrawOptions &options) {
  const Report report = reportOn(trace);
  DrawnFunction function;
  function.name = trace.function.name;
  function.outcome = spell(report.functions.front().outcome);
  function.reason = report.functions.front().reason;
  function.where = trace.function.where;
  if (trace.left) function.reasonWhere = trace.left->where;
  function.loops = loopsOf(trace.function);
  if (!trace.dependences) return function;
  for (const Statement &statement : trace.scop->statements)
    function.statements.push_back(drawn(statement, function.loops));
  const std::vector<std::vector<Step>> steps = stepsOf(*trace.scop, *trace.dependences);
  const std::vector<std::string> decided = verdictLabels(trace);
  for (std::size_t k = 0; k < trace.dependences->edges.size(); ++k) {
    DrawnEdge edge = drawn(trace, function, k);
    edge.account = report.dependences[k];
    edge.steps = steps[k];
    edge.decided = decided[k];
    function.edges.push_back(edge);
  }
  function.changes = changesOf(function, *trace.scop, *trace.dependences);
  if (trace.schedule && trace.schedule->order && (trace.left || !trace.schedule->moved))
    function.reasonEdges = serialising(function);
  if (trace.relaxed && trace.schedule) function.outline = outlineOf(trace);
  if (!options.replays) return function;
  addReplays(function, trace, options);
  function.trials = trialsOf(trace);
  return function;
}

DrawnFunction drawn(const LeftAlone &left) {
  DrawnFunction function;
  function.name = left.name;
  function.outcome = spell(Outcome::Left);
  function.reason = left.refusal.reason;
  function.reasonWhere = function.where = left.refusal.where;
  return function;
}

} // namespace polymend
