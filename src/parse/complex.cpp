// std::complex -> two numbers, by what the standard says of its operations and the library does: sums and differences
// part by part, a factor or divisor that is real applied to both, and a product as C's annex G has it, which is
// infinite where a factor is. A quotient of two complex numbers, and functions that a library computes in ways of its
// own (exp, sqrt, pow), are refused.
#include "complex.h"
#include "algorithms.h"
#include "polymend/complex_parts.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>

namespace polymend {

namespace {

constexpr std::string_view partsName = "polymend_parts";

/// What a call names: "+", "+=", "conj", of a member "real"; empty: nothing of a complex number's.
std::string complexName(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee == nullptr) return "";
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const bool isOwn = method != nullptr && isComplex(callee->getASTContext().getRecordType(method->getParent()));
  const bool isBeside = method == nullptr && callee->isInStdNamespace();
  const auto isOne = [](const clang::Expr *e) { return isComplex(e->getType().getNonReferenceType()); };
  const bool takesOne = std::any_of(call.arg_begin(), call.arg_end(), isOne);
  if (!isOwn && !(isBeside && (takesOne || isComplex(call.getType())))) return "";
  if (const auto kind = callee->getOverloadedOperator(); kind != clang::OO_None)
    return clang::getOperatorSpelling(kind);
  return callee->getDeclName().isIdentifier() ? callee->getNameAsString() : "";
}

/// Does the value read elements of the array other than that at the place?
bool readsBeside(const Expr &value, const std::string &array, const Place &place) {
  bool found = false;
  visit(value, [&](const Expr &node) {
    if (node.op() != Op::Read || node->name != array) return;
    found = found || place.array != array ||
            !std::equal(node->args.begin(), node->args.end(), place.subscripts.begin(), place.subscripts.end(), equal);
  });
  return found;
}

} // namespace

bool isComplex(clang::QualType type) {
  if (type.isNull()) return false;
  const auto *record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (record == nullptr || !record->isInStdNamespace() || record->getName() != "complex") return false;
  const auto number = valueType(record->getTemplateArgs()[0].getAsType());
  return number == Type::Float32 || number == Type::Float64;
}

const clang::CXXRecordDecl *pairOf(const clang::CXXRecordDecl &complex) {
  auto &record = const_cast<clang::CXXRecordDecl &>(*complex.getDefinition());
  clang::ASTContext &context = record.getASTContext();
  clang::IdentifierInfo &name = context.Idents.get(llvm::StringRef(partsName.data(), partsName.size()));
  for (clang::NamedDecl *known : record.lookup(&name))
    if (const auto *pair = llvm::dyn_cast<clang::CXXRecordDecl>(known)) return pair;
  const clang::QualType number =
      llvm::cast<clang::ClassTemplateSpecializationDecl>(record).getTemplateArgs()[0].getAsType();
  auto *pair = clang::CXXRecordDecl::Create(context, clang::TagTypeKind::Struct, &record, record.getLocation(),
                                            record.getLocation(), &name);
  pair->setAccess(clang::AS_public);
  pair->startDefinition();
  for (const char *part : {"re", "im"}) {
    auto *field =
        clang::FieldDecl::Create(context, pair, record.getLocation(), record.getLocation(), &context.Idents.get(part),
                                 number, nullptr, nullptr, false, clang::ICIS_NoInit);
    field->setAccess(clang::AS_public);
    pair->addDecl(field);
  }
  pair->completeDefinition();
  record.addDecl(pair);
  return pair;
}

/// The object of these parts.
Object Reader::complexOf(clang::QualType type, const Expr &re, const Expr &im) {
  Object object{"", "", type.getNonReferenceType(), {}, true, "", {}, {}};
  const auto fields = std::make_shared<ObjectFields>();
  const clang::CXXRecordDecl *pair = pairOf(*object.type->getAsCXXRecordDecl());
  const Expr parts[] = {re, im};
  for (const clang::FieldDecl *field : pair->fields()) fields->members[field] = simplify(parts[field->getFieldIndex()]);
  object.local = fields;
  return object;
}

