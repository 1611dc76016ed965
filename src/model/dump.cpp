// The text form of a Scop for --dump=model: what a person checks a model with.
#include "polymend/model.h"

#include <isl/map.h>
#include <isl/printer.h>
#include <isl/schedule.h>
#include <isl/set.h>

#include <cstdlib>
#include <sstream>

namespace polymend {

namespace {

std::string taken(char *text) {
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

std::string show(const isl::set &set) { return taken(isl_set_to_str(set.get())); }

std::string show(const isl::map &map) { return taken(isl_map_to_str(map.get())); }

std::string show(const isl::schedule &schedule) {
  isl_printer *printer = isl_printer_to_str(isl_schedule_get_ctx(schedule.get()));
  printer = isl_printer_set_yaml_style(printer, ISL_YAML_STYLE_BLOCK);
  printer = isl_printer_print_schedule(printer, schedule.get());
  std::string text = taken(isl_printer_get_str(printer));
  isl_printer_free(printer);
  return text;
}

void write(std::ostream &out, const Array &array) {
  out << "array " << spell(array.type) << ' ' << array.name;
  for (const Expr &extent : array.extents) out << '[' << (extent ? show(extent) : "") << ']';
  out << (array.flat ? " flat" : "") << (array.isConst ? " const" : "") << '\n';
}

void write(std::ostream &out, const char *verb, const Access &access) {
  out << "  " << verb << ' ' << show(access.relation) << (access.exact ? "" : " (inexact)") << '\n';
}

void write(std::ostream &out, const Statement &statement) {
  out << statement.id << ", line " << statement.where.line << ": "
      << show(Expr::read(statement.write.array, statement.target, statement.value.type())) << " = "
      << show(statement.value) << '\n';
  out << "  domain " << show(statement.domain) << '\n';
  write(out, "write", statement.write);
  for (const Access &read : statement.reads) write(out, "read", read);
}

} // namespace

std::string dump(const Scop &scop) {
  std::ostringstream out;
  out << "function " << scop.function << '\n';
  for (const Array &array : scop.arrays) write(out, array);
  for (const Statement &statement : scop.statements) write(out, statement);
  out << "schedule\n" << show(scop.schedule);
  return out.str();
}

} // namespace polymend
