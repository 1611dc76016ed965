// A tree is taken as it stands: whether it runs every instance is asked here, whether it keeps the dependences is asked
// where all schedules are judged. isl's reader knows no comments; they are taken away, line by line, so that the lines
// that it names are those of the document.
#include "polymend/by_hand.h"

#include "polymend/deps.h"
#include "reorder.h"

#include <isl/options.h>
#include <isl/printer.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>

#include <sstream>

namespace polymend {

namespace {

constexpr std::string_view heading = "# function ", separator = "---";

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string treeText(const isl::schedule &schedule) {
  isl_printer *printer = isl_printer_to_str(isl_schedule_get_ctx(schedule.get()));
  printer = isl_printer_set_yaml_style(printer, ISL_YAML_STYLE_BLOCK);
  printer = isl_printer_print_schedule(printer, schedule.get());
  char *const text = isl_printer_get_str(printer);
  isl_printer_free(printer);
  std::string result = text ? text : "";
  std::free(text); // NOLINT(cppcoreguidelines-no-malloc): isl's
  return result;
}

/// While this lives isl keeps quiet about what it cannot read.
class Quiet {
public:
  explicit Quiet(isl_ctx *c) : context(c), before(isl_options_get_on_error(c)) {
    isl_options_set_on_error(c, ISL_ON_ERROR_CONTINUE);
  }
  ~Quiet() {
    isl_options_set_on_error(context, before);
    isl_ctx_reset_error(context);
  }
  Quiet(const Quiet &) = delete;
  Quiet &operator=(const Quiet &) = delete;

private:
  isl_ctx *context;
  int before;
};

/// The kinds of nodes that say when instances run, and nothing else.
bool isPlain(isl_schedule_node_type type) {
  return type == isl_schedule_node_domain || type == isl_schedule_node_band || type == isl_schedule_node_sequence ||
         type == isl_schedule_node_set || type == isl_schedule_node_filter || type == isl_schedule_node_mark ||
         type == isl_schedule_node_leaf;
}

bool hasPlainNodes(const isl::schedule &schedule) {
  bool is = true;
  const auto look = [](isl_schedule_node *node, void *user) {
    if (!isPlain(isl_schedule_node_get_type(node))) *static_cast<bool *>(user) = false;
    return isl_bool_true;
  };
  isl_schedule_foreach_schedule_node_top_down(schedule.get(), look, &is);
  return is;
}

/// Statements, some instance of which is in one set alone.
std::string namesOf(const Scop &scop, const isl::union_set &a, const isl::union_set &b) {
  std::string names;
  for (const Statement &statement : scop.statements) {
    const isl::union_set own(statement.domain);
    const isl::union_set all =
        own.unite(isl::union_set(isl::manage(isl_set_universe(isl_set_get_space(statement.domain.get())))));
    if (!all.intersect(a).is_equal(all.intersect(b))) names += (names.empty() ? "" : ", ") + statement.id;
  }
  return names;
}

} // namespace

std::string writeTree(const Scop &scop, const Schedule &schedule) {
  std::string text = std::string(heading) + scop.function + "\n";
  for (const Statement &statement : scop.statements)
    text += "# " + statement.id + " line " + std::to_string(statement.where.line) + ": " + spell(statement) + "\n";
  if (!schedule.order)
    text += "# The result is no such tree: its rows run apart, with what mends them. This is the source's order, which "
            "takes its place when it is given back.\n";
  return text + treeText(schedule.order ? *schedule.order : scop.schedule);
}

std::map<std::string, std::string> documentsOf(const std::string &file) {
  std::map<std::string, std::string> documents;
  std::string name;
  for (const std::string &line : linesOf(file)) {
    if (line.starts_with(separator)) name.clear();
    if (line.starts_with(heading)) name = line.substr(heading.size());
    if (!name.empty()) documents[name] += line + "\n";
  }
  return documents;
}

Result<Schedule> readTree(const Scop &scop, const std::string &document) {
  std::string plain;
  for (const std::string &line : linesOf(document)) plain += line.starts_with("#") ? "\n" : line + "\n";
  isl_ctx *const context = isl_set_get_ctx(scop.statements.front().domain.get());
  const Quiet quiet(context);
  isl_schedule *const read = isl_schedule_read_from_str(context, plain.c_str());
  if (!read) {
    const char *const said = isl_ctx_last_error_msg(context);
    return Refusal{"isl cannot read the schedule" + (said ? ": " + std::string(said) : std::string()), {}};
  }
  Schedule result;
  result.order = isl::manage(read);
  if (!hasPlainNodes(*result.order))
    return Refusal{
        "the schedule has nodes that do more than to order: only domain, band, sequence, set, filter and mark "
        "are taken",
        {}};
  isl::union_set instances = isl::manage(isl_union_set_empty(isl_set_get_space(scop.statements.front().domain.get())));
  for (const Statement &statement : scop.statements) instances = instances.unite(isl::union_set(statement.domain));
  const isl::union_set named = isl::manage(isl_schedule_get_domain(result.order->get()));
  const isl::union_set ordered = isl::manage(isl_union_map_domain(isl_schedule_get_map(result.order->get())));
  if (!named.is_equal(instances))
    return Refusal{"the schedule's domain is not the function's: " + namesOf(scop, named, instances) + " differ", {}};
  if (!instances.is_subset(ordered))
    return Refusal{"the schedule leaves out instances of " + namesOf(scop, ordered, instances), {}};
  if (isSteep(*result.order))
    return Refusal{"a loop's coefficient in the schedule is greater than 4: isl may make loops in another order of it",
                   {}};
  result.moved = true;
  result.given = true;
  result.why = "the schedule that was given";
  return result;
}

} // namespace polymend
