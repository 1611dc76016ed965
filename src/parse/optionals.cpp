// std::optional, std::pair and std::tuple -> objects by what the standard says of them: an optional is a truth and a
// value, which is read where the truth holds alone, a tuple is its elements. An optional without a value has the truth
// as its only member. What a value becomes when it is kept in one is said where the types differ; narrowing is refused.
#include "optionals.h"
#include "algorithms.h"
#include "complex.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include "polymend/element_types.h"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

/// The specialisation of a template of the standard that a type is; null: it is none of that name.
const clang::ClassTemplateSpecializationDecl *standardInstance(clang::QualType type, llvm::StringRef name) {
  if (type.isNull()) return nullptr;
  const auto *record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  return record != nullptr && record->isInStdNamespace() && record->getName() == name && record->hasDefinition()
             ? record
             : nullptr;
}

bool isOfType(const clang::Expr &e, llvm::StringRef name) {
  const clang::CXXRecordDecl *record = e.getType().getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->isInStdNamespace() && record->getName() == name;
}

/// A record of such members that stands for a class of the standard.
std::vector<const clang::FieldDecl *> standIns(const clang::CXXRecordDecl &standard,
                                               const std::vector<std::pair<std::string, clang::QualType>> &members) {
  auto &record = const_cast<clang::CXXRecordDecl &>(*standard.getDefinition());
  clang::ASTContext &context = record.getASTContext();
  clang::IdentifierInfo &name = context.Idents.get("polymend_members");
  const auto fieldsIn = [](const clang::CXXRecordDecl &made) {
    return std::vector<const clang::FieldDecl *>(made.field_begin(), made.field_end());
  };
  for (clang::NamedDecl *known : record.lookup(&name))
    if (const auto *made = llvm::dyn_cast<clang::CXXRecordDecl>(known)) return fieldsIn(*made);
  auto *made = clang::CXXRecordDecl::Create(context, clang::TagTypeKind::Struct, &record, record.getLocation(),
                                            record.getLocation(), &name);
  made->setAccess(clang::AS_public);
  made->startDefinition();
  for (const auto &[member, type] : members) {
    auto *field =
        clang::FieldDecl::Create(context, made, record.getLocation(), record.getLocation(), &context.Idents.get(member),
                                 type.getUnqualifiedType(), nullptr, nullptr, false, clang::ICIS_NoInit);
    field->setAccess(clang::AS_public);
    made->addDecl(field);
  }
  made->completeDefinition();
  record.addDecl(made);
  return fieldsIn(*made);
}

/// Whether an optional has a value, and the value.
std::vector<const clang::FieldDecl *> fieldsOfOptional(clang::QualType type) {
  const auto *record = standardInstance(type, "optional");
  if (record == nullptr) return {};
  return standIns(*record,
                  {{"has_value", record->getASTContext().BoolTy}, {"value", record->getTemplateArgs()[0].getAsType()}});
}

/// The arguments that the source says.
std::vector<const clang::Expr *> saidIn(const clang::CXXConstructExpr &made) {
  std::vector<const clang::Expr *> said;
  for (const clang::Expr *one : made.arguments())
    if (!llvm::isa<clang::CXXDefaultArgExpr>(one)) said.push_back(one);
  return said;
}

/// What a call asks of an optional, or of a tuple.
struct QuestionOfValue {
  enum class What { Nothing, IsThere, IsMissing, Value, ValueChecked, ValueOr, Element } what = What::Nothing;
  const clang::Expr *object = nullptr, *otherwise = nullptr;
  unsigned number = 0;
};

