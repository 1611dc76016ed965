// A line that a signal cut off, or that is none of ours, ends what is read: what follows it is run again.
#include "run_journal.h"

#include "polymend/check.h"
#include "polymend/run.h"

#include <boost/json.hpp>

#include <fstream>
#include <sstream>

namespace polymend {

namespace json = boost::json;

namespace {

/// FNV-1a: the same on every machine.
std::string hashOf(const std::string &text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return std::to_string(hash);
}

/// A member of a line's object; absent: the line is none of ours.
std::optional<std::string> member(const std::string &line, const char *name) {
  boost::system::error_code error;
  const json::value value = json::parse(line, error);
  if (error || !value.is_object()) return std::nullopt;
  const json::value *const found = value.as_object().if_contains(name);
  return found && found->is_string() ? std::optional(std::string(found->as_string())) : std::nullopt;
}

} // namespace

std::optional<Refusal> noJournal(const std::string &path) {
  const auto there = readFile(path);
  if (!there || there->empty()) return std::nullopt;
  const std::string first = there->substr(0, there->find('\n'));
  if (member(first, "check")) return std::nullopt;
  return Refusal{"'" + path + "' holds something else than runs of a check: --resume leaves it as it is", {}};
}

Result<Journal> Journal::open(const std::string &path, const std::string &what) {
  if (auto other = noJournal(path)) return *other;
  Journal journal;
  journal.file = path;
  const std::string first = json::serialize(json::object{{"check", hashOf(what)}});
  std::string whole = first + "\n";
  if (const auto there = readFile(path)) {
    std::istringstream lines(*there);
    std::string line;
    const bool isSame = std::getline(lines, line) && line == first;
    while (isSame && std::getline(lines, line)) {
      const auto run = member(line, "run"), text = member(line, "text");
      if (!run || !text) break;
      journal.ended[*run] = *text;
      whole += line + "\n";
    }
  }
  if (auto failure = replaceFile(path, whole)) return *failure;
  return journal;
}

std::optional<std::string> Journal::known(const std::string &run) const {
  const auto found = ended.find(run);
  return found == ended.end() ? std::nullopt : std::optional(found->second);
}

void Journal::add(const std::string &run, const std::string &text) {
  if (file.empty()) return;
  std::ofstream(file, std::ios::app) << json::serialize(json::object{{"run", run}, {"text", text}}) + "\n"
                                     << std::flush;
}

} // namespace polymend
