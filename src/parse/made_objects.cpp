// Objects that a function makes: of lists of values, and by constructors, whose initialisers run one behind the other
// and before their statements. The members of a base are members of the class. A class whose destructor does something
// is refused, as nothing is said of where it runs.
#include "algorithms.h"
#include "optionals.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <clang/AST/RecordLayout.h>

#include <algorithm>
#include <utility>

namespace polymend {

/// A member of an object that is being made.
void Reader::bindMember(const clang::FieldDecl &field, const clang::Expr *given, const SourceRange &where,
                        ObjectFields &fields) {
  const clang::QualType type = field.getType();
  const bool isArray = !lengthsOf(type, context).empty();
  if (type->isReferenceType() || given == nullptr)
    refuse("member '" + field.getNameAsString() + "' is made in a way that is not supported", where);
  if (changed.contains(&field) && !valueType(type) && !isArray && fieldsOf(type).empty())
    refuse("member '" + field.getNameAsString() + "' of a local object is changed", where);
  if (isArray) {
    fields.members[&field] = arrayMember(field.getNameAsString(), type, given, where);
  } else if (type->isPointerType() && !type->getPointeeType()->isRecordType())
    fields.members[&field] = pointer(given);
  else if (type->isRecordType() || type->isPointerType()) {
    Object part = objectOf(given);
    if (holdsArrays(part) && !part.isTemporary && type->isRecordType()) {
      if (sink == nullptr) refuse("this object needs statements of its own, where none can stand", where);
      part = ownCopy(part, field.getNameAsString(), where, *sink);
    }
    part.isTemporary = false;
    fields.members[&field] = part;
  } else if (valueType(type))
    fields.members[&field] = simplify(value(given));
  else
    refuse("member '" + field.getNameAsString() + "' has the unsupported type '" + type.getAsString() + "'", where);
}

/// What a local object is made of: a list of values, or a constructor.
Object Reader::constructed(const clang::Expr *init) {
  if (auto made = optionalMade(init)) return *made;
  if (auto made = tupleMade(init)) return *made;
  const clang::Expr *e = bare(init);
  const SourceRange where = rangeOf(e);
  if (e->getType()->isRecordType() && !endsSilently(e->getType()))
    refuse("a destructor runs where this ends, which is not supported", where);
  Object object{"", "", e->getType(), {}, true, "", {}, {}};
  object.isTemporary = true;
  const auto fields = std::make_shared<ObjectFields>();
  object.local = fields;
  const auto *list = llvm::dyn_cast<clang::InitListExpr>(e);
  const auto *inParens = llvm::dyn_cast<clang::CXXParenListInitExpr>(e);
  if ((list != nullptr || inParens != nullptr) && e->getType()->isRecordType()) {
    const clang::CXXRecordDecl *record = e->getType()->getAsCXXRecordDecl();
    if (record->isUnion()) refuse("an object of class type is not supported", where);
    const std::vector<const clang::Expr *> given =
        list != nullptr
            ? std::vector<const clang::Expr *>(list->inits().begin(), list->inits().end())
            : std::vector<const clang::Expr *>(inParens->getInitExprs().begin(), inParens->getInitExprs().end());
    std::size_t i = 0;
    for (const clang::CXXBaseSpecifier &base : record->bases()) {
      if (i >= given.size()) break;
      baseOf(base.getType(), *given[i++], where, *fields);
    }
    for (const clang::FieldDecl *field : record->fields()) {
      if (i >= given.size()) break;
      const auto *later = llvm::dyn_cast_or_null<clang::CXXDefaultInitExpr>(given[i]);
      const std::optional<Object> outer = self;
      if (later != nullptr) self = object; // what the member says of others is of those beside it
      bindMember(*field, later != nullptr ? later->getExpr() : given[i], where, *fields);
      self = outer;
      ++i;
    }
    return object;
  }
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e);
  if (const auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(e))
    made = llvm::dyn_cast<clang::CXXConstructExpr>(cast->getSubExpr()->IgnoreImplicit());
  const clang::CXXConstructorDecl *constructor = made != nullptr ? made->getConstructor() : nullptr;
  const clang::FunctionDecl *written = nullptr;
  if (constructor != nullptr && made->getNumArgs() == 0 && constructor->isTrivial() &&
      openMembers(*constructor->getParent(), *fields, where))
    return object;
  if (constructor == nullptr || constructor->isInStdNamespace() || !constructor->hasBody(written))
    refuse("an object of class type is not supported", where);
  return constructedBy(*made, *llvm::cast<clang::CXXConstructorDecl>(written), where);
}

