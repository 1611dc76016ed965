// A function definition -> Function: parameters, body, result, and which scalar parameters are sizes (bounds,
// subscripts or conditions use them) and which are mere values.
#include "ranges.h"
#include "reader.h"
#include "turns.h"
#include "types.h"

#include <algorithm>

namespace polymend {

namespace {

using Uses = std::set<std::string>;

/// Symbols in subscripts and integer comparisons of e.
void collectSizes(const Expr &e, Uses &sizes) {
  visit(e, [&](const Expr &node) {
    const bool compares = (node.op() >= Op::Lt && node.op() <= Op::Ne) && isInteger(node.arg(0).type());
    if (node.op() == Op::Read || compares)
      for (const Expr &arg : node->args) sizes.merge(symbols(arg));
  });
}

void collectSymbols(const Body &body, Uses &sizes, Uses &values) {
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      sizes.merge(symbols((*loop)->first));
      sizes.merge(symbols((*loop)->limit));
      collectSymbols((*loop)->body, sizes, values);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      sizes.merge(symbols((*branch)->condition));
      collectSymbols((*branch)->then, sizes, values);
      collectSymbols((*branch)->otherwise, sizes, values);
    } else {
      const Assign &assign = *std::get<std::shared_ptr<const Assign>>(node);
      for (const Expr &s : assign.subscripts) sizes.merge(symbols(s));
      values.merge(symbols(assign.value));
      collectSizes(assign.value, sizes);
    }
  }
}

bool hasLoop(const clang::Stmt *statement) {
  if (statement == nullptr) return false;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement)) return true;
  for (const clang::Stmt *child : statement->children())
    if (hasLoop(child)) return true;
  return false;
}

bool isFunctionItself(const clang::FunctionDecl &definition) {
  return llvm::isa<clang::CXXMethodDecl>(definition) || definition.isTemplated() ||
         definition.isTemplateInstantiation();
}

/// The namespaces around a declaration that are written to name it.
std::string scopeOf(const clang::FunctionDecl &declared) {
  clang::PrintingPolicy policy(declared.getASTContext().getPrintingPolicy());
  policy.SuppressUnwrittenScope = true;
  std::string text;
  llvm::raw_string_ostream out(text);
  declared.printNestedNameSpecifier(out, policy);
  return text.substr(0, text.size() - std::min<std::size_t>(text.size(), 2));
}

} // namespace

Reader::Reader(clang::ASTContext &clangContext, const clang::FunctionDecl &clangFunction, std::string mainFile)
    : context(clangContext), definition(clangFunction), file(std::move(mainFile)),
      changed(changedIn(clangFunction.getBody())) {}

SourceRange Reader::rangeOf(const clang::Stmt *statement) const {
  return polymend::rangeOf(context, statement->getSourceRange(), file);
}
SourceRange Reader::rangeOf(clang::SourceRange range) const { return polymend::rangeOf(context, range, file); }

void Reader::nameGlobals(const clang::Stmt *statement) {
  if (statement == nullptr) return;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable != nullptr && variable->hasGlobalStorage() && !variable->isStaticLocal())
      names.insert(variable->getNameAsString());
  }
  for (const clang::Stmt *child : statement->children()) nameGlobals(child);
}

void Reader::readParameters() {
  for (const clang::ParmVarDecl *parameter : definition.parameters()) readParameter(*parameter);
}

void Reader::learnLimits(const std::string &name, clang::QualType type) {
  Interval limits = limitsOf(type);
  if (limits.most > INT64_MAX) unsignedWide.insert(name);
  if (limits.least == 0) knowledge.nonNegative.insert(name);
  limits.most = std::min(limits.most, Wide{INT64_MAX});
  knowledge.parameters[name] = limits;
}

SourceRange Reader::defaultOf(const clang::ParmVarDecl &parameter) const {
  const bool isHere = parameter.hasDefaultArg() && !parameter.hasInheritedDefaultArg();
  return isHere ? rangeOf(parameter.getDefaultArgRange()) : SourceRange();
}

