// Calls -> Expr. The functions of <cmath> and <algorithm> are known by name, in the types of the overload that the
// compiler resolved; a call that is a constant is evaluated; others are inlined (inline.cpp).
#include "outlined.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"
#include "wide_elements.h"
#include "words.h"

#include <limits>
#include <map>

namespace polymend {

namespace {

/// The operation that a function of <cmath> of one meaning is; minima, maxima and what is no function there stand
/// apart.
std::optional<Op> operationOf(const std::string &name) {
  if (name == "fabs") return Op::Abs;
  const std::optional<Op> op = functionNamed(name);
  const bool apart = op == Op::Min || op == Op::Max || op == Op::FloorDiv || op == Op::FloorMod;
  return apart ? std::nullopt : op;
}

const std::set<std::string> &pureFunctions() {
  static const std::set<std::string> table = {
      "fma",  "erf",    "erfc",   "expm1", "log1p",     "log10",     "cbrt",  "sinh",  "cosh",  "asin",
      "acos", "atan",   "atan2",  "tan",   "hypot",     "fmod",      "asinh", "acosh", "atanh", "copysign",
      "rint", "lgamma", "tgamma", "fdim",  "nearbyint", "remainder", "lerp",  "ldexp", "scalbn"};
  return table;
}

/// The functions of <cmath> that return the nearest whole number as an integer: a half goes away from zero, or to the
/// even one.
bool roundsToWhole(const std::string &name) {
  return name == "lround" || name == "llround" || name == "lrint" || name == "llrint";
}

/// The name without "__builtin_" and without the suffix of the float version, where that leaves a known function.
std::string baseName(std::string name) {
  const std::string builtin = "__builtin_";
  if (name.starts_with(builtin)) name = name.substr(builtin.size());
  const auto known = [](const std::string &n) {
    return operationOf(n) || pureFunctions().contains(n) || roundsToWhole(n);
  };
  if (!known(name) && name.ends_with("f") && known(name.substr(0, name.size() - 1))) name.pop_back();
  return name;
}

bool isLambda(const clang::FunctionDecl &callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  return method != nullptr && method->getParent()->isLambda();
}

bool isOfLibrary(const clang::FunctionDecl &callee) { return callee.getBuiltinID() != 0 || callee.isInStdNamespace(); }

} // namespace

bool isPureLibrary(const clang::FunctionDecl &callee) {
  static const std::set<std::string> others{"max", "min", "clamp", "isnan", "isinf", "isfinite", "signbit"};
  if (!isOfLibrary(callee) && !callee.isExternC()) return false;
  if (!callee.getDeclName().isIdentifier()) return false;
  const std::string name = baseName(callee.getNameAsString());
  return operationOf(name) || pureFunctions().contains(name) || roundsToWhole(name) || isOfBits(name) ||
         (callee.isInStdNamespace() && others.contains(name));
}

Expr Reader::call(const clang::CallExpr &call, unsigned bits) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee == nullptr) refuse("a call through a pointer is not supported", rangeOf(&call));
  if (Expr constant = constantOf(&call)) return constant;
  if (const Expr apart = betweenIterators(call)) return apart;
  if (const Expr number = numberOfComplex(call)) return number;
  if (const Expr number = numberAskedOf(call)) return number;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method != nullptr && !method->isStatic() && !isLambda(*callee)) return memberCall(call, *method, bits);
  if (const Expr total = summed(call)) return total;
  if (const Expr number = counts(call)) return number;
  if (isOfLibrary(*callee)) return libraryCall(baseName(callee->getNameAsString()), call);
  return inlined(*callee, call, bits);
}