QuestionOfValue questionIn(const clang::CallExpr &call) {
  using What = QuestionOfValue::What;
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee == nullptr || call.getNumArgs() > 2) return {};
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  if (member != nullptr) {
    const clang::Expr *object = member->getImplicitObjectArgument();
    if (!isOptional(object->IgnoreParenImpCasts()->getType())) return {};
    if (llvm::isa<clang::CXXConversionDecl>(callee) && call.getType()->isBooleanType()) return {What::IsThere, object};
    const std::string name = callee->getDeclName().isIdentifier() ? callee->getNameAsString() : "";
    if (name == "has_value") return {What::IsThere, object};
    if (name == "value") return {What::ValueChecked, object};
    if (name == "value_or" && call.getNumArgs() == 1) return {What::ValueOr, object, call.getArg(0)};
    return {};
  }
  if (operation != nullptr && operation->getNumArgs() == 1 && isOptional(operation->getArg(0)->getType()) &&
      (operation->getOperator() == clang::OO_Star || operation->getOperator() == clang::OO_Arrow))
    return {What::Value, operation->getArg(0)};
  if (operation != nullptr && operation->getNumArgs() == 2 &&
      (operation->getOperator() == clang::OO_EqualEqual || operation->getOperator() == clang::OO_ExclaimEqual)) {
    const bool isFirst = isOptional(operation->getArg(0)->getType());
    const clang::Expr *object = operation->getArg(isFirst ? 0 : 1), *other = operation->getArg(isFirst ? 1 : 0);
    if (!isOptional(object->getType()) || !isOfType(*other, "nullopt_t")) return {};
    return {operation->getOperator() == clang::OO_EqualEqual ? What::IsMissing : What::IsThere, object};
  }
  if (call.getNumArgs() == 1 && callee->isInStdNamespace() && callee->getDeclName().isIdentifier() &&
      callee->getName() == "get" && callee->getTemplateSpecializationArgs() != nullptr &&
      callee->getTemplateSpecializationArgs()->size() > 0 && !fieldsOfTuple(call.getArg(0)->getType()).empty()) {
    const clang::TemplateArgument &which = callee->getTemplateSpecializationArgs()->get(0);
    if (which.getKind() == clang::TemplateArgument::Integral)
      return {What::Element, call.getArg(0), nullptr, static_cast<unsigned>(which.getAsIntegral().getZExtValue())};
  }
  return {};
}

} // namespace

bool isOptional(clang::QualType type) { return standardInstance(type, "optional") != nullptr; }

std::vector<const clang::FieldDecl *> fieldsOfTuple(clang::QualType type) {
  if (const auto *pair = standardInstance(type, "pair")) return {pair->field_begin(), pair->field_end()};
  const auto *tuple = standardInstance(type, "tuple");
  if (tuple == nullptr || tuple->getTemplateArgs().size() != 1 ||
      tuple->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Pack)
    return {};
  std::vector<std::pair<std::string, clang::QualType>> members;
  for (const clang::TemplateArgument &one : tuple->getTemplateArgs()[0].pack_elements()) {
    if (one.getKind() != clang::TemplateArgument::Type || one.getAsType()->isReferenceType()) return {};
    members.emplace_back("part" + std::to_string(members.size()), one.getAsType());
  }
  return standIns(*tuple, members);
}

std::vector<const clang::FieldDecl *> fieldsOf(clang::QualType type) {
  if (isOptional(type)) return fieldsOfOptional(type);
  if (auto fields = fieldsOfTuple(type); !fields.empty()) return fields;
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) return {};
  if (isComplex(type)) {
    const clang::CXXRecordDecl *pair = pairOf(*record);
    return {pair->field_begin(), pair->field_end()};
  }
  if (record->isInStdNamespace() || record->isUnion() || record->isLambda() || record->isPolymorphic() ||
      record->getNumVBases() != 0)
    return {};
  std::vector<const clang::FieldDecl *> fields;
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    const clang::CXXRecordDecl *inner = base.getType()->getAsCXXRecordDecl();
    if (inner == nullptr) return {};
    const auto more = fieldsOf(base.getType());
    if (more.empty() && !inner->isEmpty()) return {};
    fields.insert(fields.end(), more.begin(), more.end());
  }
  for (const clang::FieldDecl *field : record->fields()) {
    if (field->isAnonymousStructOrUnion() || field->isBitField() || field->isMutable() ||
        field->getType()->isReferenceType() || field->getType().isVolatileQualified())
      return {};
    fields.push_back(field);
  }
  return fields;
}

