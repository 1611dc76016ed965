// The drawing as one JSON document; docs/dependences.md says what stands in it.
#include "polymend/graph.h"

#include <boost/json.hpp>

#include <cmath>

namespace polymend {

namespace json = boost::json;

namespace {

/// Of the document; what is added later leaves it, what changes its meaning raises it.
constexpr int schema = 2;

json::value orNull(const std::string &text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::value number(double value) { return std::isfinite(value) ? json::value(value) : json::value(nullptr); }

template <class T> json::value orNull(const std::optional<T> &value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::value rangeOf(const SourceRange &where) {
  if (!where.valid()) return nullptr;
  return json::object{{"file", where.file},
                      {"line", where.line},
                      {"col", where.column},
                      {"endLine", where.endLine},
                      {"endCol", where.endColumn}};
}

template <class List, class F> json::array listOf(const List &list, const F &one) {
  json::array array;
  for (const auto &element : list) array.push_back(one(element));
  return array;
}

json::array list(const std::vector<std::string> &texts) { return json::array(texts.begin(), texts.end()); }
json::array list(const std::vector<int> &numbers) { return json::array(numbers.begin(), numbers.end()); }
json::array list(const std::vector<double> &numbers) { return listOf(numbers, number); }

json::object objectOf(const std::map<std::string, double> &values) {
  json::object object;
  for (const auto &[name, value] : values) object[name] = number(value);
  return object;
}

json::value correctionOf(const ReportedDependence &account) {
  if (!account.correction) return nullptr;
  const ReportedCorrection &c = *account.correction;
  return json::object{{"state", list(c.state)},
                      {"pivot", c.pivot},
                      {"mend", listOf(c.mend, [](const auto &row) { return list(row); })},
                      {"final", c.final},
                      {"guards", list(c.guards)},
                      {"roundings", list(c.roundings)},
                      {"obligations", list(c.obligations)}};
}

json::value proofOf(const ReportedDependence &account) {
  if (!account.proof) return nullptr;
  const ReportedProof &p = *account.proof;
  return json::object{
      {"normal_form", p.normalForm}, {"numeric", p.numeric}, {"z3", p.z3}, {"conditioning", p.conditioning}};
}

json::value constantOf(const std::vector<Step> &steps) {
  json::array array;
  for (const Step &step : steps) {
    if (!step.least || step.least != step.most) return nullptr;
    array.push_back(*step.least);
  }
  return array;
}

json::object edgeOf(const DrawnFunction &function, const DrawnEdge &edge, std::size_t index) {
  const ReportedDependence &account = edge.account;
  return {{"id", index},
          {"from", function.statements[static_cast<std::size_t>(edge.from)].id},
          {"to", function.statements[static_cast<std::size_t>(edge.to)].id},
          {"array", account.array},
          {"kind", account.kind},
          {"loop", orNull(account.loop)},
          {"distance", constantOf(edge.steps)},
          {"steps", listOf(edge.steps, [](const Step &s) { return json::array{orNull(s.least), orNull(s.most)}; })},
          {"distanceText", spellDistance(edge.steps)},
          {"direction", spellDirection(edge.steps)},
          {"relation", edge.relation},
          {"sentence", edge.sentence},
          {"fromAt", listOf(edge.fromAt, rangeOf)},
          {"toAt", listOf(edge.toAt, rangeOf)},
          {"reduction", edge.reduction},
          {"privatised", edge.privatised},
          {"exact", edge.exact},
          {"verdict", spell(account.verdict)},
          {"label", spell(account.label)},
          {"update", orNull(account.update)},
          {"correction", correctionOf(account)},
          {"proof", proofOf(account)},
          {"reason", orNull(account.reason)},
          {"decided", edge.decided},
          {"mended", edge.mended < 0 ? json::value(nullptr) : json::value(edge.mended)}};
}

const char *spell(Change::Kind kind) {
  return kind == Change::Kind::Fuse ? "fuse" : kind == Change::Kind::Parallel ? "parallel" : "tile";
}

json::object changeOf(const Change &change) {
  return {{"change", spell(change.kind)},
          {"loops", list(change.loops)},
          {"obstacles", listOf(change.obstacles, [](const auto &chain) { return list(chain); })},
          {"complete", change.complete}};
}

json::object tiledOf(const TiledOrder &order) {
  return {{"tile", order.tile}, {"planned", list(order.planned)}, {"violated", list(order.violated)}};
}

json::object replayOf(const Replay &replay) {
  json::object sizes;
  for (const auto &[name, value] : replay.sizes) sizes[name] = value;
  return {{"sizes", sizes},
          {"fixed", list(replay.fixed)},
          {"points", listOf(replay.points,
                            [](const ReplayPoint &p) {
                              json::array row{p.statement};
                              row.insert(row.end(), p.at.begin(), p.at.end());
                              return row;
                            })},
          {"planned", list(replay.planned)},
          {"tiled", listOf(replay.tiled, tiledOf)},
          {"waves", list(replay.waves)},
          {"arrows", listOf(replay.arrows, [](const ReplayArrow &a) {
             return json::array{a.from, a.to, a.edge, a.violated ? 1 : 0};
           })}};
}

json::object trialOf(const Trial &trial) {
  return {{"mended", trial.mended},
          {"array", trial.array},
          {"why", orNull(trial.why)},
          {"steps", listOf(trial.steps,
                           [](const TrialStep &s) {
                             return json::object{
                                 {"elements", objectOf(s.elements)}, {"producers", objectOf(s.producers)},
                                 {"before", list(s.before)},         {"after", list(s.after)},
                                 {"taken", list(s.taken)},           {"unmended", list(s.unmended)}};
                           })},
          {"result", number(trial.result)},
          {"unmended", number(trial.unmended)},
          {"expected", number(trial.expected)}};
}

json::object functionOf(const DrawnFunction &function) {
  json::array edges;
  for (std::size_t e = 0; e < function.edges.size(); ++e) edges.push_back(edgeOf(function, function.edges[e], e));
  json::object object{
      {"name", function.name},
      {"outcome", function.outcome},
      {"reason", orNull(function.reason)},
      {"reasonAt", rangeOf(function.reasonWhere)},
      {"reasonEdges", list(function.reasonEdges)},
      {"where", rangeOf(function.where)},
      {"loops", listOf(function.loops,
                       [](const DrawnLoop &l) {
                         return json::object{{"name", l.name},
                                             {"parent", l.parent < 0 ? json::value(nullptr) : json::value(l.parent)},
                                             {"where", rangeOf(l.where)}};
                       })},
      {"statements", listOf(function.statements,
                            [](const DrawnStatement &s) {
                              return json::object{
                                  {"id", s.id},         {"text", s.text},         {"array", s.array},
                                  {"domain", s.domain}, {"loops", list(s.loops)}, {"where", rangeOf(s.where)}};
                            })},
      {"dependences", std::move(edges)},
      {"changes", listOf(function.changes, changeOf)},
      {"plan", listOf(function.outline, [](const OutlineLine &line) {
         return json::object{{"depth", line.depth}, {"text", line.text}, {"statements", list(line.statements)}};
       })}};
  if (!function.replays.empty() || !function.replayNote.empty()) {
    object["replays"] = listOf(function.replays, replayOf);
    object["replayNote"] = orNull(function.replayNote);
    object["orderName"] = function.orderName;
    object["trials"] = listOf(function.trials, trialOf);
  }
  return object;
}

json::object printedLineOf(const PrintedLine &one) {
  return {{"line", one.line},
          {"function", one.function},
          {"statements", json::value_from(one.statements)},
          {"copy", one.isCopy}};
}

/// Takes the name of the input from places: a page has no other file's text to show, and thousands of places.
void withoutInput(json::value &value, const std::string &input) {
  if (value.is_array())
    for (json::value &element : value.get_array()) withoutInput(element, input);
  if (!value.is_object()) return;
  json::object &object = value.get_object();
  const json::value *const file = object.if_contains("file");
  if (file && object.contains("line") && *file == json::value(input)) object.erase("file");
  for (auto &member : object) withoutInput(member.value(), input);
}

} // namespace

std::string writeJson(const Drawing &drawing, bool texts) {
  json::object whole{{"schema", schema},
                     {"document", "dependences"},
                     {"tool", "polymend " + toolVersion()},
                     {"input", drawing.file},
                     {"functions", listOf(drawing.functions, functionOf)}};
  if (texts) {
    whole["source"] = drawing.source;
    whole["printed"] = drawing.printed;
    whole["printedLines"] = listOf(drawing.printedLines, printedLineOf);
    withoutInput(whole["functions"], drawing.file);
  }
  return json::serialize(whole) + "\n";
}

} // namespace polymend
