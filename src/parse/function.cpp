// A function definition -> Function: parameters, body and result.
#include "algorithms.h"
#include "loops_in.h"
#include "ranges.h"
#include "reader.h"
#include "turns.h"
#include "types.h"

#include <algorithm>
#include <cctype>

namespace polymend {

namespace {

/// Constructors and the like, and templates that are not instantiated.
bool isUnusual(const clang::FunctionDecl &definition) {
  return llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(definition) ||
         definition.isDependentContext();
}

/// The namespaces around a declaration that are written to name it.
std::string scopeOf(const clang::Decl &declaration) {
  const auto *context = declaration.getDeclContext();
  while (context->isRecord()) context = context->getParent();
  const auto *space = llvm::dyn_cast<clang::NamedDecl>(context);
  if (space == nullptr || context->isTranslationUnit()) return "";
  const clang::NamedDecl &declared = *space;
  clang::PrintingPolicy policy(declared.getASTContext().getPrintingPolicy());
  policy.SuppressUnwrittenScope = true;
  std::string text;
  llvm::raw_string_ostream out(text);
  declared.printQualifiedName(out, policy);
  return text;
}

/// Does the text there stand in the namespace of this name?
bool isWithin(const clang::DeclContext *context, const std::string &scope) {
  for (; context != nullptr && !context->isTranslationUnit(); context = context->getLexicalParent())
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(context);
        space != nullptr && space->getQualifiedNameAsString() == scope)
      return true;
  return false;
}

/// A template that a function is an instance of, and for which arguments.
struct TemplateChosen {
  const clang::TemplateParameterList *parameters; // as the source names them; null: it cannot be said
  const clang::TemplateArgumentList *given;
};

/// The templates that make a function an instance: its own, and its class's.
std::vector<TemplateChosen> templatesOf(const clang::FunctionDecl &definition) {
  std::vector<TemplateChosen> found;
  const clang::FunctionDecl *pattern = definition.getTemplateInstantiationPattern();
  if (const clang::TemplateArgumentList *given = definition.getTemplateSpecializationArgs()) {
    const clang::FunctionTemplateDecl *own = pattern != nullptr ? pattern->getDescribedFunctionTemplate() : nullptr;
    found.push_back({own != nullptr ? own->getTemplateParameters() : nullptr, given});
  }
  const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(definition.getDeclContext());
  const auto *instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (instance == nullptr || instance->isExplicitSpecialization()) return found;
  const bool isPartial =
      instance->getSpecializedTemplateOrPartial().is<clang::ClassTemplatePartialSpecializationDecl *>();
  const bool isWithin = pattern != nullptr && pattern->getLexicalDeclContext()->isRecord();
  const clang::TemplateParameterList *parameters = nullptr;
  if (isWithin && !isPartial) {
    const auto *around = llvm::cast<clang::CXXRecordDecl>(pattern->getLexicalDeclContext());
    if (const auto *whole = around->getDescribedClassTemplate()) parameters = whole->getTemplateParameters();
  } else if (!isPartial && pattern != nullptr && pattern->getNumTemplateParameterLists() == 1) {
    parameters = pattern->getTemplateParameterList(0);
  }
  found.push_back({parameters, &instance->getTemplateArgs()});
  return found;
}

/// The characters of a name that an identifier may hold.
std::string identifier(const std::string &text) {
  std::string result;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  while (!result.empty() && result.back() == '_') result.pop_back();
  return result;
}

} // namespace

std::string nameOf(const clang::FunctionDecl &definition) {
  std::string name;
  for (const clang::DeclContext *around = definition.getDeclContext(); around->isRecord(); around = around->getParent())
    name = llvm::cast<clang::NamedDecl>(around)->getNameAsString() + "_" + name;
  name += identifier(definition.getNameAsString());
  for (const TemplateChosen &chosen : templatesOf(definition))
    for (const clang::TemplateArgument &argument : chosen.given->asArray()) {
      std::string text;
      llvm::raw_string_ostream out(text);
      clang::PrintingPolicy policy(definition.getASTContext().getPrintingPolicy());
      policy.AnonymousTagLocations = false; // where a lambda stands on this machine
      policy.SuppressUnwrittenScope = true;
      argument.print(policy, out, true);
      name += "_" + identifier(text);
    }
  return name;
}