bool endsSilently(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->hasTrivialDestructor()) return true;
  if (record->isInStdNamespace()) {
    const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    return instance == nullptr ||
           std::all_of(instance->getTemplateArgs().asArray().begin(), instance->getTemplateArgs().asArray().end(),
                       [](const clang::TemplateArgument &one) {
                         return one.getKind() != clang::TemplateArgument::Type || one.getAsType()->isPointerType() ||
                                endsSilently(one.getAsType());
                       });
  }
  const clang::CXXDestructorDecl *ends = record->getDestructor();
  const clang::FunctionDecl *written = nullptr;
  if (ends != nullptr && ends->isUserProvided()) {
    const auto *body = ends->hasBody(written) ? llvm::dyn_cast<clang::CompoundStmt>(written->getBody()) : nullptr;
    if (body == nullptr || !body->body_empty()) return false;
  }
  return std::all_of(record->bases_begin(), record->bases_end(),
                     [](const clang::CXXBaseSpecifier &base) { return endsSilently(base.getType()); }) &&
         std::all_of(record->field_begin(), record->field_end(),
                     [](const clang::FieldDecl *field) { return endsSilently(field->getType()); });
}

/// A value of a type of numbers, as which another one is kept: what a conversion leaves as it is, or rounds.
Expr Reader::madeAs(clang::QualType type, const clang::Expr &given) {
  const SourceRange where = rangeOf(&given);
  const clang::QualType from = given.getType().getNonReferenceType();
  Expr number = simplify(value(&given));
  if (context.hasSameUnqualifiedType(from, type)) return number;
  const auto refuseOther = [&] {
    refuse("a value of type '" + from.getAsString() + "' becomes one of type '" + type.getAsString() +
               "' as it is kept: say so by a cast",
           where);
  };
  const auto kind = valueType(type);
  if (!kind || type->isBooleanType() || from->isBooleanType()) refuseOther();
  if (isFloating(*kind)) {
    if (!from->isFloatingType() && isWord(from)) refuseOther();
    return convert(number, *kind, where);
  }
  if (!from->isIntegerType() || !type->isIntegerType()) refuseOther();
  const Interval all = limitsOf(type), own = limitsOf(from);
  const bool widens = holds(all, own);
  const bool isWithin =
      number.op() == Op::Integer && widthOf(type) < 64 && all.least <= number->integer && number->integer <= all.most;
  if (!widens && !isWithin) refuseOther();
  return number;
}

/// What a member of such an object is where `given` is kept in it.
void Reader::bindPart(const clang::FieldDecl &field, const clang::Expr &given, const SourceRange &where,
                      ObjectFields &fields) {
  if (valueType(field.getType()))
    fields.members[&field] = madeAs(field.getType(), given);
  else if (context.hasSameUnqualifiedType(field.getType(), given.getType().getNonReferenceType()))
    bindMember(field, &given, where, fields);
  else
    refuse("a value of type '" + given.getType().getAsString() + "' becomes one of type '" +
               field.getType().getAsString() + "' as it is kept: say so by a cast",
           where);
}

/// An optional of the type with what is given as its value; null, or std::nullopt: without one.
Object Reader::optionalOf(clang::QualType type, const clang::Expr *given, const SourceRange &where) {
  const bool isEmpty = given == nullptr || isOfType(*given, "nullopt_t");
  Object object{"", "", type.getUnqualifiedType(), {}, true, "", {}, {}};
  const auto parts = fieldsOf(type);
  const auto fields = std::make_shared<ObjectFields>();
  fields->members[parts[0]] = Expr::integer(isEmpty ? 0 : 1, Type::Bool);
  if (!isEmpty) bindPart(*parts[1], *given, where, *fields);
  object.local = fields;
  return object;
}

/// An optional that is made of a value, of none, or of another one; absent: another object.
std::optional<Object> Reader::optionalMade(const clang::Expr *expression) {
  const clang::Expr *e = withoutConversions(expression);
  if (!isOptional(e->getType()) || e->isGLValue()) return std::nullopt;
  const clang::QualType type = e->getType();
  const SourceRange where = rangeOf(e);
  std::vector<const clang::Expr *> said;
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e))
    said = saidIn(*made);
  else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
           call != nullptr && algorithmOf(*call) == "make_optional" && call->getNumArgs() == 1)
    said = {call->getArg(0)};
  else if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(e); list != nullptr && list->getNumInits() < 2)
    said.assign(list->inits().begin(), list->inits().end());
  else
    return std::nullopt;
  if (said.size() > 1) refuse("an optional that is made in this way is not supported", where);
  if (said.size() == 1 && isOptional(said[0]->getType())) {
    if (!context.hasSameUnqualifiedType(said[0]->getType().getNonReferenceType(), type))
      refuse("an optional becomes one of another type: say its value by a cast", where);
    return objectOf(said[0]);
  }
  Object object = optionalOf(type, said.empty() ? nullptr : said[0], where);
  object.isTemporary = true;
  return object;
}

