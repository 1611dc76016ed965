// model: one function of a Nest -> Scop. Per statement a domain, a write access, read accesses and an expression over
// them; the order of execution as an isl schedule tree. Scalars are arrays of no dimension.
#pragma once

#include "polymend/data_sizes.h"
#include "polymend/isl.h"
#include "polymend/parse.h"

#include <map>
#include <set>

namespace polymend {

/// { Statement[iterators] -> Array[subscripts] }. Inexact: a superset of what is touched (a non-affine subscript).
struct Access {
  std::string array;
  isl::map relation;
  bool exact = true;
  SourceRange where;
  isl::map reached; // the relation without what lies beyond the ends of an array of the function's own
};

struct Statement {
  std::string id;                     // "S0", "S1", ... in textual order; also the isl tuple name
  std::vector<std::string> iterators; // loop variables, outermost first; the domain's dimension names
  isl::set domain;
  Access write;
  std::vector<Access> reads; // one per Op::Read of value, in visiting order
  Expr value;                // Read nodes carry `access`, an index into reads; subscripts are those of the source
  SourceRange where;
  std::vector<Expr> target; // the subscripts of the write, as they stand in value for a read of the same element
};

struct Scop {
  IslContext context; // keeps every isl object below alive
  std::string function;
  std::vector<std::string> parameters; // sizes, then data sizes: the isl parameters
  std::vector<DataSize> dataSizes;
  std::vector<Statement> bounds;       // what data sizes read, as the values of statements that write nothing
  std::map<std::string, Expr> origins; // of loops, as in Loop
  isl::set assumptions; // over the parameters, what shapes of arrays rest on (rows do not overlap), tested at entry
  std::vector<Array> arrays; // flat ones delinearised where that could be checked (extents filled in)
  std::vector<Statement> statements;
  isl::schedule schedule;                         // original order; bands of one dimension in the loops' order
  std::map<std::string, std::string> sourceNames; // loop variable -> its name in the source, where they differ
  std::map<std::string, std::size_t> scopeDepth;  // local array -> loops around its declaration: no value outlives them
  std::optional<Refusal>
      scattered; // data say where something is written: there is a graph, but no more; absent: none do
  [[nodiscard]] const Array &array(const std::string &name) const;
  [[nodiscard]] const std::string &sourceName(const std::string &iterator) const;
};

/// The variables of loops that a data size depends on: at different turns of these it differs.
std::set<std::string> loopsOf(const DataSize &data, const Scop &scop);
/// Does the set depend on a data size?
bool dependsOnData(const isl::set &set, const Scop &scop);
/// The set without what it says of data sizes: a superset.
isl::set withoutDataSizes(const isl::set &set, const Scop &scop);

/// Refuses with the place of the first construct that has no affine model.
Result<Scop> model(const Function &function, const IslContext &context);
std::string dump(const Scop &scop);

} // namespace polymend
