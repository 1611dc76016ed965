// The rows of the allow-list. Of a kind that may be read as well as left alone, the reader decides: a continue
// statement that ends one side of a choice, the return statement at the end, a cast or an operator by its place.
#include "kinds.h"
#include "clang.h"
#include "types.h"

#include <algorithm>
#include <array>

namespace polymend {

namespace {

struct Row {
  std::string_view name;
  Reading reading;
  std::string_view words = {}, advice = {};
};

using enum Reading;

constexpr std::string_view Vector = "a vector or matrix", Member = "a member of a structure",
                           Class = "an object of class type", Memory = "dynamic memory", Coroutine = "a coroutine",
                           Case = "a case label";

constexpr Row statements[] = {
    {"CompoundStmt", Modelled},
    {"DeclStmt", Modelled},
    {"AttributedStmt", Modelled},
    {"ForStmt", Modelled},
    {"IfStmt", Modelled},
    {"NullStmt", Modelled},
    {"ContinueStmt", Left, "a continue statement"}, // but where it ends one side of a choice (turns.cpp)
    {"ReturnStmt", Left, "a return before the end of the function"}, // but at the end
    {"WhileStmt", Left, "a while loop", "write for (int i = first; i < limit; i++), with nothing else that changes i"},
    {"DoStmt", Left, "a do loop", "write for (int i = first; i < limit; i++), with nothing else that changes i"},
    {"CXXForRangeStmt", Modelled},
    {"SwitchStmt", Modelled},
    {"CaseStmt", Left, Case},
    {"DefaultStmt", Left, Case},
    {"BreakStmt", Left, "a break statement", "let the loop run to its end and choose the value by a condition"},
    {"GotoStmt", Left, "a goto statement"},
    {"IndirectGotoStmt", Left, "a computed goto"},
    {"LabelStmt", Left, "a label"},
    {"CXXTryStmt", Left, "a try block"},
    {"CXXCatchStmt", Left, "a catch block"},
    {"GCCAsmStmt", Left, "assembly"},
    {"CoroutineBodyStmt", Left, Coroutine},
    {"CoreturnStmt", Left, Coroutine},
    {"CoawaitExpr", Left, Coroutine},
    {"CoyieldExpr", Left, Coroutine},
    {"DeclRefExpr", Modelled},
    {"ParenExpr", Modelled},
    {"GenericSelectionExpr", Modelled},
    {"ChooseExpr", Modelled},
    {"ImplicitCastExpr", Modelled},
    {"CStyleCastExpr", Modelled},
    {"CXXFunctionalCastExpr", Modelled},
    {"CXXStaticCastExpr", Modelled},
    {"CXXConstCastExpr", Modelled},
    {"CXXReinterpretCastExpr", Modelled},
    {"CXXDynamicCastExpr", Left, "a dynamic cast"},
    {"BuiltinBitCastExpr", Left, "a bit cast"},
    {"UnaryOperator", Modelled},
    {"BinaryOperator", Modelled},
    {"CompoundAssignOperator", Modelled},
    {"ConditionalOperator", Modelled},
    {"BinaryConditionalOperator", Left, "a conditional without a middle"},
    {"CXXRewrittenBinaryOperator", Modelled, "a rewritten comparison"},
    {"CallExpr", Modelled},
    {"UserDefinedLiteral", Modelled},
    {"CXXOperatorCallExpr", Modelled},
    {"CXXMemberCallExpr", Modelled},
    {"ArraySubscriptExpr", Modelled},
    {"ConstantExpr", Modelled},
    {"ExprWithCleanups", Modelled},
    {"MaterializeTemporaryExpr", Modelled},
    {"SubstNonTypeTemplateParmExpr", Modelled},
    {"CXXDefaultArgExpr", Modelled},
    {"InitListExpr", Modelled, "a list of values"},
    {"FloatingLiteral", Modelled},
    {"IntegerLiteral", Constant},
    {"CharacterLiteral", Constant},
    {"CXXBoolLiteralExpr", Constant},
    {"UnaryExprOrTypeTraitExpr", Constant, "a size that is not constant"},
    {"TypeTraitExpr", Constant},
    {"ArrayTypeTraitExpr", Constant},
    {"ExpressionTraitExpr", Constant},
    {"SizeOfPackExpr", Constant},
    {"CXXNoexceptExpr", Constant},
    {"RequiresExpr", Constant},
    {"ConceptSpecializationExpr", Constant},
    {"OffsetOfExpr", Constant, "an offset that is not constant"},
    {"SourceLocExpr", Constant, "a place in the source"},
    {"CXXScalarValueInitExpr", Constant},
    {"ImplicitValueInitExpr", Constant},
    {"PackIndexingExpr", Constant, "an element of a pack"},
    {"EmbedExpr", Constant, "an embedded file"},
    {"LambdaExpr", Left, "a lambda"}, // but where it is called, or declared to be
    {"CXXNewExpr", Left, Memory},
    {"CXXDeleteExpr", Left, Memory},
    {"MemberExpr", Modelled},
    {"CXXThisExpr", Left, "this"},
    {"CXXThrowExpr", Left, "a throw expression"},
    {"CXXTypeidExpr", Left, "a type's identity"},
    {"CXXConstructExpr", Left, Class},
    {"CXXTemporaryObjectExpr", Left, Class},
    {"CXXInheritedCtorInitExpr", Left, Class},
    {"CXXBindTemporaryExpr", Left, Class},
    {"CXXStdInitializerListExpr", Left, "an initializer list"},
    {"CXXParenListInitExpr", Left, "a list of values in parentheses"},
    {"CXXDefaultInitExpr", Left, Member},
    {"CXXPseudoDestructorExpr", Left, "a destructor"},
    {"CXXNullPtrLiteralExpr", Left, "a null pointer"},
    {"GNUNullExpr", Left, "a null pointer"},
    {"DesignatedInitExpr", Left, "a designated initialiser"},
    {"DesignatedInitUpdateExpr", Left, "a designated initialiser"},
    {"NoInitExpr", Left, "a value without an initialiser"},
    {"CompoundLiteralExpr", Left, "a compound literal"},
    {"ArrayInitLoopExpr", Left, "a copied array"},
    {"ArrayInitIndexExpr", Left, "a copied array"},
    {"OpaqueValueExpr", Left, "a value that stands for another"},
    {"StringLiteral", Left, "a string"},
    {"PredefinedExpr", Left, "the name of a function"},
    {"StmtExpr", Left, "a statement expression"},
    {"AddrLabelExpr", Left, "the address of a label"},
    {"AtomicExpr", Left, "an atomic operation"},
    {"VAArgExpr", Left, "a variable argument"},
    {"ShuffleVectorExpr", Left, Vector},
    {"ConvertVectorExpr", Left, Vector},
    {"ExtVectorElementExpr", Left, Vector},
    {"MatrixSubscriptExpr", Left, Vector},
    {"ImaginaryLiteral", Left, "a complex number"},
    {"FixedPointLiteral", Left, "a fixed-point number"},
};

constexpr Row casts[] = {
    {"LValueToRValue", Modelled},
    {"NoOp", Modelled},
    {"ArrayToPointerDecay", Modelled},
    {"IntegralCast", Modelled},
    {"IntegralToBoolean", Modelled},
    {"IntegralToFloating", Modelled},
    {"FloatingCast", Modelled},
    {"FloatingToIntegral", Modelled},
    {"FloatingToBoolean", Modelled},
    {"FunctionToPointerDecay", Modelled}, // of what is called
    {"BuiltinFnToFnPtr", Modelled},
    {"ToVoid", Modelled}, // where it discards what has no effect
    {"BitCast", Left},
    {"LValueBitCast", Left},
    {"LValueToRValueBitCast", Left},
    {"BaseToDerived", Left},
    {"DerivedToBase", Left},
    {"UncheckedDerivedToBase", Left},
    {"Dynamic", Left},
    {"NullToPointer", Left},
    {"NullToMemberPointer", Left},
    {"BaseToDerivedMemberPointer", Left},
    {"DerivedToBaseMemberPointer", Left},
    {"MemberPointerToBoolean", Left},
    {"ReinterpretMemberPointer", Left},
    {"UserDefinedConversion", Left},
    {"ConstructorConversion", Left},
    {"IntegralToPointer", Left},
    {"PointerToIntegral", Left},
    {"PointerToBoolean", Modelled},
    {"VectorSplat", Left},
    {"MatrixCast", Left},
    {"ToUnion", Left},
    {"AtomicToNonAtomic", Left},
    {"NonAtomicToAtomic", Left},
    {"AddressSpaceConversion", Left},
    {"FloatingRealToComplex", Left},
    {"FloatingComplexToReal", Left},
    {"FloatingComplexToBoolean", Left},
    {"FloatingComplexCast", Left},
    {"FloatingComplexToIntegralComplex", Left},
    {"IntegralRealToComplex", Left},
    {"IntegralComplexToReal", Left},
    {"IntegralComplexToBoolean", Left},
    {"IntegralComplexCast", Left},
    {"IntegralComplexToFloatingComplex", Left},
};

constexpr Row declarations[] = {
    {"Var", Modelled},
    {"Typedef", Modelled},
    {"TypeAlias", Modelled},
    {"StaticAssert", Modelled},
    {"Using", Modelled},
    {"UsingShadow", Modelled},
    {"UsingEnum", Modelled},
    {"UsingDirective", Modelled},
    {"NamespaceAlias", Modelled},
    {"Enum", Modelled},
    {"Empty", Modelled},
    {"Decomposition", Modelled},
    {"CXXRecord", Left, "a structure within a function"},
    {"Function", Left, "a function declared within a function"},
    {"Label", Left, "a label"},
};

Kind made(const std::string &name, const Row *row) {
  return row == nullptr ? Kind{name, Foreign, {}, {}}
                        : Kind{name, row->reading, std::string(row->words), std::string(row->advice)};
}

template <std::size_t N> Kind find(const Row (&rows)[N], const std::string &name) {
  const auto at = std::find_if(std::begin(rows), std::end(rows), [&](const Row &row) { return row.name == name; });
  return made(name, at == std::end(rows) ? nullptr : &*at);
}

Reading readingOfOperator(std::string_view text) {
  constexpr std::array modelled{"*",       "/",       "%",       "+",       "-",       "<",
                                ">",       "<=",      ">=",      "==",      "!=",      "&&",
                                "||",      "<<",      ">>",      "&",       "|",       "^",
                                "=",       "*=",      "/=",      "%=",      "+=",      "-=",
                                "&=",      "|=",      "^=",      "<<=",     ">>=",     "unary +",
                                "unary -", "unary !", "unary ~", "unary *", "unary &", "unary __extension__"};
  const bool known = std::find(modelled.begin(), modelled.end(), text) != modelled.end();
  return known ? Modelled : Left;
}

Kind operatorKind(const std::string &text) { return {text, readingOfOperator(text), {}, {}}; }

} // namespace

std::vector<Kind> statementKinds() {
  std::vector<Kind> all;
#define ABSTRACT_STMT(Node)
#define STMT(Name, Base) all.push_back(find(statements, #Name));
#include <clang/AST/StmtNodes.inc>
  return all;
}

std::vector<Kind> castKinds() {
  std::vector<Kind> all;
#define CAST_OPERATION(Name) all.push_back(find(casts, #Name));
#include <clang/AST/OperationKinds.def>
  return all;
}

std::vector<Kind> operatorKinds() {
  std::vector<Kind> all;
#define BINARY_OPERATION(Name, Text) all.push_back(operatorKind(Text));
#define UNARY_OPERATION(Name, Text) all.push_back(operatorKind(std::string("unary ") + (Text)));
#include <clang/AST/OperationKinds.def>
  return all;
}

std::vector<Kind> declarationKinds() {
  std::vector<Kind> all;
#define ABSTRACT_DECL(Node)
#define DECL(Name, Base) all.push_back(find(declarations, #Name));
#include <clang/AST/DeclNodes.inc>
  return all;
}

std::vector<Kind> typeKinds() {
  std::vector<Kind> all;
#define BUILTIN_TYPE(Id, Singleton) all.push_back({#Id, isValueKind(clang::BuiltinType::Id) ? Modelled : Left, {}, {}});
#include <clang/AST/BuiltinTypes.def>
  return all;
}

Kind kindOf(const clang::Stmt &statement) { return find(statements, statement.getStmtClassName()); }

Kind kindOf(const clang::Decl &declaration) { return find(declarations, declaration.getDeclKindName()); }

std::string refusalOf(const Kind &kind) {
  if (kind.words.empty()) return kind.name + " is not read here";
  return kind.words + " is not supported" + (kind.advice.empty() ? "" : ": " + kind.advice);
}

} // namespace polymend
