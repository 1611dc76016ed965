// A Report arrives, indented JSON leaves (schema 1). Empty texts that mean "none" become null; absent lists stay empty
// lists.
#include "polymend/report.h"

#include <boost/json.hpp>

namespace polymend {

namespace json = boost::json;

namespace {

json::value orNull(const std::string &text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::array list(const std::vector<std::string> &texts) { return json::array(texts.begin(), texts.end()); }

json::array table(const std::vector<std::vector<std::string>> &rows) {
  json::array array;
  for (const auto &row : rows) array.push_back(list(row));
  return array;
}

json::object statement(const ReportedStatement &s) {
  return {{"id", s.id}, {"file", s.where.file}, {"line", s.where.line}, {"col", s.where.column}};
}

json::value correction(const std::optional<ReportedCorrection> &c) {
  if (!c) return nullptr;
  return json::object{{"state", list(c->state)},
                      {"pivot", c->pivot},
                      {"mend", table(c->mend)},
                      {"final", c->final},
                      {"guards", list(c->guards)},
                      {"roundings", list(c->roundings)},
                      {"obligations", list(c->obligations)}};
}

json::value proof(const std::optional<ReportedProof> &p) {
  if (!p) return nullptr;
  return json::object{
      {"normal_form", p->normalForm}, {"numeric", p->numeric}, {"z3", p->z3}, {"conditioning", p->conditioning}};
}

json::value distance(const std::optional<std::vector<std::int64_t>> &d) {
  if (!d) return nullptr;
  return json::array(d->begin(), d->end());
}

json::object dependence(const ReportedDependence &d) {
  return {{"function", d.function},
          {"array", d.array},
          {"kind", d.kind},
          {"loop", orNull(d.loop)},
          {"distance", distance(d.distance)},
          {"from", statement(d.from)},
          {"to", statement(d.to)},
          {"verdict", spell(d.verdict)},
          {"label", spell(d.label)},
          {"update", orNull(d.update)},
          {"correction", correction(d.correction)},
          {"proof", proof(d.proof)},
          {"reason", orNull(d.reason)}};
}

/// Is this short enough to stand on one line?
bool isSmall(const json::value &value) { return !value.is_structured() || json::serialize(value).size() <= 96; }

/// Appends a value whose first line begins where the text ends, further lines at `depth` steps of indentation.
void write(const json::value &value, int depth, std::string &text) {
  if (isSmall(value)) {
    text += json::serialize(value);
    return;
  }
  const std::string inner(static_cast<std::size_t>(2 * depth + 2), ' '),
      outer(static_cast<std::size_t>(2 * depth), ' ');
  const char *separator = "\n";
  if (const json::object *object = value.if_object()) {
    text += "{";
    for (const auto &member : *object) {
      text += separator + inner + json::serialize(json::value(member.key())) + ": ";
      write(member.value(), depth + 1, text);
      separator = ",\n";
    }
    text += "\n" + outer + "}";
  } else {
    text += "[";
    for (const json::value &element : value.as_array()) {
      text += separator + inner;
      write(element, depth + 1, text);
      separator = ",\n";
    }
    text += "\n" + outer + "]";
  }
}

} // namespace

std::string spell(Outcome outcome) {
  switch (outcome) {
  case Outcome::Transformed: return "transformed";
  case Outcome::Left: return "left";
  case Outcome::Refused: return "refused";
  }
  return {};
}

std::string spell(Verdict verdict) {
  switch (verdict) {
  case Verdict::Kept: return "kept";
  case Verdict::Corrected: return "corrected";
  case Verdict::Runtime: return "runtime";
  case Verdict::Refused: return "refused";
  }
  return {};
}

std::string spell(Label label) {
  switch (label) {
  case Label::Exact: return "exact";
  case Label::Algebraic: return "algebraic";
  case Label::Approximate: return "approximate";
  }
  return {};
}

std::string toolVersion() { return POLYMEND_VERSION; }

std::string writeReport(const Report &report) {
  json::array approximations, functions, dependences;
  for (const Approximation &a : report.approximations)
    approximations.push_back(json::object{{"what", a.what}, {"bound", a.bound}});
  for (const ReportedFunction &f : report.functions)
    functions.push_back(json::object{{"name", f.name},
                                     {"outcome", spell(f.outcome)},
                                     {"fused", table(f.fused)},
                                     {"expected", orNull(f.expected)},
                                     {"reason", orNull(f.reason)}});
  for (const ReportedDependence &d : report.dependences) dependences.push_back(dependence(d));
  const json::object whole{{"schema", 1},
                           {"tool", "polymend " + toolVersion()},
                           {"input", report.input},
                           {"target", report.target},
                           {"arch", orNull(report.arch)},
                           {"fp", report.fp},
                           {"assumptions", list(report.assumptions)},
                           {"approximations", std::move(approximations)},
                           {"functions", std::move(functions)},
                           {"dependences", std::move(dependences)}};
  std::string text;
  write(whole, 0, text);
  return text + "\n";
}

} // namespace polymend