Reader::Reader(clang::ASTContext &clangContext, const clang::FunctionDecl &clangFunction, const ReadFor &what,
               std::string name)
    : context(clangContext), definition(clangFunction), file(what.file), isForDevice(what.isDevice),
      turnsOn(what.turnsOn), needs(what.needs) {
  function.name = std::move(name);
  changed = changedIn(clangFunction.getBody());
}

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

/// A parameter, or a variable of the function around a region, as the source declares it.
Argument Reader::argumentOf(const clang::VarDecl &variable) const {
  const clang::QualType type = variable.getType().getNonReferenceType();
  const bool points = type->isPointerType() && type->getPointeeType()->isRecordType();
  return {variable.getNameAsString(),
          rangeOf(variable.getSourceRange()),
          defaultOf(variable),
          spelled((points ? type->getPointeeType() : type).getUnqualifiedType()),
          points || type->isRecordType(),
          points,
          variable.isReferenced()};
}

void Reader::readParameters() {
  for (const clang::ParmVarDecl *parameter : definition.parameters()) {
    const std::size_t before = function.parameters.size();
    readParameter(*parameter, parameter->getOriginalType(), parameter->getFunctionScopeIndex());
    function.arguments.push_back(argumentOf(*parameter));
    for (std::size_t i = before; i < function.parameters.size(); ++i)
      if (orders.size() <= i) orders.push_back({parameter->getFunctionScopeIndex()});
  }
}

void Reader::learnLimits(const std::string &name, clang::QualType type) {
  Interval limits = limitsOf(type);
  if (limits.most > INT64_MAX) unsignedWide.insert(name);
  if (limits.least == 0) knowledge.nonNegative.insert(name);
  limits.most = std::min(limits.most, Wide{INT64_MAX});
  knowledge.parameters[name] = limits;
}

SourceRange Reader::defaultOf(const clang::VarDecl &variable) const {
  const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(&variable);
  const bool isHere = parameter != nullptr && parameter->hasDefaultArg() && !parameter->hasInheritedDefaultArg();
  return isHere ? rangeOf(parameter->getDefaultArgRange()) : SourceRange();
}

/// What stands for a parameter, or for a variable of the function around a region, of that type.
void Reader::readParameter(const clang::VarDecl &parameter, clang::QualType type, unsigned place) {
  const SourceRange where = rangeOf(parameter.getSourceRange());
  const std::string source = parameter.getNameAsString();
  const std::string name = source.empty() ? "" : unique(source);
  if (const auto *open = context.getAsIncompleteArrayType(type);
      open != nullptr && !open->getElementType()->isArrayType())
    type = context.getPointerType(open->getElementType()); // `float x[]` says no more than `float *x`
  if (readObject(parameter, type, place)) return;
  const bool refersToNumber = type->isLValueReferenceType() && valueType(type->getPointeeType()) &&
                              type->getPointeeType().isConstQualified() && !type->getPointeeType()->isFloatingType();
  if (refersToNumber) {
    type = type->getPointeeType();
    references.emplace_back(elementType(type).value_or(*valueType(type)), source);
  }
  if (type->isEnumeralType() && valueType(type)) {
    const Object none{"", "", type, {place}, true, source, {}, {}};
    if (changed.contains(&parameter)) refuse("parameter '" + source + "' is changed", where);
    const std::string cast = "static_cast<" + spell(*valueType(type)) + ">(" + source + ")";
    bindings[&parameter] = takenNumber(none, source + "_value", 0, cast, *valueType(type), type);
    return;
  }
  if (const auto scalar = valueType(type)) {
    function.parameters.push_back({name, *scalar, false, where, defaultOf(parameter)});
    if (type->isIntegerType()) learnLimits(name, type);
    const Expr symbol = Expr::symbol(name, *scalar == Type::Bool ? Type::Int32 : *scalar);
    const Expr truth = Expr::make(Op::Lt, {Expr::integer(0, Type::Int32), symbol}, where); // it is 0 or 1
    bindings[&parameter] = *scalar == Type::Bool ? truth : symbol;
    if (follows(parameter))
      followed.insert(&parameter);
    else if (changed.contains(&parameter))
      changedParameters.push_back(&parameter);
    return;
  }
  if (const auto values = type->isPointerType() && type->getPointeeType()->isEnumeralType()
                              ? readType(type->getPointeeType())
                              : std::nullopt) {
    Array result;
    result.type = *values;
    result.extents = {Expr()};
    result.isConst = result.flat = result.aliasesAny = true;
    result.restricted = parameter.getType().isRestrictQualified();
    result.where = where;
    if (changed.contains(&parameter)) refuse("pointer '" + source + "' is changed", where);
    const std::string taken = "reinterpret_cast<const " + spell(*values) + " *>(" + source + ")";
    bindings[&parameter] =
        takenArray({"", "", type, {place}, true, source, {}, {}}, source + "_values", 0, result, taken);
    return;
  }
  const bool reference = type->isLValueReferenceType();
  const clang::QualType pointee = reference || type->isPointerType() ? type->getPointeeType() : type;
  const auto element = elementType(elementOf(pointee));
  const bool array =
      type->isArrayType() || type->isPointerType() ||
      (reference && (pointee->isArrayType() || pointee->isFloatingType() || changed.contains(&parameter)));
  if (type->isPointerType() && type->getPointeeType()->isPointerType())
    refuse("parameter '" + source + "' has the unsupported type '" + type.getAsString() +
               "': take one array and the length of its rows, p[i * n + j] for p[i][j]",
           where);
  if (!array || !element || type.isVolatileQualified())
    refuse("parameter '" + source + "' has the unsupported type '" + type.getAsString() + "'", where);
  function.parameters.push_back({name, *element, true, where, defaultOf(parameter), {}, reference});
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
  result.derived = derived.contains(source);
  result.aliasesAny = mayAliasAny(elementOf(pointee));
  result.where = where;
  bindings[&parameter] = reference ? Place{name, {}} : Place{name, {Expr::integer(0)}};
  if (type->isPointerType() && follows(parameter)) followed.insert(&parameter);
  addArray(std::move(result));
}