/// The members of a base, as if they were those of the class.
void Reader::baseOf(clang::QualType type, const clang::Expr &given, const SourceRange &where, ObjectFields &fields) {
  if (fieldsOf(type).empty()) {
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (record == nullptr || !record->isEmpty() || given.HasSideEffects(context))
      refuse("a class with such a base is not supported", where);
    return;
  }
  const Object base = objectOf(&given);
  if (!base.local || (holdsArrays(base) && !base.isTemporary))
    refuse("a class with such a base is not supported", where);
  for (const auto &[field, member] : base.local->members) fields.members[field] = member;
}

/// What a constructor makes: its initialisers one behind the other, and then what its statements do.
Object Reader::constructedBy(const clang::CXXConstructExpr &made, const clang::CXXConstructorDecl &constructor,
                             const SourceRange &where) {
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(constructor.getBody());
  if (body == nullptr) refuse("a constructor that is a try block is not supported", where);
  constexpr std::size_t deepest = 8;
  if (calls.size() >= deepest) refuse("constructors nest too deeply", where);
  const bool runs = !body->body_empty();
  if (runs && sink == nullptr) refuse("this object needs statements of its own, where none can stand", where);
  if (runs) {
    std::set<const clang::FunctionDecl *> seen;
    changesByMembers(body, seen);
    for (const auto &change : changedIn(body)) changed.insert(change);
  }
  const clang::CXXRecordDecl &record = *constructor.getParent();
  Object object{"", "", made.getType(), {}, true, "", {}, {}};
  object.isTemporary = true;
  const auto fields = std::make_shared<ObjectFields>();
  object.local = fields;
  Bindings given, around;
  for (unsigned i = 0; i < made.getNumArgs() && i < constructor.getNumParams(); ++i)
    given[constructor.getParamDecl(i)] = argument(*constructor.getParamDecl(i), *made.getArg(i), runs);
  for (const auto &[parameter, binding] : given) {
    if (const auto before = bindings.find(parameter); before != bindings.end()) around[parameter] = before->second;
    bindings[parameter] = binding;
  }
  const auto putParametersBack = [&] {
    for (const auto &[parameter, binding] : given) bindings.erase(parameter);
    for (const auto &[parameter, binding] : around) bindings[parameter] = binding;
  };
  const std::optional<Object> outer = std::exchange(self, object);
  for (const clang::CXXCtorInitializer *part : constructor.inits()) {
    if (part->isBaseInitializer())
      baseOf(clang::QualType(part->getBaseClass(), 0), *part->getInit(), where, *fields);
    else if (part->isMemberInitializer()) {
      const auto *later = llvm::dyn_cast<clang::CXXDefaultInitExpr>(part->getInit());
      bindMember(*part->getMember(), later != nullptr ? later->getExpr() : part->getInit(), where, *fields);
    } else
      refuse("a constructor that makes its object in this way is not supported", where);
  }
  self = outer;
  if (made.getNumArgs() == 0 || runs) openMembers(record, *fields, where);
  if (!runs) {
    putParametersBack();
    return object;
  }
  Body &out = *sink;
  object = ownCopy(object, record.getNameAsString(), where, out);
  self = object;
  const auto outerPlace = std::exchange(resultPlace, std::nullopt);
  const auto outerObject = std::exchange(resultObject, std::nullopt);
  const auto outerLeaving = std::exchange(leaving, std::nullopt);
  const bool outerReturns = std::exchange(returnsEarly, false);
  calls.push_back(where);
  turn({body->body_begin(), body->body_end()}, Until::Return, out);
  calls.pop_back();
  returnsEarly = outerReturns;
  leaving = outerLeaving;
  resultObject = outerObject;
  resultPlace = outerPlace;
  sink = &out;
  self = outer;
  putParametersBack();
  object.isTemporary = true;
  return object;
}

/// Notes the members of objects that functions which the statement calls change, and those which these call.
void Reader::changesByMembers(const clang::Stmt *s, std::set<const clang::FunctionDecl *> &seen) {
  if (s == nullptr) return;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(s)) {
    const clang::FunctionDecl *callee = call->getDirectCallee(), *body = nullptr;
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (method != nullptr && !method->isConst() && !method->getParent()->isInStdNamespace() &&
        !method->getParent()->isLambda() && method->hasBody(body) && seen.insert(body).second) {
      for (const auto &[declared, place] : changedIn(body->getBody()))
        if (llvm::isa<clang::FieldDecl>(declared)) changed.insert({declared, place});
      changesByMembers(body->getBody(), seen);
    }
  }
  for (const clang::Stmt *child : s->children()) changesByMembers(child, seen);
}