Expr Reader::libraryCall(const std::string &name, const clang::CallExpr &call) {
  if ((name == "max" || name == "min") && call.getNumArgs() == 1) return listed(name == "max", call);
  if (const Expr counted = bitCall(name, call)) return counted;
  if (name == "exchange") return exchanged(call);
  std::vector<Expr> args;
  bool isBig = false; // a word that a sign would change
  const bool classifies = name == "isnan" || name == "isinf" || name == "isfinite" || name == "signbit";
  const bool selects = (name == "max" || name == "min") && call.getNumArgs() == 2;
  const bool clamps = name == "clamp" && call.getNumArgs() == 3;
  const std::optional<Op> op = operationOf(name);
  const bool pure = op || pureFunctions().contains(name);
  const bool rounds = roundsToWhole(name);
  if (!classifies && !selects && !clamps && !pure && !rounds)
    refuse("call of unknown function '" + call.getDirectCallee()->getNameAsString() + "'", rangeOf(&call));
  for (const clang::Expr *arg : call.arguments()) {
    args.push_back(value(arg));
    isBig = isBig || (isWord(arg->getType()) && mayBeBig(args.back()));
  }
  if (classifies) return classify(name, args[0], call);
  if (rounds) {
    const Type rounded = isFloating(args[0].type()) ? args[0].type() : Type::Float64;
    const std::vector<Expr> whole{convert(args[0], rounded, rangeOf(&call))};
    const Expr nearest = name.ends_with("round") ? node(Op::Round, rounded, whole, &call)
                                                 : Expr::call("rint", whole, rounded, rangeOf(&call));
    return convert(nearest, Type::Int64, rangeOf(&call));
  }
  const Type type = typeOf(&call);
  const bool scales = name == "ldexp" || name == "scalbn"; // by a power of two, which is an integer
  for (std::size_t i = 0; i < args.size(); ++i)
    if (isFloating(type) && !(scales && i == 1)) args[i] = convert(args[i], type, rangeOf(&call));
  if (isBig && clamps) return extremeOf(false, extremeOf(true, args[0], args[1], call), args[2], call);
  if (isBig && selects) return extremeOf(name == "max", args[0], args[1], call);
  if (selects) return node(name == "max" ? Op::Max : Op::Min, type, args, &call);
  if (clamps) {
    const Expr below = node(Op::Lt, Type::Bool, {args[0], args[1]}, &call);
    return node(Op::Select, type, {below, args[1], node(Op::Min, type, {args[0], args[2]}, &call)}, &call);
  }
  if (name == "abs" && isInteger(type))
    return node(Op::Max, type, {args[0], simplify(node(Op::Neg, type, {args[0]}, &call))}, &call);
  if (!isFloating(type)) refuse("'" + name + "' of integers is not supported", rangeOf(&call));
  if (op) return node(*op, type, std::move(args), &call);
  return Expr::call(name, std::move(args), type, rangeOf(&call));
}

/// The largest or least of a list, the first of equal ones.
Expr Reader::listed(bool isMax, const clang::CallExpr &call) {
  const clang::Expr *given = call.getArg(0)->IgnoreImplicit();
  if (const auto *list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(given))
    given = list->getSubExpr()->IgnoreImplicit();
  const auto *elements = llvm::dyn_cast<clang::InitListExpr>(given);
  if (elements == nullptr || elements->getNumInits() == 0)
    refuse("the largest or least of this list is not supported", rangeOf(&call));
  Expr best = value(elements->getInit(0));
  const bool areWords = isWord(elements->getInit(0)->getType());
  for (unsigned i = 1; i < elements->getNumInits(); ++i) {
    const Expr other = value(elements->getInit(i));
    best = areWords && (mayBeBig(best) || mayBeBig(other))
               ? extremeOf(isMax, best, other, call)
               : node(isMax ? Op::Max : Op::Min, typeOf(&call), {best, other}, &call);
  }
  return best;
}

Expr Reader::classify(const std::string &name, const Expr &argument, const clang::CallExpr &call) const {
  if (!isFloating(argument.type())) refuse("'" + name + "' of integers is not supported", rangeOf(&call));
  if (name == "isnan") return node(Op::Ne, Type::Bool, {argument, argument}, &call);
  if (name == "signbit") {
    const std::vector<Expr> signOf{Expr::real(1, argument.type()), argument};
    const Expr sign = Expr::call("copysign", signOf, argument.type(), rangeOf(&call));
    return node(Op::Lt, Type::Bool, {sign, Expr::real(0, argument.type())}, &call);
  }
  const Expr infinity = Expr::real(std::numeric_limits<double>::infinity(), argument.type());
  const Expr magnitude = node(Op::Abs, argument.type(), {argument}, &call);
  return node(name == "isinf" ? Op::Eq : Op::Lt, Type::Bool, {magnitude, infinity}, &call);
}

} // namespace polymend
