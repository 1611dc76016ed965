#include "records.h"

#include <llvm/Remarks/Remark.h>
#include <llvm/Remarks/RemarkSerializer.h>
#include <llvm/Support/raw_ostream.h>

#include <boost/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>

namespace polymend {

namespace json = boost::json;

namespace {

llvm::remarks::Type typeOf(RemarkKind kind) {
  return kind == RemarkKind::Passed   ? llvm::remarks::Type::Passed
         : kind == RemarkKind::Missed ? llvm::remarks::Type::Missed
                                      : llvm::remarks::Type::Analysis;
}

const char *levelOf(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

/// A path as a URI (RFC 3986): whole with its scheme, or relative to where the tool was run.
std::string uriOf(const std::string &file) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  const std::string path = std::filesystem::path(file).generic_string();
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (plain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += {'%', digits[byte / 16], digits[byte % 16]};
  }
  return uri;
}

json::object placeOf(const SourceRange &where) {
  json::object place{{"artifactLocation", {{"uri", uriOf(where.file)}}}};
  if (where.valid()) {
    json::object region{{"startLine", where.line}, {"startColumn", std::max(where.column, 1U)}};
    if (where.endLine >= where.line && where.endColumn > 0) {
      region["endLine"] = where.endLine;
      region["endColumn"] = where.endColumn;
    }
    place["region"] = region;
  }
  return {{"physicalLocation", place}};
}

json::object resultOf(const Diagnostic &said, const std::string &rule, const std::string &kind) {
  json::object result{{"ruleId", rule}, {"level", levelOf(said.severity)}, {"message", {{"text", said.message}}}};
  if (kind == "passed") {
    result["kind"] = "pass"; // which has the level "none"
    result["level"] = "none";
  }
  if (!said.where.file.empty()) result["locations"] = json::array{placeOf(said.where)};
  json::array related;
  for (const Diagnostic &note : said.notes) {
    json::object place = note.where.file.empty() ? json::object() : placeOf(note.where);
    place["message"] = {{"text", note.message}};
    related.push_back(place);
  }
  if (!related.empty()) result["relatedLocations"] = related;
  return result;
}

/// What a rule is about.
const char *describe(const std::string &rule) {
  constexpr std::pair<std::string_view, const char *> known[] = {
      {"Transformed", "What was made of a function, and what it should gain"},
      {"LeftAsItIs", "Why a function is left as it is"},
      {"DependenceKept", "Why a dependence that forbids fusion is kept"},
      {"NoMatrixUnits", "Why products do not run on matrix units"},
      {"NoFunction", "A file without a function that has a body"},
      {"CopiesAtEachCall", "Arrays are copied to a device and back at each call"},
      {"RestsOn", "What a result takes for granted"},
      {"Warning", "What is likely not meant so"},
  };
  for (const auto &[name, text] : known)
    if (name == rule) return text;
  return "Why a file has no result";
}

json::object ruleOf(const std::string &rule, const std::string &kind) {
  json::object one{{"id", rule}, {"shortDescription", {{"text", describe(rule)}}}};
  if (!kind.empty()) one["properties"] = {{"tags", json::array{kind}}};
  return one;
}

/// Did the run come to its end, whatever it found?
json::object invocationOf(const std::vector<PipelineOutcome> &outcomes) {
  const bool isDone = std::ranges::none_of(outcomes, [](const PipelineOutcome &outcome) {
    return outcome.exitCode == ExitCode::Usage || outcome.exitCode == ExitCode::Invalid;
  });
  return {{"executionSuccessful", isDone}};
}

bool isSame(const Diagnostic &a, const Diagnostic &b) {
  return a.message == b.message && a.where.file == b.where.file && a.where.begin == b.where.begin;
}

} // namespace

std::string optimizationRecord(const std::vector<SaidRemark> &remarks) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto serializer =
      llvm::remarks::createRemarkSerializer(llvm::remarks::Format::YAML, llvm::remarks::SerializerMode::Separate, out);
  if (!serializer) {
    llvm::consumeError(serializer.takeError());
    return "";
  }
  for (const SaidRemark &remark : remarks) {
    llvm::remarks::Remark one;
    one.RemarkType = typeOf(remark.kind);
    one.PassName = "polymend";
    one.RemarkName = remark.name;
    one.FunctionName = remark.function;
    if (remark.said.where.valid()) one.Loc = {remark.said.where.file, remark.said.where.line, remark.said.where.column};
    one.Args.emplace_back();
    one.Args.back().Key = "String";
    one.Args.back().Val = remark.said.message;
    (*serializer)->emit(one);
  }
  return text;
}

std::string sarifLog(const std::vector<PipelineOutcome> &outcomes, const std::string &version) {
  json::array results;
  std::map<std::string, std::string> rules;
  for (const PipelineOutcome &outcome : outcomes) {
    for (const Diagnostic &said : outcome.diagnostics) {
      const auto named = std::find_if(outcome.remarks.begin(), outcome.remarks.end(),
                                      [&](const SaidRemark &remark) { return isSame(remark.said, said); });
      const bool isNamed = named != outcome.remarks.end();
      const std::string rule = isNamed ? named->name : said.severity == Severity::Error ? "Error" : "Warning";
      const std::string kind = isNamed ? spell(named->kind) : "";
      rules[rule] = kind;
      results.push_back(resultOf(said, rule, kind));
    }
    for (const SaidRemark &remark : outcome.remarks) {
      if (remark.kind != RemarkKind::Passed || outcome.exitCode != ExitCode::Done) continue;
      rules[remark.name] = "passed";
      results.push_back(resultOf(remark.said, remark.name, "passed"));
    }
  }
  json::array named;
  for (const auto &[rule, kind] : rules) named.push_back(ruleOf(rule, kind));
  const json::object log{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       json::array{json::object{{"tool", {{"driver", {{"name", "polymend"}, {"version", version}, {"rules", named}}}}},
                                {"columnKind", "utf16CodeUnits"},
                                {"invocations", json::array{invocationOf(outcomes)}},
                                {"results", results}}}}};
  return json::serialize(log) + "\n";
}

} // namespace polymend