/// What a member function is called on.
void Reader::readSelf() {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&definition);
  if (method == nullptr || method->isStatic()) return;
  if (method->isVolatile()) refuse("a volatile member function is not supported", function.where);
  self = Object{"this->", "", method->getFunctionObjectParameterType(), {}, false, "this", {}, {}};
  function.self = spelled(self->type.getUnqualifiedType());
}

/// A parameter that the function changes is a variable of its own, which begins as what is given.
void Reader::keepInVariable(const clang::VarDecl &parameter, Body &out) {
  const SourceRange where = rangeOf(parameter.getSourceRange());
  const Expr given = std::get<Expr>(bindings.at(&parameter));
  const Place own = variableFor(parameter.getNameAsString(), localType(parameter.getType()), where);
  put(own, storedIn(arrayNamed(own.array), given, where), where, out);
  if (isWord(parameter.getType())) unsignedWide.insert(own.array);
  bindings[&parameter] = own;
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
    if (!isFloating(result.type) && !elementType(definition.getReturnType()))
      refuse("a result of type '" + definition.getReturnType().getAsString() + "' is not supported", result.where);
    addArray(result);
  }
  for (const clang::VarDecl *parameter : changedParameters) keepInVariable(*parameter, function.body);
  turn({body->body_begin(), body->body_end()}, Until::Return, function.body);
  const auto result = std::find_if(function.arrays.begin(), function.arrays.end(),
                                   [](const Array &array) { return array.storage == Array::Storage::Return; });
  if (returns) std::rotate(result, result + 1, function.arrays.end());
}

/// What is computed for its effects alone: of what has none, nothing.
void Reader::valueForNothing(const clang::Expr &value, Body &out) {
  const clang::Expr *e = value.IgnoreParenImpCasts();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) e = full->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e); made != nullptr && made->getNumArgs() == 1)
    e = made->getArg(0)->IgnoreParenImpCasts();
  if (e->HasSideEffects(context)) expressionStatement(e, out);
}

void Reader::returned(const clang::ReturnStmt &result, Body &out) {
  if (resultPlace && result.getRetValue() != nullptr) {
    sink = &out;
    const Expr value = this->value(result.getRetValue(), bitsOfResult);
    sink = nullptr;
    return put(*resultPlace, storedIn(arrayNamed(resultPlace->array), value, rangeOf(&result)), rangeOf(&result), out);
  }
  if (resultObject && result.getRetValue() != nullptr) {
    sink = &out;
    const Object object = objectOf(result.getRetValue());
    sink = nullptr;
    return assignMembers(*resultObject, object, *result.getRetValue(), out);
  }
  if (!calls.empty() && result.getRetValue() != nullptr) return valueForNothing(*result.getRetValue(), out);
  if (!calls.empty() || function.returnType == Type::Void) return;
  sink = &out;
  const Expr value = simplify(this->value(result.getRetValue()));
  sink = nullptr;
  out.emplace_back(std::make_shared<const Assign>(Assign{"return", {}, value, rangeOf(&result)}));
}