/// The parts of an argument, which lie behind each other.
Object Reader::complexGiven(const Object &object, const SourceRange &where) {
  Object result{"", "", object.type, {}, object.isCopy, "", {}, {}};
  const auto fields = std::make_shared<ObjectFields>();
  const bool points = object.prefix.ends_with("->");
  const std::string own = object.prefix.substr(0, object.prefix.size() - (points ? 2 : 1));
  const clang::CXXRecordDecl *pair = pairOf(*object.type->getAsCXXRecordDecl());
  for (const clang::FieldDecl *field : pair->fields()) {
    const Type type = *elementType(field->getType());
    const bool isConst = object.type.isConstQualified();
    const std::string at = std::to_string(field->getFieldIndex());
    const std::string taken = std::string("reinterpret_cast<") + (isConst ? "const " : "") + spell(type) + " (&)[2]>(" +
                              (points ? "*" : "") + own + ")[" + at + "]";
    if (object.isCopy) {
      const std::string number = own + (field->getFieldIndex() == 0 ? ".real()" : ".imag()");
      fields->members[field] =
          takenNumber(object, field->getNameAsString(), field->getFieldIndex(), number, type, field->getType());
      continue;
    }
    Array array;
    array.type = type;
    array.isConst = isConst;
    array.where = where;
    fields->members[field] = takenArray(object, field->getNameAsString(), field->getFieldIndex(), array, taken);
  }
  function.isMakeable = false;
  result.local = fields;
  return result;
}

/// The parts of a complex number, or of a real one in the type of the other.
std::pair<Expr, Expr> Reader::complexParts(const clang::Expr *expression) {
  const clang::QualType type = expression->getType().getNonReferenceType();
  if (!isComplex(type)) return {value(expression), Expr()};
  Object object = objectOf(expression);
  if (!object.local) object = complexGiven(object, rangeOf(expression));
  std::vector<Expr> parts;
  for (const clang::FieldDecl *field : pairOf(*type->getAsCXXRecordDecl())->fields()) {
    const auto found = object.local->members.find(field);
    if (found == object.local->members.end()) refuse("a complex number is made in an unknown way", rangeOf(expression));
    parts.push_back(numberIn(found->second, *expression));
  }
  return {parts.at(0), parts.at(1)};
}

/// What an operation makes of two numbers of which one at least is complex.
std::pair<Expr, Expr> Reader::complexResult(const std::string &name, const std::pair<Expr, Expr> &a,
                                            const std::pair<Expr, Expr> &b, const clang::Expr &where) {
  const Type type = a.second ? a.second.type() : b.second.type();
  const auto as = [&](const Expr &e) { return convert(e, type, rangeOf(&where)); };
  const auto both = [&](Op op, const Expr &x, const Expr &y) { return node(op, type, {as(x), as(y)}, &where); };
  const auto negative = [&](const Expr &e) { return node(Op::Neg, type, {e}, &where); };
  const bool isSum = name == "+", isDifference = name == "-";
  if (isSum || isDifference) {
    const Op op = isSum ? Op::Add : Op::Sub;
    if (!b.second) return {both(op, a.first, b.first), a.second};
    if (!a.second)
      return {isSum ? both(op, b.first, a.first) : both(Op::Add, negative(b.first), a.first),
              isSum ? b.second : negative(b.second)};
    return {both(op, a.first, b.first), both(op, a.second, b.second)};
  }
  if (name == "*" && !b.second) return {both(Op::Mul, a.first, b.first), both(Op::Mul, a.second, b.first)};
  if (name == "*" && !a.second) return {both(Op::Mul, b.first, a.first), both(Op::Mul, b.second, a.first)};
  if (name == "/" && !b.second) return {both(Op::Div, a.first, b.first), both(Op::Div, a.second, b.first)};
  if (name == "*") {
    const std::vector<Expr> parts{as(a.first), as(a.second), as(b.first), as(b.second)};
    return {Expr::call(std::string(realOfProduct), parts, type, rangeOf(&where)),
            Expr::call(std::string(imaginaryOfProduct), parts, type, rangeOf(&where))};
  }
  refuse("'" + name + "' of complex numbers is not supported: say it by their real and imaginary parts",
         rangeOf(&where));
}