/// Variables, with zeros, for what an object of the type has; absent: it has other things than numbers.
std::optional<Object> Reader::openObject(clang::QualType type, const std::string &name, const SourceRange &where) {
  const auto all = fieldsOf(type);
  if (all.empty() || sink == nullptr) return std::nullopt;
  const auto fields = std::make_shared<ObjectFields>();
  for (const clang::FieldDecl *field : all) {
    const clang::QualType own = field->getType();
    const std::string called = name + "_" + field->getNameAsString();
    const auto kind = memberType(own);
    if (!lengthsOf(own, context).empty()) {
      if (!elementType(scalarIn(own, context))) return std::nullopt;
      const Place place = arrayMember(called, own, nullptr, where);
      fill(Array(arrayNamed(place.array)), where, *sink);
      fields->members[field] = place;
    } else if (kind) {
      const Place place = variableFor(called, *kind, where);
      if (isWord(own)) unsignedWide.insert(place.array);
      put(place, isFloating(*kind) ? Expr::real(0, *kind) : Expr::integer(0, *kind), where, *sink);
      fields->members[field] = place;
    } else if (auto inner = own->isRecordType() ? openObject(own, called, where) : std::nullopt) {
      fields->members[field] = *inner;
    } else {
      return std::nullopt;
    }
  }
  Object object{"", "", type.getUnqualifiedType(), {}, true, "", {}, {}};
  object.local = fields;
  return object;
}

/// An object of the function's arguments as one of places that are its members.
Object Reader::localOf(const Object &object, const SourceRange &where) {
  const auto all = fieldsOf(object.type);
  if (object.local || all.empty() || object.prefix.empty() || isContainer(object)) return object;
  const auto fields = std::make_shared<ObjectFields>();
  for (const clang::FieldDecl *field : all) {
    if (field->getParent()->getCanonicalDecl() !=
        object.type.getNonReferenceType()->getAsCXXRecordDecl()->getCanonicalDecl())
      return object;
    Binding part = member(object, *field, where);
    if (Object *inner = std::get_if<Object>(&part); inner != nullptr && field->getType()->isRecordType())
      part = localOf(*inner, where);
    fields->members[field] = part;
  }
  Object result{"", "", object.type.getUnqualifiedType(), {}, true, "", {}, {}};
  result.local = fields;
  return result;
}

/// `(&x)[i]` of members of one type that lie behind each other: the one that i says; absent: another expression.
std::optional<Reader::Binding> Reader::memberAlong(const clang::ArraySubscriptExpr &expression) {
  const auto *address = llvm::dyn_cast<clang::UnaryOperator>(expression.getBase()->IgnoreParenImpCasts());
  const auto *access = address != nullptr && address->getOpcode() == clang::UO_AddrOf
                           ? llvm::dyn_cast<clang::MemberExpr>(address->getSubExpr()->IgnoreParens())
                           : nullptr;
  const auto *first = access != nullptr ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl()) : nullptr;
  const auto *record = first != nullptr ? llvm::dyn_cast<clang::CXXRecordDecl>(first->getParent()) : nullptr;
  if (record == nullptr || record->isUnion() || !valueType(first->getType()) || first->isBitField())
    return std::nullopt;
  const SourceRange where = rangeOf(&expression);
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(record);
  const std::uint64_t width = context.getTypeSize(first->getType()),
                      start = layout.getFieldOffset(first->getFieldIndex());
  std::vector<const clang::FieldDecl *> run;
  for (const clang::FieldDecl *field : record->fields()) {
    if (field->getFieldIndex() < first->getFieldIndex()) continue;
    if (field->isBitField() || !context.hasSameUnqualifiedType(field->getType(), first->getType()) ||
        layout.getFieldOffset(field->getFieldIndex()) != start + run.size() * width)
      break;
    run.push_back(field);
  }
  const Expr at = subscript(expression.getIdx());
  const auto last = static_cast<std::int64_t>(run.size()) - 1;
  const bool isWithin = isNonNegative(at, knowledge) && isNonNegative(simplify(Expr::integer(last) - at), knowledge);
  if (!isWithin) refuse("which member '(&" + first->getNameAsString() + ")[...]' is, is not known", where);
  const auto object = known(access->getBase());
  if (!object) return std::nullopt;
  const clang::QualType base = access->getBase()->getType();
  const auto element = access->isArrow() ? pointedElement(*object, base->getPointeeType(), where) : std::nullopt;
  const auto named = [&](std::int64_t k) {
    return member(element ? *element : *object, *run[static_cast<std::size_t>(k)], where);
  };
  if (at.op() == Op::Integer) return named(at->integer);
  const Binding any = named(0);
  if (const Place *place = std::get_if<Place>(&any); place != nullptr && !place->subscripts.empty())
    return std::nullopt; // in a row, whose next elements the others are
  Expr chosen = numberIn(named(last), expression);
  for (std::int64_t k = last - 1; k >= 0; --k)
    chosen =
        choose(Expr::make(Op::Eq, Type::Bool, {at, Expr::integer(k)}, where), numberIn(named(k), expression), chosen);
  return chosen;
}