/// Can code at a place name the type? Not a lambda's, nor what is declared in a function, without a name, or below.
bool canBeNamedAt(clang::QualType type, clang::SourceLocation place, const clang::SourceManager &sources) {
  if (type->getLinkage() == clang::Linkage::None || type->getLinkage() == clang::Linkage::VisibleNone) return false;
  struct Tags : clang::RecursiveASTVisitor<Tags> {
    bool VisitTagType(clang::TagType *tag) {
      const clang::TagDecl *first = tag->getDecl()->getCanonicalDecl();
      if (const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(first)) {
        first = instance->getSpecializedTemplate()->getCanonicalDecl()->getTemplatedDecl();
        for (const clang::TemplateArgument &argument : instance->getTemplateArgs().asArray())
          if (argument.getKind() == clang::TemplateArgument::Type)
            TraverseType(argument.getAsType().getCanonicalType());
      }
      declarations.push_back(first);
      return true;
    }
    std::vector<const clang::TagDecl *> declarations;
  } tags;
  tags.TraverseType(type.getCanonicalType());
  return std::all_of(tags.declarations.begin(), tags.declarations.end(), [&](const clang::TagDecl *declared) {
    return (declared->getIdentifier() != nullptr || declared->getTypedefNameForAnonDecl() != nullptr) &&
           sources.isBeforeInTranslationUnit(declared->getLocation(), place);
  });
}

/// The condition on the parameters of templates under which they make this instance; empty: it cannot be said.
std::string conditionOf(const clang::FunctionDecl &instance, clang::SourceLocation begin) {
  const clang::ASTContext &context = instance.getASTContext();
  clang::PrintingPolicy policy(context.getPrintingPolicy());
  policy.SuppressUnwrittenScope = true;
  std::string condition;
  for (const TemplateChosen &chosen : templatesOf(instance)) {
    if (chosen.parameters == nullptr) return "";
    for (unsigned i = 0; i < chosen.parameters->size(); ++i) {
      const clang::NamedDecl *parameter = chosen.parameters->getParam(i);
      const std::string name = parameter->getNameAsString();
      const clang::TemplateArgument &argument = chosen.given->get(i);
      if (name.empty() || parameter->isParameterPack()) return "";
      const bool isType = argument.getKind() == clang::TemplateArgument::Type;
      if (isType && !canBeNamedAt(argument.getAsType(), begin, context.getSourceManager())) return "";
      std::string text;
      llvm::raw_string_ostream out(text);
      argument.print(policy, out, false);
      if (!condition.empty()) condition += " && ";
      if (isType)
        condition += "std::is_same_v<" + name + ", " + text + ">";
      else if (argument.getKind() == clang::TemplateArgument::Integral)
        condition += name + " == " + text;
      else
        return "";
    }
  }
  return condition;
}

/// The declaration that holds the text of a function, or of what it is an instance of, and stands in no class.
const clang::Decl &outermostOf(const clang::FunctionDecl &definition) {
  const clang::FunctionDecl *pattern = definition.getTemplateInstantiationPattern();
  const clang::FunctionTemplateDecl *described = pattern != nullptr ? pattern->getDescribedFunctionTemplate() : nullptr;
  const clang::Decl *outermost = pattern != nullptr ? pattern : &definition;
  if (described != nullptr) outermost = described;
  for (const clang::DeclContext *around = outermost->getLexicalDeclContext(); around->isRecord();
       around = around->getLexicalParent())
    outermost = llvm::cast<clang::Decl>(around);
  const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(outermost);
  const clang::ClassTemplateDecl *whole = record != nullptr ? record->getDescribedClassTemplate() : nullptr;
  return whole != nullptr ? *whole : *outermost;
}