/// The complex number that an expression makes; absent: another expression.
std::optional<Object> Reader::complexMade(const clang::Expr *expression) {
  const clang::Expr *e = withoutConversions(expression);
  const clang::QualType type = e->getType().getNonReferenceType();
  if (!isComplex(type)) return std::nullopt;
  const Type number = *elementType(pairOf(*type->getAsCXXRecordDecl())->field_begin()->getType());
  const auto made = [&](const std::pair<Expr, Expr> &parts) {
    const Expr none = Expr::real(0, number);
    return complexOf(type, convert(parts.first, number, rangeOf(e)),
                     parts.second ? convert(parts.second, number, rangeOf(e)) : none);
  };
  if (const auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
    if (construction->getNumArgs() == 1) {
      if (construction->getArg(0)->getType()->isAnyComplexType()) return std::nullopt;
      return made(complexParts(construction->getArg(0)));
    }
    std::vector<Expr> parts;
    for (const clang::Expr *arg : construction->arguments()) parts.push_back(value(arg));
    if (parts.size() == 2) return made({parts[0], parts[1]});
    return std::nullopt;
  }
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  const std::string name = call != nullptr ? complexName(*call) : "";
  if (name.empty() || call->isGLValue()) return std::nullopt;
  if (call->getNumArgs() == 2 && (name == "+" || name == "-" || name == "*" || name == "/"))
    return made(complexResult(name, complexParts(call->getArg(0)), complexParts(call->getArg(1)), *e));
  if (name == "polar" && call->getNumArgs() == 2) {
    const Expr size = convert(value(call->getArg(0)), number, rangeOf(e));
    const Expr angle = convert(value(call->getArg(1)), number, rangeOf(e));
    const auto along = [&](Op op) { return node(Op::Mul, number, {size, node(op, number, {angle}, e)}, e); };
    return made({along(Op::Cos), along(Op::Sin)});
  }
  if (call->getNumArgs() != 1) refuse("'" + name + "' of complex numbers is not supported", rangeOf(e));
  const auto [re, im] = complexParts(call->getArg(0));
  const auto negative = [&](const Expr &part) { return node(Op::Neg, number, {part}, e); };
  if (name == "+") return made({re, im});
  if (name == "-") return made({negative(re), negative(im)});
  if (name == "conj") return made({re, negative(im ? im : Expr::real(0, number))});
  refuse("'" + name + "' of complex numbers is not supported: say it by their real and imaginary parts", rangeOf(e));
}

/// The number that a call says of a complex one; absent: another call.
Expr Reader::numberOfComplex(const clang::CallExpr &call) {
  const std::string name = complexName(call);
  if (name.empty() || isComplex(call.getType().getNonReferenceType()) || !valueType(call.getType())) return {};
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const clang::Expr *given = member != nullptr        ? member->getImplicitObjectArgument()
                             : call.getNumArgs() == 1 ? call.getArg(0)
                                                      : nullptr;
  if (given == nullptr || (member != nullptr && call.getNumArgs() != 0)) return {};
  const auto [re, im] = complexParts(given);
  const Type type = re.type();
  if (name == "real") return re;
  if (name == "imag") return im;
  const auto square = [&](const Expr &e) { return node(Op::Mul, type, {e, e}, &call); };
  if (name == "norm") return node(Op::Add, type, {square(re), square(im)}, &call);
  if (name == "abs") return Expr::call("hypot", {re, im}, type, rangeOf(&call));
  if (name == "arg") return Expr::call("atan2", {im, re}, type, rangeOf(&call));
  refuse("'" + name + "' of a complex number is not supported: say it by its real and imaginary parts", rangeOf(&call));
}

/// `a += b` and the like, `a = x`, `a.real(x)` of a complex number; false: another call.
bool Reader::changesComplex(const clang::CallExpr &call, Body &out) {
  const std::string name = complexName(call);
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const bool setsPart = member != nullptr && (name == "real" || name == "imag") && call.getNumArgs() == 1;
  const bool updates = name == "+=" || name == "-=" || name == "*=" || name == "/=";
  if (!setsPart && !updates && name != "=") return false;
  const clang::Expr *target = setsPart ? member->getImplicitObjectArgument() : call.getArg(0);
  const clang::Expr *given = call.getArg(setsPart ? 0 : 1);
  auto object = known(target);
  if (object && !object->local) object = complexGiven(*object, rangeOf(target));
  if (!object) refuse("this complex number is changed where it is not known", rangeOf(&call));
  const auto before = complexParts(target), by = complexParts(given);
  std::pair<Expr, Expr> next = updates ? complexResult(name.substr(0, 1), before, by, call) : by;
  if (setsPart) next = name == "real" ? std::pair(by.first, before.second) : std::pair(before.first, by.first);
  if (!next.second) next.second = Expr::real(0, before.second.type());
  const clang::CXXRecordDecl *pair = pairOf(*target->getType()->getAsCXXRecordDecl());
  const auto place = [&](unsigned part) {
    const Binding &binding = object->local->members.at(*std::next(pair->field_begin(), part));
    if (const Place *found = std::get_if<Place>(&binding)) return *found;
    refuse("this complex number is changed where it is not known", rangeOf(&call));
  };
  const Place re = place(0), im = place(1);
  const SourceRange where = rangeOf(&call);
  const Array array = wholeElement(re, &call);
  if (array.isConst) refuse("'" + array.name + "' is const and is written", where);
  Expr second = convert(next.second, array.type, where);
  if (readsBeside(second, re.array, im) && !equal(second, before.second)) { // it is of the number before the change
    const Place held = variableFor("held", array.type, where);
    put(held, second, where, out);
    second = Expr::read(held.array, {}, array.type);
  }
  put(re, convert(next.first, array.type, where), where, out);
  if (!equal(second, before.second)) put(im, second, where, out);
  return true;
}

} // namespace polymend