/// Gives an object that is made without values variables and arrays for the members that have none yet; false: some
/// members are of other kinds.
bool Reader::openMembers(const clang::CXXRecordDecl &record, ObjectFields &fields, const SourceRange &where) {
  const auto isShared = [](const clang::FieldDecl *field) { return field->isAnonymousStructOrUnion(); };
  if (record.isUnion() || std::any_of(record.field_begin(), record.field_end(), isShared)) return false;
  for (const clang::CXXBaseSpecifier &base : record.bases())
    if (const clang::CXXRecordDecl *inner = base.getType()->getAsCXXRecordDecl(); inner != nullptr && !inner->isEmpty())
      if (inner->isInStdNamespace() || base.isVirtual() || !openMembers(*inner, fields, where)) return false;
  for (const clang::FieldDecl *field : record.fields()) {
    if (fields.members.contains(field)) continue;
    const clang::QualType type = field->getType();
    const std::string name = field->getNameAsString();
    const auto kind = memberType(type);
    if (!lengthsOf(type, context).empty() && elementType(scalarIn(type, context)) && sink != nullptr) {
      fields.members[field] = arrayMember(name, type, nullptr, where);
    } else if (kind && !type->isBooleanType()) {
      const Place place = variableFor(name, *kind, where);
      if (!isFloating(*kind)) writtenIntegers.insert({place.array, where});
      fields.members[field] = place;
    } else if (const auto *inner = type->getAsCXXRecordDecl();
               inner != nullptr && !inner->isInStdNamespace() && !inner->isUnion() && !inner->isEmpty()) {
      const auto parts = std::make_shared<ObjectFields>();
      if (!openMembers(*inner, *parts, where)) return false;
      Object nested{"", "", type, {}, true, "", {}, {}};
      nested.local = parts;
      fields.members[field] = nested;
    } else {
      return false;
    }
  }
  return !record.isEmpty();
}

void Reader::declareObject(const clang::VarDecl &variable, Body &out) {
  const SourceRange where = rangeOf(variable.getSourceRange());
  if (!variable.hasInit() || variable.isStaticLocal())
    refuse("an object of class type is not supported: '" + variable.getNameAsString() + "'", where);
  if (variable.getType()->isRecordType() && !endsSilently(variable.getType()))
    refuse("a destructor runs where '" + variable.getNameAsString() + "' ends, which is not supported", where);
  const std::string name = llvm::isa<clang::DecompositionDecl>(variable) ? "parts" : variable.getNameAsString();
  const bool isCopied = !variable.getType()->isPointerType();
  const bool outer = std::exchange(readsAtOnce, isCopied); // what is not copied is held, and stays as it is
  const bool holds = std::exchange(holdsIndices, !isCopied);
  if (changed.contains(&variable) && isCopied) {
    std::set<const clang::FunctionDecl *> seen;
    changesByMembers(homeOf(variable), seen);
  }
  const auto *outerStanding =
      std::exchange(standsAlone, isCopied ? llvm::dyn_cast<clang::CallExpr>(bare(variable.getInit())) : nullptr);
  Object object = objectOf(variable.getInit());
  standsAlone = outerStanding;
  readsAtOnce = outer;
  holdsIndices = holds;
  if (isOptional(variable.getType()) && object.local && changed.contains(&variable)) {
    const auto whole = openObject(variable.getType(), name, where);
    if (!whole) refuse("an optional of this type is not supported", where);
    assignMembers(*whole, object, *variable.getInit(), out);
    object = *whole;
    object.isTemporary = true;
  }
  const bool isOwn = object.local && (!variable.getType().isConstQualified() || needsCopy(object));
  if (variable.getType()->isPointerType())
    bindings[&variable] = object;
  else
    bindings[&variable] = isOwn ? ownCopy(object, name, where, out) : held(object, where);
  if (Object *named = std::get_if<Object>(&bindings.at(&variable))) named->isTemporary = false;
  nameParts(variable);
}

/// What `auto [a, b]` names of a pair or a tuple.
void Reader::nameParts(const clang::VarDecl &variable) {
  const auto *parts = llvm::dyn_cast<clang::DecompositionDecl>(&variable);
  const Object *owned = std::get_if<Object>(&bindings.at(&variable));
  if (parts == nullptr || owned == nullptr || !owned->local) return;
  const ObjectFields fields = *owned->local;
  const auto all = fieldsOfTuple(variable.getType());
  for (unsigned k = 0; k < all.size() && k < parts->bindings().size(); ++k)
    if (const clang::VarDecl *named = parts->bindings()[k]->getHoldingVar())
      bindings[named] = ReaderState::Binding(fields.members.at(all[k]));
}

} // namespace polymend
