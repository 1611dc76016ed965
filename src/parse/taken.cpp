// Elements of arrays, references and parts of objects -> numbers that a function is given, and gives back where it sets
// them. A structure is taken apart and put together. That is right as long as each is touched whatever data say, or
// under conditions on numbers around that its reading is put under, too, and what is set is nothing else that is taken.
#include "closed.h"
#include "outlined.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <algorithm>
#include <functional>

namespace polymend {

/// A number as it is before, and where it lies if it can be set.
struct NumberTaken {
  std::string member; // ".r", ".pos.x"; empty: all of it
  clang::QualType type;
  Expr number;
  std::optional<Place> place;
};

/// An element, or a part of an object, with all that the text does to it.
struct ElementTaken {
  std::vector<NumberTaken> numbers; // of a record its members'
  std::string name, told;
  clang::QualType type;
  bool reads = false, writes = false;
  Expr where; // what holds where it is touched whatever data say; absent: data decide
};

namespace {

Expr always() { return Expr::integer(1, Type::Bool); }
bool isAlways(const Expr &e) { return e && e.op() == Op::Integer && e->integer != 0; }

/// Either holds; an absent one never does.
Expr either(const Expr &a, const Expr &b) {
  if (!a || isAlways(b)) return b;
  return !b || isAlways(a) ? a : simplify(Expr::make(Op::Or, {a, b}));
}

/// The number where it may be read, elsewhere zero.
Expr readWhere(const Expr &where, const Expr &number) {
  if (isAlways(where)) return number;
  const Type type = number.type();
  const Expr zero = isFloating(type) ? Expr::real(0, type) : Expr::integer(0, type);
  return Expr::make(Op::Select, type, {where, number, zero});
}

bool isSame(const Place &a, const Place &b) {
  return a.array == b.array &&
         std::equal(a.subscripts.begin(), a.subscripts.end(), b.subscripts.begin(), b.subscripts.end(), equal);
}

/// Do the two never meet, as places of one array?
bool areApart(const Place &a, const Place &b) {
  if (a.array != b.array) return true;
  for (std::size_t d = 0; d < a.subscripts.size() && d < b.subscripts.size(); ++d) {
    const Expr distance = simplify(a.subscripts[d] - b.subscripts[d]);
    if (distance.op() == Op::Integer && distance->integer != 0) return true;
  }
  return false;
}

/// Is what the first sets none of what the other is, or is made of?
bool areApart(const ElementTaken &a, const ElementTaken &b) {
  return std::ranges::all_of(a.numbers, [&](const NumberTaken &set) {
    return set.place && std::ranges::all_of(b.numbers, [&](const NumberTaken &other) {
             return other.place ? areApart(*set.place, *other.place) : !reads(other.number, set.place->array);
           });
  });
}

bool isSame(const ElementTaken &a, const ElementTaken &b) {
  const NumberTaken &one = a.numbers.front(), &other = b.numbers.front();
  if (one.place.has_value() != other.place.has_value() || one.member != other.member) return false;
  return one.place ? isSame(*one.place, *other.place) : equal(one.number, other.number);
}

/// May each be a variable of its own? What is written meets nothing else, and what is touched may be.
bool areNumbers(const std::vector<ElementTaken> &all) {
  return std::ranges::all_of(all, [&](const ElementTaken &one) {
    const bool isAlone = !one.writes || std::ranges::all_of(all, [&](const ElementTaken &other) {
      return &other == &one || areApart(one, other);
    });
    return isAlone && one.where && (isAlways(one.where) || !one.writes);
  });
}

/// "x" of x[i + 1], "w" of image.w.
std::string plainName(const clang::Expr &element) {
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(&element))
    return member->getMemberDecl()->getNameAsString();
  const clang::DeclRefExpr *base = nullptr;
  const std::function<void(const clang::Stmt *)> find = [&](const clang::Stmt *s) {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s);
    if (base == nullptr && reference != nullptr && llvm::isa<clang::VarDecl>(reference->getDecl())) base = reference;
    for (const clang::Stmt *child : s->children())
      if (base == nullptr && child != nullptr) find(child);
  };
  find(&element);
  return base != nullptr ? base->getDecl()->getNameAsString() : "number";
}

} // namespace

/// What holds of numbers around where the text comes by the element, whatever data say; absent: data decide.
Expr Reader::touchedWhere(const NumberAround &element,
                          const std::map<const clang::ValueDecl *, clang::SourceRange> &changes) {
  if (!element.under) return {};
  Expr all = always();
  for (const auto &[condition, holds] : *element.under) {
    for (const auto &[changedHere, place] : changes)
      if (mentions(condition, *changedHere)) return {};
    const Expr asked = value(condition), one = holds ? asked : Expr::make(Op::Not, {asked});
    all = isAlways(all) ? simplify(one) : simplify(Expr::make(Op::And, {all, one}));
  }
  return all;
}

