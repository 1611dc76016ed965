// A fact is asked of the elements that the function reads, which is all that it is used for: of those whose places are
// affine in the loops together, as one set of positions; of others read by read, over the loops around.
#include "declared_checks.h"

#include "data_ranges.h"

#include "polymend/segments.h"

#include "polymend/points.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <optional>

namespace polymend {

namespace {

using Kind = IndexFact::Kind;

/// An element of an index array that is used at each point of a set, which is over the iterators.
struct UsedElement {
  Expr element;
  isl::set points;
  const std::vector<std::string> &iterators;
};

/// Every use of the array's elements, also where they place what is written.
std::vector<UsedElement> usesOf(const Function &function, const Scop &scop, const std::string &array) {
  std::vector<UsedElement> all;
  const auto look = [&](const Expr &in, const Statement &statement, const auto &pointsAt) {
    visit(in, [&](const Expr &e) {
      if (e.op() == Op::Read && e->name == array && e->args.size() == 1)
        all.push_back({e, pointsAt(e), statement.iterators});
    });
  };
  const auto ofValue = [&](const Statement &statement) {
    look(statement.value, statement,
         [&](const Expr &e) { return statement.reads[static_cast<std::size_t>(e->access)].relation.domain(); });
  };
  for (const Statement &bound : scop.bounds) ofValue(bound);
  for (const Statement &statement : scop.statements) {
    ofValue(statement);
    for (const Expr &subscript : inSource(statement.write.array, statement.target, function, scop))
      look(subscript, statement, [&](const Expr &) { return statement.domain; });
  }
  return all;
}

/// The places that are used, over one dimension "place"; absent: data say which.
std::optional<isl::set> placesOf(const std::vector<UsedElement> &uses, const std::string &place, const Scop &scop) {
  std::optional<isl::set> all;
  for (const UsedElement &use : uses) {
    if (dependsOnData(use.points, scop)) return std::nullopt;
    const auto count = static_cast<unsigned>(use.iterators.size());
    const isl::set plain = isl::manage(isl_set_reset_tuple_id(use.points.copy()));
    const isl::set wider = isl::manage(isl_set_add_dims(plain.copy(), isl_dim_set, 1));
    std::vector<std::string> names = use.iterators;
    names.push_back(place);
    const Expr here = Expr::make(Op::Eq, {Expr::symbol(place, Type::Int64), use.element.arg(0)});
    const Result<isl::set> reached = pointsWhere(here, wider, names);
    if (!reached) return std::nullopt;
    const isl::set places = projectOut(*reached, 0, count);
    all = all ? all->unite(places) : places;
  }
  return all;
}

Expr elementAt(const std::string &array, const Expr &place, const Scop &scop) {
  const Type type = scop.array(array).type;
  const Expr element = Expr::read(array, {place}, type);
  return isShort(type) ? Expr::cast(Type::Int64, element) : element;
}

/// { [p] : p and p + 1 are places }.
isl::set beforeAnother(const isl::set &places) {
  isl_multi_aff *next = isl_multi_aff_identity(isl_space_map_from_set(isl_set_get_space(places.get())));
  isl_aff *one = isl_aff_add_constant_si(isl_multi_aff_get_aff(next, 0), 1);
  next = isl_multi_aff_set_aff(next, 0, one);
  return places.intersect(isl::manage(isl_set_preimage_multi_aff(places.copy(), next)));
}

std::string spelled(const std::string &word, const IndexFact &fact) {
  return "breaks " + word + "(" + fact.array + (fact.other.empty() ? "" : ", " + fact.other) + ")";
}

class Facts {
public:
  Facts(const Function &source, const Scop &s, const AddCheck &f) : function(source), scop(s), add(f) {}

  void monotone(const IndexFact &fact) {
    const auto places = placesOf(usesOf(function, scop, fact.array), place, scop);
    if (!places) return;
    const Expr p = Expr::symbol(place, Type::Int64), next = p + Expr::integer(1);
    const Expr after = elementAt(fact.array, next, scop);
    add({IndexCheck::Kind::Within,
         Expr::read(fact.array, {next}, scop.array(fact.array).type),
         after,
         elementAt(fact.array, p, scop),
         {},
         {},
         {},
         spelled("monotone", fact)},
        beforeAnother(*places), {place}, fact.where);
  }

  void injective(const IndexFact &fact) {
    const std::string why = spelled("injective", fact);
    const auto check = [&](const Expr &element, const Expr &value) {
      return IndexCheck{IndexCheck::Kind::Distinct, element, value, {}, {}, {}, {}, why};
    };
    const Expr p = Expr::symbol(place, Type::Int64);
    if (const auto places = placesOf(usesOf(function, scop, fact.array), place, scop))
      return add(check(Expr::read(fact.array, {p}, scop.array(fact.array).type), elementAt(fact.array, p, scop)),
                 *places, {place}, fact.where);
    for (const UsedElement &use : usesOf(function, scop, fact.array))
      add(check(use.element, use.element), use.points, use.iterators, fact.where);
  }

  void diagonal(const IndexFact &fact) {
    const auto places = placesOf(usesOf(function, scop, fact.array), place, scop);
    if (!places) return;
    const Expr p = Expr::symbol(place, Type::Int64);
    const Expr leads = elementAt(fact.other, elementAt(fact.array, p, scop), scop);
    add({IndexCheck::Kind::Within,
         Expr::read(fact.array, {p}, scop.array(fact.array).type),
         leads,
         p,
         p + Expr::integer(1),
         {},
         {},
         spelled("diagonal", fact)},
        *places, {place}, fact.where);
  }

  /// Over each loop that begins where a row does.
  void lower(const IndexFact &fact) {
    for (const UsedElement &use : usesOf(function, scop, fact.array))
      if (const Expr row = rowOfPlace(use.element.arg(0), fact.other))
        add({IndexCheck::Kind::Within, use.element, use.element, {}, row, {}, {}, spelled("lower", fact)}, use.points,
            use.iterators, fact.where);
  }

private:
  static Expr rowOfPlace(const Expr &at, const std::string &begin) {
    Expr row;
    visit(at, [&](const Expr &e) {
      if (e.op() == Op::Read && e->name == begin && e->args.size() == 1) row = e.arg(0);
    });
    return row;
  }

  static constexpr const char *place = "place";
  const Function &function;
  const Scop &scop;
  const AddCheck &add;
};

} // namespace

void declareChecks(const Function &function, const Scop &scop, const AddCheck &add) {
  Facts facts(function, scop, add);
  for (const IndexFact &fact : function.facts) {
    if (fact.kind == Kind::Monotone) facts.monotone(fact);
    if (fact.kind == Kind::Injective) facts.injective(fact);
    if (fact.kind == Kind::Lower) facts.lower(fact);
    if (fact.kind == Kind::Diagonal) facts.diagonal(fact);
  }
}

} // namespace polymend
