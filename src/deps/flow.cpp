// Value-based flow, after Feautrier: isl's dataflow over the schedule tree, once. Each read is tagged, so that two
// reads of one statement stay apart: { [Reader[x] -> r0[]] -> Array[y] }. All writes are exact, so every source is
// certain. What outlives the function is read once more by a statement behind the end.
#include "flow.h"

#include <isl/aff.h>
#include <isl/flow.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include <set>

namespace polymend {

namespace {

const std::string endPrefix = "end of ";

std::string tag(std::size_t read) { return "r" + std::to_string(read); }

/// { [Statement[x] -> tag[]] -> Statement[x] }.
isl::map untag(const Statement &statement, std::size_t read) {
  isl_space *space = isl_space_set_from_params(isl_space_params(isl_set_get_space(statement.domain.get())));
  space = isl_space_set_tuple_name(space, isl_dim_set, tag(read).c_str());
  return isl::manage(
      isl_map_domain_map(isl_map_from_domain_and_range(statement.domain.copy(), isl_set_universe(space))));
}

class Union {
public:
  explicit Union(const isl::set &anyOf)
      : all(isl::manage(isl_union_map_empty(isl_space_params(isl_set_get_space(anyOf.get()))))) {}
  void add(const isl::map &map) { all = all.unite(isl::union_map(map)); }
  isl::union_map all;
};

std::set<std::string> writtenArrays(const Scop &scop) {
  std::set<std::string> names;
  for (const Statement &statement : scop.statements) names.insert(statement.write.array);
  return names;
}

bool mayOutlive(const Array &array) {
  return array.storage != Array::Storage::Local && !(array.storage == Array::Storage::Parameter && array.isConst);
}

struct Problem {
  Union reads, writes, tagger;
  isl::schedule schedule;
};

/// Appends a statement behind the end that reads every element of `array` that was written.
void readAtEnd(Problem &problem, const Scop &scop, const std::string &array) {
  isl::set elements = isl::set::empty(scop.statements.front().domain.space());
  bool first = true;
  for (const Statement &statement : scop.statements) {
    if (statement.write.array != array) continue;
    const isl::set range = statement.write.relation.range();
    elements = first ? range : elements.unite(range);
    first = false;
  }
  const isl::map read = setDomainTuple(isl::manage(isl_set_identity(elements.copy())), endPrefix + array);
  problem.reads.add(read);
  const isl::schedule end = isl::schedule::from_domain(isl::union_set(read.domain()));
  problem.schedule = isl::manage(isl_schedule_sequence(problem.schedule.copy(), end.copy()));
}

Problem pose(const Scop &scop, const std::set<std::string> &written) {
  const isl::set &any = scop.statements.front().domain;
  Problem problem{Union(any), Union(any), Union(any), scop.schedule};
  for (const Statement &statement : scop.statements) {
    problem.writes.add(statement.write.relation);
    problem.tagger.add(isl::manage(isl_set_identity(statement.domain.copy())));
    for (std::size_t k = 0; k < statement.reads.size(); ++k) {
      if (written.count(statement.reads[k].array) == 0) continue;
      const isl::map untagged = untag(statement, k);
      problem.tagger.add(untagged);
      problem.reads.add(untagged.apply_range(statement.reads[k].relation));
    }
  }
  problem.schedule = isl::manage(isl_schedule_pullback_union_pw_multi_aff(
      scop.schedule.copy(), isl_union_pw_multi_aff_from_union_map(problem.tagger.all.copy())));
  for (const std::string &array : written)
    if (mayOutlive(scop.array(array))) readAtEnd(problem, scop, array);
  return problem;
}

isl::union_map solve(const Problem &problem) {
  isl_union_access_info *info = isl_union_access_info_from_sink(problem.reads.all.copy());
  info = isl_union_access_info_set_must_source(info, problem.writes.all.copy());
  info = isl_union_access_info_set_schedule(info, problem.schedule.copy());
  const isl::union_flow solved = isl::manage(isl_union_access_info_compute_flow(info));
  return solved.must_dependence();
}

/// Files one piece { Writer[y] -> [Reader[x] -> tag[]] } or { Writer[y] -> end[z] } where it belongs.
class Filing {
public:
  Filing(const Scop &scop, Flow &flow) : scop(scop), filed(flow) {
    for (std::size_t s = 0; s < scop.statements.size(); ++s) statements[scop.statements[s].id] = s;
    for (std::size_t s = 0; s < scop.statements.size(); ++s)
      for (std::size_t k = 0; k < scop.statements[s].reads.size(); ++k) {
        places[{s, tag(k)}] = flow.sources.size();
        const Access &read = scop.statements[s].reads[k];
        const isl::set reached = read.exact ? read.relation.domain() : scop.statements[s].domain;
        flow.sources.push_back({static_cast<int>(s), static_cast<int>(k), {}, reached});
      }
  }

  void file(const isl::map &piece) {
    if (isl_map_range_is_wrapping(piece.get()) == isl_bool_true)
      fileRead(piece);
    else
      fileEnd(piece);
  }

private:
  void fileRead(const isl::map &piece) {
    const isl::map edge = isl::manage(isl_map_range_factor_domain(piece.copy()));
    const isl::map tagged = isl::manage(isl_map_range_factor_range(piece.copy()));
    Sources &sources = filed.sources[places.at({statements.at(rangeTuple(edge)), rangeTuple(tagged)})];
    const Statement &reader = scop.statements[static_cast<std::size_t>(sources.statement)];
    sources.from.emplace_back(static_cast<int>(statements.at(domainTuple(edge))), coalesced(edge.reverse()));
    if (reader.reads[static_cast<std::size_t>(sources.read)].exact)
      sources.liveIn = coalesced(sources.liveIn.subtract(edge.range()));
  }

  void fileEnd(const isl::map &piece) {
    const std::string array = rangeTuple(piece).substr(endPrefix.size());
    const isl::union_map last(coalesced(setRangeTuple(piece, array).reverse()));
    for (auto &[name, writes] : filed.lastWrites)
      if (name == array) {
        writes = writes.unite(last);
        return;
      }
    filed.lastWrites.emplace_back(array, last);
  }

  const Scop &scop;
  Flow &filed;
  std::map<std::string, std::size_t> statements;
  std::map<std::pair<std::size_t, std::string>, std::size_t> places;
};

} // namespace

Flow flow(const Scop &scop) {
  Flow result;
  Filing filing(scop, result);
  solve(pose(scop, writtenArrays(scop))).foreach_map([&](const isl::map &piece) { filing.file(piece); });
  return result;
}

} // namespace polymend