/// Where the parts of a member or of an instance of a template may stand.
void Reader::nest() {
  const clang::FunctionDecl *pattern = definition.getTemplateInstantiationPattern();
  if (pattern != nullptr) function.instance = conditionOf(definition, outermostOf(definition).getBeginLoc());
  if (pattern != nullptr && function.instance.empty())
    refuse(
        "an instance of this template is not supported: its arguments are no integers, and no types that have a name "
        "where the template stands",
        function.where);
  function.isNested = pattern != nullptr || llvm::isa<clang::CXXMethodDecl>(definition);
  if (function.isNested) function.outside = outermost();
}

/// Where the declaration begins that holds it all.
unsigned Reader::outermost() const { return rangeOf(outermostOf(definition).getSourceRange()).begin; }

bool isForItsCallers(const clang::FunctionDecl &definition) {
  return !definition.getDeclName().isIdentifier() &&
         definition.getTemplateSpecializationKind() == clang::TSK_ImplicitInstantiation;
}

Function Reader::read() {
  function.where = rangeOf(definition.getSourceRange());
  function.scope = scopeOf(definition);
  nest();
  clang::PrintingPolicy policy(context.getPrintingPolicy());
  policy.SuppressUnwrittenScope = true;
  llvm::raw_string_ostream called(function.called);
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&definition); method != nullptr && method->isStatic())
    called << spelled(context.getRecordType(method->getParent())) << "::";
  called << definition.getNameAsString();
  for (const clang::NamedDecl *other :
       definition.getDeclContext()->getRedeclContext()->lookup(definition.getDeclName()))
    function.isOverloaded = function.isOverloaded || (llvm::isa<clang::FunctionDecl>(other) &&
                                                      other->getCanonicalDecl() != definition.getCanonicalDecl());
  if (const auto *given = definition.getTemplateSpecializationArgs())
    clang::printTemplateArgumentList(called, given->asArray(), policy);
  function.bodyRange = rangeOf(definition.getBody()->getSourceRange());
  const bool spelled = isSpelledInMainFile(context, definition.getSourceRange()) &&
                       isSpelledInMainFile(context, definition.getBody()->getSourceRange());
  if (definition.isMain()) refuse("main is never transformed", function.where);
  if (isForItsCallers(definition) || !holdsLoop(definition.getBody())) refuse("no loop", function.where);
  if (definition.isDependentContext())
    refuse("a template that the file does not instantiate is not supported: add an explicit instantiation",
           function.where);
  if (isUnusual(definition)) refuse("a constructor, destructor or conversion is not supported", function.where);
  if (!spelled) refuse("the function is written by a macro", function.where);
  if (!definition.getDeclName().isIdentifier()) refuse("an operator is not supported", function.where);
  if (definition.isConsteval()) refuse("a consteval function is not supported", function.where);
  function.isConstant = definition.isConstexprSpecified();
  if (definition.isVariadic()) refuse("a variadic function is not supported", function.where);
  const clang::QualType returned = definition.getReturnType();
  const auto returnType = valueType(returned);
  if (!returned->isVoidType() && !returnType)
    refuse("the result type '" + returned.getAsString() + "' is not supported", function.where);
  function.returnType = returnType.value_or(Type::Void);
  const auto *prototype = definition.getType()->getAs<clang::FunctionProtoType>();
  function.mayThrow = prototype == nullptr || !prototype->isNothrow();
  function.isQualified = definition.getQualifier() != nullptr &&
                         !definition.getLexicalDeclContext()->Equals(definition.getDeclContext()) &&
                         !function.scope.empty() && !isWithin(definition.getLexicalDeclContext(), function.scope);
  for (const clang::ParmVarDecl *parameter : definition.parameters()) names.erase(parameter->getNameAsString());
  findRotations();
  readParameters();
  readSelf();
  nameGlobals(definition.getBody());
  holdTables(definition.getBody());
  readBody();
  return finished();
}

Function Reader::finished() {
  trackIndices();
  checkIntegers();
  checkIndices();
  countChosen();
  holdAccumulators();
  checkCopies();
  forgetGlobals();
  joinRows();
  function.body = byRows(function.body);
  deriveSizes();
  relateStrides();
  sortArguments();
  sortParameters();
  return std::move(function);
}

Result<Function> readFunction(clang::ASTContext &context, const clang::FunctionDecl &definition, const ReadFor &what,
                              const std::string &name) {
  return readEitherWay(what, [&](const ReadFor &how) { return Reader(context, definition, how, name).read(); });
}

} // namespace polymend