void Reader::readParameter(const clang::ParmVarDecl &parameter) {
  const SourceRange where = rangeOf(parameter.getSourceRange());
  const std::string source = parameter.getNameAsString();
  const std::string name = source.empty() ? "" : unique(source);
  clang::QualType type = parameter.getOriginalType();
  if (const auto scalar = valueType(type)) {
    function.parameters.push_back({name, *scalar, false, where, defaultOf(parameter)});
    if (type->isIntegerType()) learnLimits(name, type);
    const Expr symbol = Expr::symbol(name, *scalar == Type::Bool ? Type::Int32 : *scalar);
    const Expr truth = Expr::make(Op::Ne, {symbol, Expr::integer(0, Type::Int32)}, where);
    bindings[&parameter] = *scalar == Type::Bool ? truth : symbol;
    if (const auto change = changed.find(&parameter); change != changed.end())
      refuse("parameter '" + source + "' is changed", rangeOf(change->second));
    return;
  }
  const bool reference = type->isLValueReferenceType();
  const clang::QualType pointee = reference || type->isPointerType() ? type->getPointeeType() : type;
  const auto element = elementType(elementOf(pointee));
  const bool array = type->isArrayType() || type->isPointerType() || (reference && pointee->isArrayType());
  if (!array || !element || type.isVolatileQualified())
    refuse("parameter '" + source + "' has the unsupported type '" + type.getAsString() + "'", where);
  function.parameters.push_back({name, *element, true, where, defaultOf(parameter)});
  if (name.empty()) return;
  Array result;
  result.name = name;
  result.type = *element;
  result.extents = extentsOf(pointee, where);
  result.flat = type->isPointerType() && !pointee->isArrayType();
  if (type->isPointerType()) result.extents.insert(result.extents.begin(), Expr());
  result.storage = Array::Storage::Parameter;
  result.isConst = elementOf(pointee).isConstQualified();
  result.restricted = parameter.getType().isRestrictQualified();
  result.aliasesAny = mayAliasAny(elementOf(pointee));
  result.where = where;
  bindings[&parameter] = reference ? Place{name, {}} : Place{name, {Expr::integer(0)}};
  addArray(std::move(result));
}

void Reader::readBody() {
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(definition.getBody());
  if (body == nullptr) {
    const bool caught = llvm::isa<clang::CXXTryStmt>(definition.getBody());
    refuse(caught ? "the function's body is a try block" : "a coroutine is not supported", function.where);
  }
  const bool returns = function.returnType != Type::Void;
  if (returns && !alwaysEnds(body, Until::Return))
    refuse("the function does not end with its return statement", function.where);
  if (returns) {
    Array result;
    result.name = "return";
    result.type = function.returnType;
    result.storage = Array::Storage::Return;
    result.where = rangeOf(body->body_back());
    if (!isFloating(result.type)) refuse("a result of integer type is not supported", result.where);
    addArray(result);
  }
  turn({body->body_begin(), body->body_end()}, Until::Return, function.body);
  const auto result = std::find_if(function.arrays.begin(), function.arrays.end(),
                                   [](const Array &array) { return array.storage == Array::Storage::Return; });
  if (returns) std::rotate(result, result + 1, function.arrays.end());
}

void Reader::returned(const clang::ReturnStmt &result, Body &out) {
  if (inlineDepth > 0 || function.returnType == Type::Void) return;
  sink = &out;
  const Expr value = simplify(this->value(result.getRetValue()));
  sink = nullptr;
  out.emplace_back(std::make_shared<const Assign>(Assign{"return", {}, value, rangeOf(&result)}));
}

void Reader::sortParameters() {
  Uses sizes, values;
  collectSymbols(function.body, sizes, values);
  for (const Array &array : function.arrays)
    for (const Expr &extent : array.extents) sizes.merge(symbols(extent));
  for (const Expr &condition : function.given) sizes.merge(symbols(condition));
  for (const Parameter &parameter : function.parameters) {
    if (parameter.isArray) continue;
    if (!isFloating(parameter.type) && sizes.contains(parameter.name))
      function.sizes.push_back(parameter.name);
    else if (values.contains(parameter.name))
      function.scalars.push_back(parameter.name);
  }
}

Function Reader::read() {
  function.name = definition.getNameAsString();
  function.scope = scopeOf(definition);
  function.where = rangeOf(definition.getSourceRange());
  function.bodyRange = rangeOf(definition.getBody()->getSourceRange());
  const bool spelled = isSpelledInMainFile(context, definition.getSourceRange()) &&
                       isSpelledInMainFile(context, definition.getBody()->getSourceRange());
  if (definition.isMain()) refuse("main is never transformed", function.where);
  if (isFunctionItself(definition)) refuse("a template or a member function is not supported", function.where);
  if (!hasLoop(definition.getBody())) refuse("no loop", function.where);
  if (!spelled) refuse("the function is written by a macro", function.where);
  if (!definition.getDeclName().isIdentifier()) refuse("an operator is not supported", function.where);
  if (definition.isConstexpr()) refuse("a constexpr function is not supported", function.where);
  if (definition.isVariadic()) refuse("a variadic function is not supported", function.where);
  const clang::QualType returned = definition.getReturnType();
  const auto returnType = valueType(returned);
  if (!returned->isVoidType() && !returnType)
    refuse("the result type '" + returned.getAsString() + "' is not supported", function.where);
  function.returnType = returnType.value_or(Type::Void);
  function.isQualified = definition.getQualifier() != nullptr;
  for (const clang::ParmVarDecl *parameter : definition.parameters()) names.erase(parameter->getNameAsString());
  readParameters();
  nameGlobals(definition.getBody());
  readBody();
  sortParameters();
  return std::move(function);
}

Result<Function> readFunction(clang::ASTContext &context, const clang::FunctionDecl &definition,
                              const std::string &file) {
  try {
    return Reader(context, definition, file).read();
  } catch (Refusal &refusal) {
    return std::move(refusal);
  }
}

} // namespace polymend