/// A pair or a tuple that is made of its elements, or of zeros; absent: another object.
std::optional<Object> Reader::tupleMade(const clang::Expr *expression) {
  const clang::Expr *e = withoutConversions(expression);
  const auto parts = fieldsOfTuple(e->getType());
  if (parts.empty() || e->isGLValue()) return std::nullopt;
  const SourceRange where = rangeOf(e);
  std::vector<const clang::Expr *> said;
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e);
  if (made != nullptr)
    said = saidIn(*made);
  else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
           call != nullptr && (algorithmOf(*call) == "make_pair" || algorithmOf(*call) == "make_tuple"))
    said.assign(call->arg_begin(), call->arg_end());
  else
    return std::nullopt;
  if (said.size() == 1 && context.hasSameUnqualifiedType(said[0]->getType().getNonReferenceType(), e->getType()))
    return objectOf(said[0]);
  if (!said.empty() && said.size() != parts.size())
    refuse("a pair or a tuple that is made in this way is not supported", where);
  Object object{"", "", e->getType().getUnqualifiedType(), {}, true, "", {}, {}};
  object.isTemporary = true;
  const auto fields = std::make_shared<ObjectFields>();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto kind = valueType(parts[k]->getType());
    if (!said.empty())
      bindPart(*parts[k], *said[k], where, *fields);
    else if (kind)
      fields->members[parts[k]] = isFloating(*kind) ? Expr::real(0, *kind) : Expr::integer(0, *kind);
    else
      refuse("a pair or a tuple that is made in this way is not supported", where);
  }
  object.local = fields;
  return object;
}

/// The value of an optional, or the element of a tuple, that a call asks for; absent: another call.
std::optional<Reader::Binding> Reader::partAsked(const clang::CallExpr &call) {
  using What = QuestionOfValue::What;
  const QuestionOfValue asked = questionIn(call);
  if (asked.what != What::Value && asked.what != What::ValueChecked && asked.what != What::Element &&
      !(asked.what == What::ValueOr && call.getType()->isRecordType()))
    return std::nullopt;
  const SourceRange where = rangeOf(&call);
  const Object object = objectOf(asked.object);
  if (!object.local) refuse("an optional, pair or tuple of this place is not supported", where);
  const auto fields = asked.what == What::Element ? fieldsOfTuple(object.type) : fieldsOf(object.type);
  const std::size_t number = asked.what == What::Element ? asked.number : 1;
  const auto found = number < fields.size() ? object.local->members.find(fields[number]) : object.local->members.end();
  const auto isThere = [&] { return simplify(numberIn(object.local->members.at(fields[0]), call)); };
  if (asked.what == What::ValueOr) {
    Object otherwise = objectOf(asked.otherwise);
    if (found == object.local->members.end()) return otherwise;
    const Expr has = isThere();
    const auto *kept = std::get_if<Object>(&found->second);
    if (kept == nullptr) refuse("an object of class type is not supported", where);
    if (has.op() == Op::Integer) return has->integer != 0 ? *kept : otherwise;
    return eitherObject(has, *kept, otherwise, call);
  }
  if (found == object.local->members.end()) refuse("an optional without a value is read", where);
  if (asked.what == What::ValueChecked && isThere().op() != Op::Integer)
    refuse("'value' throws where there is none: ask whether there is one, and read it by *", where);
  return found->second;
}