/// The numbers of a record, or that it is.
std::vector<NumberTaken> Reader::numbersOf(const NumberAround &element) {
  if (!element.isPlace) return {{"", element.where->getType().getUnqualifiedType(), value(element.where), {}}};
  if (!isRecordOfNumbers(element.where->getType())) {
    const Place place = lvalue(element.where);
    return {{"", element.where->getType().getUnqualifiedType(), readAt(place, element.where), place}};
  }
  std::vector<NumberTaken> numbers;
  const std::function<void(const Object &, const clang::CXXRecordDecl &, const std::string &)> collect =
      [&](const Object &object, const clang::CXXRecordDecl &record, const std::string &way) {
        for (const clang::FieldDecl *field : record.fields()) {
          const std::string name = way + "." + field->getNameAsString();
          const Binding found = member(object, *field, rangeOf(element.where));
          if (const Object *inner = std::get_if<Object>(&found)) {
            collect(*inner, *field->getType()->getAsCXXRecordDecl(), name);
          } else if (const Place *place = std::get_if<Place>(&found)) {
            numbers.push_back({name, field->getType(), readAt(*place, element.where), *place});
          } else {
            numbers.push_back({name, field->getType(), std::get<Expr>(found), {}});
          }
        }
      };
  collect(objectOf(element.where), *element.where->getType()->getAsCXXRecordDecl(), "");
  return numbers;
}

/// What makes a record of the parameters for its members, which come in order.
std::string Reader::listOf(const clang::CXXRecordDecl &record, const std::vector<std::string> &parameters,
                           std::size_t &next) const {
  std::string list;
  for (const clang::FieldDecl *field : record.fields()) {
    const clang::CXXRecordDecl *inner = field->getType()->getAsCXXRecordDecl();
    list += (list.empty() ? "" : ", ") + (inner != nullptr ? listOf(*inner, parameters, next) : parameters[next++]);
  }
  return "{" + list + "}";
}

/// Makes the elements that the text touches parameters and results; false: it may not touch one of them, changes which
/// one it is, or two that it sets may be one.
bool Reader::takeElements(const clang::Stmt &s, const NumbersAround &around, OutlinedLoop &loop) {
  const auto changes = changedIn(&s);
  for (const clang::VarDecl *number : around.numbers) {
    Body none;
    declare(*number, none);
    if (!none.empty()) return false;
  }
  std::vector<ElementTaken> taken;
  for (const NumberAround &element : around.elements) {
    if (!isSpelledInMainFile(context, element.where->getSourceRange())) return false;
    for (const auto &[changedHere, place] : changes)
      if (std::ranges::any_of(element.subscripts, [&](const auto *one) { return mentions(one, *changedHere); }) ||
          (!element.isPlace && mentions(element.where, *changedHere)))
        return false;
    ElementTaken one;
    one.numbers = numbersOf(element);
    auto known = std::ranges::find_if(taken, [&](const ElementTaken &other) { return isSame(one, other); });
    if (known == taken.end()) {
      one.told = plainName(*element.where);
      one.name = unusedName(one.told + "_element");
      one.type = element.where->getType().getUnqualifiedType();
      known = taken.insert(known, one);
    }
    known->reads = known->reads || element.reads;
    known->writes = known->writes || element.writes;
    known->where = either(known->where, element.isPlace ? touchedWhere(element, changes) : always());
    loop.renamed[rangeOf(element.where).begin] = {rangeOf(element.where).end, known->name};
  }
  return areNumbers(taken) &&
         std::ranges::all_of(taken, [&](const ElementTaken &one) { return take(one, rangeOf(&s), loop); });
}

/// Makes one element parameters and results.
bool Reader::take(const ElementTaken &one, const SourceRange &where, OutlinedLoop &loop) {
  const clang::CXXRecordDecl *record = one.type->getAsCXXRecordDecl();
  std::vector<std::string> parameters;
  for (const NumberTaken &part : one.numbers) {
    std::string name = one.name + part.member;
    std::replace(name.begin(), name.end(), '.', '_');
    parameters.push_back(record != nullptr ? unusedName(name) : name);
    if (one.reads)
      loop.take(given(readWhere(one.where, part.number), part.type, where),
                spelled(part.type) + " " + parameters.back());
    if (!one.writes) continue;
    if (!part.place || arrayNamed(part.place->array).isConst || !isResult(part.type)) return false;
    loop.left.push_back({parameters.back(), part.type, nullptr, *part.place, one.name + part.member, one.told});
  }
  std::size_t next = 0;
  if (record != nullptr || !one.reads)
    loop.own +=
        "  " + spelled(one.type) + " " + one.name + (one.reads ? listOf(*record, parameters, next) : "{}") + ";\n";
  return true;
}

} // namespace polymend