/// The number that a call asks of an optional or a tuple; absent: another call.
Expr Reader::numberAskedOf(const clang::CallExpr &call) {
  using What = QuestionOfValue::What;
  const QuestionOfValue asked = questionIn(call);
  if (asked.what == What::Nothing || call.getType().getNonReferenceType()->isRecordType()) return {};
  if (asked.what == What::Value || asked.what == What::ValueChecked || asked.what == What::Element)
    return numberIn(*partAsked(call), call);
  const Object object = objectOf(asked.object);
  if (!object.local) refuse("an optional of this place is not supported", rangeOf(&call));
  const auto fields = fieldsOf(object.type);
  Expr has = simplify(numberIn(object.local->members.at(fields[0]), call));
  if (asked.what == What::IsThere) return has;
  if (asked.what == What::IsMissing) return simplify(Expr::make(Op::Not, Type::Bool, {has}));
  Expr otherwise = madeAs(fields[1]->getType(), *asked.otherwise);
  const auto found = object.local->members.find(fields[1]);
  if (found == object.local->members.end() || (has.op() == Op::Integer && has->integer == 0)) return otherwise;
  const Expr kept = numberIn(found->second, call);
  return has.op() == Op::Integer ? kept : choose(has, kept, convert(otherwise, kept.type(), rangeOf(&call)));
}

/// `o = x`, `o = std::nullopt`, `o.reset()` and `o.emplace(x)` of an optional that the function has; false: another
/// call.
bool Reader::changesOptional(const clang::CallExpr &call, Body &out) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const bool assigns =
      operation != nullptr && operation->getOperator() == clang::OO_Equal && operation->getNumArgs() == 2;
  const std::string name =
      member != nullptr && callee != nullptr && callee->getDeclName().isIdentifier() ? callee->getNameAsString() : "";
  const bool emplaces = name == "emplace" && call.getNumArgs() == 1;
  const clang::Expr *kept = assigns                                              ? operation->getArg(0)
                            : member != nullptr && (emplaces || name == "reset") ? member->getImplicitObjectArgument()
                                                                                 : nullptr;
  if (kept == nullptr || !isOptional(kept->IgnoreParenImpCasts()->getType())) return false;
  const auto target = known(kept);
  if (!target || !target->local) return false;
  const SourceRange where = rangeOf(&call);
  const clang::Expr *given = assigns ? operation->getArg(1) : emplaces ? call.getArg(0) : nullptr;
  Object made;
  if (given != nullptr && isOptional(given->getType())) {
    made = objectOf(given);
    if (!context.hasSameUnqualifiedType(made.type.getNonReferenceType(), target->type.getNonReferenceType()))
      refuse("an optional becomes one of another type: say its value by a cast", where);
  } else {
    made = optionalOf(target->type, given, where);
  }
  if (!made.local) refuse("an optional of this place is not supported", where);
  assignMembers(*target, readsNoneOf(made, *target) ? made : ownCopy(made, "held", where, out), call, out);
  return true;
}

/// `std::tie(a, b) = f()`; false: another call.
bool Reader::assignsTied(const clang::CallExpr &call, Body &out) {
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  if (operation == nullptr || operation->getOperator() != clang::OO_Equal || operation->getNumArgs() != 2) return false;
  const auto *tied = llvm::dyn_cast<clang::CallExpr>(withoutConversions(operation->getArg(0)));
  if (tied == nullptr || algorithmOf(*tied) != "tie") return false;
  const auto parts = fieldsOfTuple(operation->getArg(1)->getType());
  const SourceRange where = rangeOf(&call);
  if (parts.size() != tied->getNumArgs()) refuse("this assignment to variables tied together is not supported", where);
  const Object given = objectOf(operation->getArg(1));
  if (!given.local) refuse("this assignment to variables tied together is not supported", where);
  const Object held = ownCopy(given, "tied", where, out);
  for (unsigned k = 0; k < tied->getNumArgs(); ++k) {
    const clang::Expr *target = tied->getArg(k);
    if (isOfType(*target, "_Swallow_assign") || isOfType(*target, "__ignore_t")) continue;
    if (!context.hasSameUnqualifiedType(target->getType(), parts[k]->getType()) || !elementType(target->getType()) ||
        followedIn(target) != nullptr || isCounting(*target))
      refuse("this assignment to variables tied together is not supported", where);
    const Place place = lvalue(target);
    const Array array = wholeElement(place, target);
    if (array.isConst) refuse("'" + array.name + "' is const and is written", where);
    if (!isFloating(array.type)) writtenIntegers.insert({array.name, where});
    put(place, storedIn(array, numberIn(held.local->members.at(parts[k]), call), where), where, out);
  }
  return true;
}

} // namespace polymend
