// One function definition -> Function. A reader lives for one function: it binds each declaration to what stands for it
// (an inlined expression, an array, or a pointer into an array), knows the loops around the current place, and collects
// arrays and statements. What it cannot take it refuses at the place, which unwinds to `readFunction`.
#pragma once

#include "affine.h"
#include "clang.h"
#include "polymend/parse.h"
#include "polymend/polynomial.h"

#include <functional>
#include <map>
#include <memory>

namespace polymend {

/// array[subscripts]; fewer subscripts than dimensions: a subarray. Of a pointer, the last subscript is its offset.
struct Place {
  std::string array;
  std::vector<Expr> subscripts;
};

struct ObjectFields;
struct CarriedText;
struct NumberAround;
struct NumbersAround;
struct OutlinedLoop;
struct ElementTaken;
struct AskedElement;
struct NumberTaken;

/// The arrays of a local container of structures, by the type of their numbers: an element has a row in each.
using RecordRows = std::map<Type, std::string>;

/// An object of class type. Of an argument, what is used of it becomes parameters; of a local one, its members are
/// what it was made of.
struct Object {
  std::string prefix; // what the source writes before a member: "m.", "c->", "this->"
  std::string name;   // what the names of its parts begin with
  clang::QualType type;
  std::vector<unsigned> order; // the argument's number, then the members' on the way
  bool isCopy = false;         // nobody else can write it
  std::string argument;        // whose part it is, and the way there
  std::vector<ClassMember> path;
  std::shared_ptr<const ObjectFields> local; // of a local object
  std::string scratch = {};                  // the array that holds the elements of a local container, and how many
  Expr count = {};
  Expr start = {};          // of a part of it, its first element's number; absent: 0
  bool isShared = false;    // a copy that still is what it was copied from: what it holds stays as it is
  bool isTemporary = false; // nobody else has its arrays
  bool isView = false;      // a copy of it has the same elements
  std::shared_ptr<const RecordRows> rows = {};
  std::vector<Expr> row = {}; // of a row of `scratch`: the subscripts that say which
};

/// What reading on trial has found to need memory: variables that data set, and arrays of integers that are written
/// behind the place where a variable takes one of their elements.
/// Variables of 64 bits without a sign that do not only count, too.
struct NeedsMemory {
  std::set<const clang::VarDecl *> variables;
  std::set<std::string> arrays;
  std::set<const clang::VarDecl *> words = {};
  [[nodiscard]] std::size_t size() const { return variables.size() + arrays.size() + words.size(); }
};

/// What is read for: functions of the host are called there alone; and whether loops that data end may turn on.
struct ReadFor {
  const std::string &file;
  bool isDevice = false;
  bool turnsOn = false;
  NeedsMemory *needs = nullptr;
};

/// What is read by the equations of loops that count, or by functions of the host, where there is one; else, where
/// loops that data end turn on without effect, what is read so.
Result<Function> readEitherWay(const ReadFor &what, const std::function<Function(const ReadFor &)> &read);

/// The function in polymend's terms, or why not.
Result<Function> readFunction(clang::ASTContext &context, const clang::FunctionDecl &definition, const ReadFor &what,
                              const std::string &name);

/// The statements as a function of what they use of the function around them, or why not.
Result<Function> readRegion(clang::ASTContext &context, const clang::FunctionDecl &definition,
                            const std::vector<const clang::Stmt *> &statements, const ReadFor &what,
                            const std::string &name);

/// What a function is called in texts: of a member with its class, of an instance of a template with its arguments.
std::string nameOf(const clang::FunctionDecl &definition);

/// The declarations that `statement` changes, takes the address of or binds to a reference, with the first such place.
std::map<const clang::ValueDecl *, clang::SourceRange> changedIn(const clang::Stmt *statement);

/// Does the statement, or a lambda within it, name the variable?
bool mentions(const clang::Stmt *statement, const clang::ValueDecl &variable);
/// How often it does.
int namings(const clang::Stmt *statement, const clang::ValueDecl &variable);

/// The body of the function that declares the variable; null: it has none.
const clang::Stmt *homeOf(const clang::VarDecl &variable);

/// Are two places the same but for the last subscript?
bool isBeside(const Place &a, const Place &b);

/// Does the function name the variable outside the statement?
bool isNamedOutside(const clang::VarDecl &variable, const clang::Stmt &statement);
/// Does the statement read elements, or call what may?
bool readsMemory(const clang::Stmt *s);
/// Does it point to structures, which may lie behind each other?
bool pointsToRecords(clang::QualType type);
/// Do two pointers lead to elements of one object?
bool areAmongTheSame(const Object &a, const Object &b);

/// The integer that a loop's head alone sets and steps, `for (i = 0; i < n; i++)`; null: there is none.
const clang::VarDecl *headVariable(const clang::ForStmt &loop, const clang::ASTContext &context);

/// Does the expression name an object that it makes itself?
bool isTemporary(const clang::Expr *e);

/// The expression, but for copies of objects that are trivial, and conversions that change nothing.
const clang::Expr *bare(const clang::Expr *e);
/// What makes an object, where conversions lead to it.
const clang::Expr *withoutConversions(const clang::Expr *e);
/// The type of the numbers in arrays and std::arrays of such; of another type itself.
clang::QualType scalarIn(clang::QualType type, const clang::ASTContext &context);
/// The lengths of an array or std::array, of the arrays in it too; none: it is none.
std::vector<std::int64_t> lengthsOf(clang::QualType type, const clang::ASTContext &context);

/// The expression, but for copies of iterators and conversions between them.
const clang::Expr *bareIterator(const clang::Expr *e);

/// A step of an iterator of a class by one element: ++i, i++, --i or i--.
struct IteratorStep {
  const clang::Expr *target = nullptr;
  bool isUp = true, isPostfix = false;
};
std::optional<IteratorStep> iteratorStep(const clang::Stmt *s);
/// How far `i += n` or `i -= n` moves an iterator of a class; null: another expression.
const clang::CXXOperatorCallExpr *iteratorMove(const clang::Stmt *s);
/// Is it the type of an iterator that is a class, of elements that lie one by one?
bool isIteratorClass(clang::QualType type);

/// Is it std::ranges::iota_view?
bool isCountingView(clang::QualType type);

/// Does some part of the value become an integer from a floating-point number? No bound of a loop says what it is, and
/// from 2^63 on it has another value with a sign.
bool comesFromReal(const Expr &value);
/// Select(condition, then, otherwise), or the Min, Max that is equal to it for every operand, NaN included.
Expr choose(const Expr &condition, const Expr &then, const Expr &otherwise);
/// The operation of an arithmetic or logical operator; absent: another one.
std::optional<Op> arithmetic(clang::BinaryOperatorKind kind);

/// Where a statement may leave the straight order: nowhere, to the end of a loop's turn, of a turn or of the loop, or
/// of the function.
enum class Until { Block, Turn, Leave, Return };

/// A declaration, and a while or do loop behind it that counts it.
struct CountedFrom {
  const clang::Stmt *declaration = nullptr, *loop = nullptr;
};

/// Where a variable is before a loop, and how far each turn moves it.
struct Moved {
  const clang::VarDecl *variable = nullptr;
  Expr first, each;
};

/// A loop that data end before its count does (data_ended.cpp).
struct EndingLoop {
  const clang::Stmt *loop = nullptr, *body = nullptr;
  std::vector<const clang::Expr *> asked; // what must hold too, so that it goes on
  bool asksLast = false;                  // behind each turn, not before
  std::string goesOn;                     // 1 as long as it goes on
  std::string turned;                     // how many turns came to their end; empty: nobody asks
  std::vector<Moved> moved;               // what it moved
  std::map<const clang::VarDecl *, std::pair<std::string, Expr>>
      partly;                        // how far the turn that is left has moved a variable, and where the turn began
  const clang::Expr *step = nullptr; // what a loop that does not count does behind each turn; null: nothing
  bool isUncounted = false;          // nothing but data end it
};

/// How a function that is called is left from within its loops: by a variable that is 1 then, and the body of the loop
/// that is being read; null: none is that may be left so.
struct Leaving {
  std::string flag;
  const clang::Stmt *body = nullptr;
};

/// A loop whose turns exchange what variables stand for.
struct Rotation {
  std::size_t period = 0; // turns until they stand for what they did before
  std::set<const clang::VarDecl *> variables;
  std::set<const clang::Stmt *> moves; // statements of the loop's body
};

/// What calls within the statement that is being read have changed, and how many statements were there then.
struct CallEffects {
  std::set<std::string> changed;
  std::size_t end = 0;
};

/// So many rows of elements, each of which is one of these extents, outermost first.
struct Grid {
  Expr rows;
  std::vector<Expr> columns;
  [[nodiscard]] Expr row() const; // the elements of one
};

/// What has been read so far; a copy of it undoes what is read on trial.
struct ReaderState {
  using Binding = std::variant<Expr, Place, Object>;
  using Bindings = std::map<const clang::ValueDecl *, Binding>;

  Function function;
  std::set<std::string> names;
  Bindings bindings;
  std::map<const clang::ValueDecl *, clang::SourceRange> changed;
  Knowledge knowledge;
  std::set<std::string> unsignedWide; // parameters that may be 2^63 and more, where 64 bits with a sign carry them
  std::set<std::string> counters;     // variables of 64 bits without a sign, which stay below 2^63
  bool checksWraps = true;            // false: while a loop's own limit is being found
  bool underCondition = false;        // in a branch, which may not run
  bool readsAtOnce = false;           // what subscripts read is read by the statement that is being read
  bool holdsIndices = false;          // a subscript that may change is kept in a variable, as a reference keeps it
  Body *sink = nullptr;               // where a call within an expression may put statements; absent: nowhere
  std::vector<SourceRange> calls;     // that are being read in place, outermost first
  unsigned bitsOfResult = 0;          // of what a helper returns: so many low ones count; 0: all
  std::vector<EndingLoop> dataEnds;   // the loops around the current place that data end
  std::optional<Place> resultPlace;   // where return statements of a call put their value
  std::optional<Leaving> leaving;     // of the function that is called, once it may return out of a loop
  bool hasLeft = false;               // what was read last leaves such a loop, whatever it does
  std::set<const clang::ForStmt *> turnsOnce;             // made of do loops: they turn before their condition is asked
  std::map<const clang::Stmt *, CountedFrom> countedFrom; // for loops that the source does not have
  std::set<const clang::Stmt *> chained;                // assignments that were read, whose values are what they wrote
  std::set<const clang::VarDecl *> followed;            // variables that stand for what statements made of them last
  std::set<const clang::Stmt *> alreadyStepped;         // what has stepped one of them in the statement being read
  std::set<const clang::ValueDecl *> walking;           // pointers and iterators that a loop moves
  std::map<std::string, SourceRange> writtenIntegers;   // arrays of integers that are written, with a place
  std::map<std::string, Refusal> unread;                // of those, which a function of its own sets, and why it does
  std::map<std::string, SourceRange> frozen;            // arrays that subscripts, bounds and inlined numbers read
  std::map<std::string, SourceRange> choosing;          // of those, what subscripts of values read where they stand
  std::vector<std::pair<Type, std::string>> references; // numbers taken once that lie where others may write
  std::map<std::string, SourceRange> fixedParts;        // integer arrays of objects of which elements are numbers
  std::map<std::string, SourceRange> stillRead;         // arrays that copies still read, with a copy
  std::map<std::string, Object> heldBy;                 // arrays of containers' elements, with the container
  std::optional<Object> self;                           // what `this` points to
  std::set<std::string> derived; // variables of the function around a part in which it may have put pointers of others
  std::map<std::string, Refusal> partlyRead; // arrays of containers of which loops that data end may read less
  std::set<std::string> owned;               // of `references`, those of arguments that hold their elements themselves
  std::set<std::string> owners;              // those arguments
  std::set<std::string> fresh;               // of those, containers whose elements nothing else leads to that is older
  std::map<const clang::VarDecl *, const clang::APValue *> constants; // what loops over constant tables are at
  std::size_t copies = 1;                                             // of the loop body that is being read
  std::map<const clang::Stmt *, Rotation> rotations;                  // of loops of the function's body
  std::set<const clang::VarDecl *> rotating;                          // all variables that these exchange
  std::map<std::string, Grid> rowsOfSize;                             // a size as so many rows of so many elements
  CallEffects callEffects;                                            // of the statement that is being read
  std::vector<std::vector<unsigned>> orders;             // where each parameter, as it was met, stands among the others
  std::vector<const clang::VarDecl *> changedParameters; // numbers by value, which the function keeps in variables
  std::vector<Expr> askedNonNegative;                    // expressions over parameters that entries ask to be >= 0
  std::set<std::string> asWords;                // arrays whose elements stand for what is congruent to them modulo 2^64
  bool wordsWrap = true;                        // false: in a loop's condition, which says how often it turns
  std::optional<Object> resultObject = {};      // where return statements of a call put the members of an object
  bool returnsEarly = false;                    // out of loops, of the function that is called
  const clang::CallExpr *standsAlone = nullptr; // a call that is all of a statement: what it changes is changed there
};

class Reader : ReaderState {
public:
  Reader(clang::ASTContext &clangContext, const clang::FunctionDecl &clangFunction, const ReadFor &what,
         std::string name);
  Function read();
  Function read(const std::vector<const clang::Stmt *> &region);

private:
  using Statements = std::vector<const clang::Stmt *>;
  using ReadInto = std::function<void(Body &)>;
  using Given = std::variant<Expr, Place>; // what an algorithm calls a function with: a value, or an element

  /// What has been read, when all of its statements have: what they say together is derived.
  Function finished();
  void readParameters();
  [[nodiscard]] SourceRange defaultOf(const clang::VarDecl &variable) const;
  void readParameter(const clang::VarDecl &parameter, clang::QualType type, unsigned place);
  bool readObject(const clang::VarDecl &parameter, clang::QualType type, unsigned place);
  [[nodiscard]] Argument argumentOf(const clang::VarDecl &variable) const;
  void readCaptured(const clang::VarDecl &variable, unsigned place);
  void readScope(const std::vector<const clang::Stmt *> &region,
                 const std::map<const clang::ValueDecl *, clang::SourceRange> &everywhere);
  std::string spelled(clang::QualType type) const;
  std::string access(const Object &object, const clang::FieldDecl &field);
  [[nodiscard]] Object partIn(const Object &object, const clang::FieldDecl &field) const;
  Part &partOf(const Object &object, Part::Kind kind, std::int64_t element = -1);
  Part &elementsPartOf(const Object &object);
  std::string takenName(const Object &object, const std::string &part);
  Expr takenNumber(const Object &object, const std::string &part, unsigned rank, const std::string &taken, Type type,
                   clang::QualType limits);
  Place takenArray(const Object &object, const std::string &part, unsigned rank, Array array, std::string taken);
  Binding member(const Object &object, const clang::FieldDecl &field, const SourceRange &where);
  Binding memberOf(const clang::MemberExpr &expression);
  Object objectOf(const clang::Expr *expression);
  std::optional<Object> known(const clang::Expr *expression);
  Object constructed(const clang::Expr *init);
  bool openMembers(const clang::CXXRecordDecl &record, ObjectFields &fields, const SourceRange &where);
  static Object complexOf(clang::QualType type, const Expr &re, const Expr &im);
  Object complexGiven(const Object &object, const SourceRange &where);
  std::pair<Expr, Expr> complexParts(const clang::Expr *expression);
  std::pair<Expr, Expr> complexResult(const std::string &name, const std::pair<Expr, Expr> &a,
                                      const std::pair<Expr, Expr> &b, const clang::Expr &where);
  std::optional<Object> complexMade(const clang::Expr *expression);
  Expr numberOfComplex(const clang::CallExpr &call);
  bool changesComplex(const clang::CallExpr &call, Body &out);
  std::optional<Object> elementOf(const Object &object, clang::QualType element, const Expr &index,
                                  const SourceRange &where);
  std::optional<Object> elementAt(const clang::Expr &expression);
  std::optional<Object> elementsFrom(const clang::Expr &expression);
  std::optional<Object> pointedElement(const Object &object, clang::QualType element, const SourceRange &where);
  std::shared_ptr<const ObjectFields> fieldsAt(const clang::RecordDecl &record, std::int64_t before, const Expr &index,
                                               const RecordRows &rows);
  std::shared_ptr<const ObjectFields> packedFields(const clang::RecordDecl &record, const Expr &index,
                                                   const RecordRows &rows, std::map<Type, std::int64_t> &next);
  [[nodiscard]] std::map<Type, std::int64_t> numbersIn(clang::QualType element) const;
  std::optional<Object> ownRecords(const std::string &name, clang::QualType type, clang::QualType element,
                                   const Expr &count, const SourceRange &where);
  void defaultsOf(const clang::CXXRecordDecl &record, const Object &target, const clang::Expr &made, Body &out);
  void beginRecords(const Object &object, clang::QualType element, const clang::Expr &made, Body &out);
  void copyRecords(const Object &to, const Object &from, clang::QualType element, const clang::Expr &copy, Body &out);
  bool declareRecords(const clang::VarDecl &variable, Body &out);
  bool assignRecords(const clang::CallExpr &call, Body &out);
  void share(const Object &object, const Place &place, const SourceRange &where);
  Object held(const Object &object, const SourceRange &where);
  void checkCopies() const;
  [[nodiscard]] bool needsCopy(const Object &object) const;
  Place declareScratch(const clang::VarDecl &variable, clang::QualType element,
                       const std::vector<const clang::Expr *> &counts);
  Expr valueOfEach(const clang::CXXConstructExpr &made, const Array &array, const SourceRange &where);
  bool declareVector(const clang::VarDecl &variable, Body &out);
  bool declareOwned(const clang::VarDecl &variable, Body &out);
  bool declareFixed(const clang::VarDecl &variable, Body &out);
  bool declareReturned(const clang::VarDecl &variable, const clang::CallExpr &call, Body &out);
  bool declareListed(const clang::VarDecl &variable, const clang::InitListExpr *list, Body &out);
  bool clears(const clang::CallExpr &call, Body &out);
  bool allocates(const clang::VarDecl &variable, Body &out);
  void fillWith(const Array &array, const Expr &value, const SourceRange &where, Body &out);
  void freeze(const Expr &value, const SourceRange &where);
  void trackIndices();
  void checkIntegers();
  bool liesApart(const std::map<std::string, Type> &numbers, const std::string &array);
  void checkIndices() const;
  void countChosen();
  void chooses(const Expr &value, const SourceRange &where);
  Expr readAtOnce(const clang::Expr *expression);
  void holdAccumulators();
  void releases(const clang::Expr &pointer, const SourceRange &where);
  void declareObject(const clang::VarDecl &variable, Body &out);
  bool declareCopy(const clang::VarDecl &variable, Body &out);
  Place elementsOf(const Object &object, const SourceRange &where);
  [[nodiscard]] Array arrayFor(const Object &object, clang::QualType element, const SourceRange &where) const;
  /// A place whose first `chosen` subscripts are said.
  struct Row {
    Place place;
    std::size_t chosen = 0;
  };
  /// What a range-based loop goes over: the first element, or the first row, and how many there are.
  struct Rows {
    Place place;
    Expr count;
    bool areRows = false;
  };
  std::optional<Row> rowsOf(const Object &object, const SourceRange &where);
  [[nodiscard]] Row rowOf(const Place &place) const;
  [[nodiscard]] Row within(const Row &row, const Expr &number, clang::QualType element) const;
  std::optional<Row> arrayAt(const clang::Expr &expression);
  void copyArray(const Row &to, const Row &from, clang::QualType type, const SourceRange &where, Body &out);
  void listedIn(const Row &row, clang::QualType type, const clang::Expr *given,
                std::vector<std::pair<Place, Expr>> &all);
  bool assignArray(const clang::CallExpr &call, Body &out);
  Place arrayOf(const std::string &name, Type element, clang::QualType type, const SourceRange &where);
  Place arrayMember(const std::string &name, clang::QualType type, const clang::Expr *given, const SourceRange &where);
  [[nodiscard]] bool holdsArrays(const Object &object) const;
  void freezeParts(const Object &object, const SourceRange &where);
  std::optional<Row> rowAt(const clang::Expr &expression);
  std::optional<Place> inRow(const clang::Expr &given, const std::string &name, const clang::CallExpr &call);
  std::optional<Rows> rowsIn(const clang::Expr &range, const SourceRange &where);
  std::optional<Object> rowApart(const Object &object, const Expr &number, const SourceRange &where);
  std::optional<Object> rowApartAt(const clang::Expr &expression);
  std::vector<Expr> lengthsApart(const Object &object, std::size_t levels);
  Place allApart(const Object &object, const SourceRange &where);
  Place bitsOf(const Object &object, const SourceRange &where);
  Place bitsAsBytes(const Object &object, const SourceRange &where);
  std::optional<Place> placeOfBit(const clang::Expr *expression);
  Expr bitAt(const clang::Expr *expression);
  bool assignsBit(const clang::CallExpr &call, Body &out);
  bool declareApart(const clang::VarDecl &variable, Body &out);
  bool setsAll(const clang::CallExpr &call, Body &out);
  Expr countOf(const Object &object, const SourceRange &where);
  Expr takenLength(const Object &object, const std::string &part, const std::string &taken);
  Expr numberAsked(const AskedElement &asked, const Object &object, const SourceRange &where);
  bool isContainer(const Object &object) const;
  bool ownsElements(const Object &object) const;
  void haveNoRows(const Object &object, const SourceRange &where) const;
  void listedLoop(const clang::CXXForRangeStmt &loop, const clang::InitListExpr &list, Body &out);
  std::optional<std::pair<Place, Expr>> elementsFromBegin(const clang::CXXForRangeStmt &loop,
                                                          const clang::VarDecl &range, const Object &object);
  bool countsOver(const clang::CXXForRangeStmt &loop, Body &out);
  void rangeLoop(const clang::CXXForRangeStmt &loop, Body &out);
  Expr memberCall(const clang::CallExpr &call, const clang::CXXMethodDecl &method, unsigned bits);
  Expr standardCall(const Object &object, const std::string &name, const clang::CallExpr &call);
  Place placeOfCall(const clang::CallExpr &call, bool isPointer);
  Place placeIn(const Statements &statements, bool isPointer, const clang::CallExpr &call);
  const clang::Expr *objectIn(const clang::CallExpr &call) const;
  void sortArguments();
  void learnLimits(const std::string &name, clang::QualType type);
  void readSelf();
  void nest();
  [[nodiscard]] unsigned outermost() const;
  void keepInVariable(const clang::VarDecl &parameter, Body &out);
  void readBody();
  void nameGlobals(const clang::Stmt *statement);
  void sortParameters();

  [[nodiscard]] bool isOverParameters(const Expr &e) const;
  [[nodiscard]] bool needsSize(const Expr &e) const;
  Expr derivedSize(const Expr &e);
  bool assumeFits(const Expr &product);
  Expr sizeFor(const Expr &meaning, const Expr &exact, const std::string &called);
  std::optional<Loop> unflattened(const Loop &loop);
  Body unflattened(const Body &body);
  [[nodiscard]] Body inProducts(const Body &body) const;
  void deriveSizes();

  [[nodiscard]] Linear overSizes(const Expr &subscript) const;
  [[nodiscard]] bool haveShape(const std::vector<Expr> &subscripts, const std::map<std::string, Expr> &products) const;
  [[nodiscard]] std::vector<std::string> singleStrides(const std::vector<Expr> &subscripts) const;
  [[nodiscard]] std::optional<std::map<std::string, Expr>> asDividends(const std::vector<Expr> &subscripts) const;
  std::map<std::string, Expr> asMultiples(const std::vector<std::string> &strides);
  std::map<std::string, Expr> relations(const std::vector<Expr> &subscripts);
  void relateStrides();
  Body byRows(const Body &body);
  std::optional<Loop> inRows(const Loop &loop);
  Loop overGrid(const Loop &loop, const Grid &grid);
  [[nodiscard]] std::vector<Expr> columnsIn(const std::vector<Expr> &subscripts) const;
  std::optional<Grid> rowsIn(const Expr &count, const std::vector<Expr> &subscripts);

  void declare(const clang::VarDecl &variable, Body &out);
  void declareScalar(const clang::VarDecl &variable, Type type, Body &out);
  void declareArray(const clang::VarDecl &variable, Body &out);
  void declarePointer(const clang::VarDecl &variable, Body &out);
  void declareReference(const clang::VarDecl &variable);
  Binding referredTo(const clang::VarDecl &variable);
  void declareGlobal(const clang::VarDecl &variable, const SourceRange &use);
  [[nodiscard]] Type localType(clang::QualType type) const;
  [[nodiscard]] bool mayChange(const Expr &value) const;
  bool inlines(const clang::VarDecl &variable, const Expr &value, Type type) const;
  void initialise(const Array &array, const clang::Expr *init, const SourceRange &where, Body &out);
  void initialiseList(const Array &array, std::vector<Expr> subscripts, const clang::InitListExpr &list, Body &out);
  void fill(const Array &array, const SourceRange &where, Body &out);
  const Array &addArray(Array array);
  std::vector<Expr> extentsOf(clang::QualType type, const SourceRange &where);
  Expr fixedExtent(const clang::Expr *size);
  clang::QualType elementOf(clang::QualType type) const;
  std::string unique(const std::string &name);

  void statement(const clang::Stmt *statement, Body &out);
  void plainStatement(const clang::Stmt *statement, Body &out);
  void dataStatement(const clang::Stmt &s, Body &out);
  bool outlines(const clang::Stmt &s, bool isTurn, const Refusal &why, Body &out);
  std::optional<Refusal> refusedBy(const std::function<void()> &read, Body *into);
  void loopBody(const clang::Stmt &body, Body &out);
  [[nodiscard]] bool isCount(const clang::Expr &condition, const clang::Stmt &loop) const;
  bool endsByData(const clang::Stmt &s, Body &out);
  void startValues(const clang::Stmt &source, Body &out);
  void readEnding(const clang::Stmt &loop, EndingLoop ending, const clang::Stmt &source, Body &out);
  EndingLoop *endOf(const clang::Stmt &loopOrBody);
  void turnUntilData(const clang::Stmt &body, Body &out);
  void turnsUncounted(const clang::Stmt &loop, Body &out);
  void asked(const EndingLoop &ending, const ReadInto &goesOn, Body &out);
  void goesNoFurther(const SourceRange &where, Body &out);
  void leftAt(const EndingLoop &ending, const clang::Stmt &source, Body &out);
  void mayRunOn(const Loop &loop, const std::string &flag);
  [[nodiscard]] std::optional<Refusal> endedByData(const clang::Stmt &s, const Refusal &other, Body &out);
  void note(const Outlined &outlined);
  [[nodiscard]] std::string statementText(const clang::Stmt &s, bool isTurn, const OutlinedLoop &loop) const;
  void leave(const OutlinedLoop &loop, const Expr &call, const Refusal &why, Body &out);
  [[nodiscard]] std::optional<std::vector<const clang::VarDecl *>>
  leftBy(const clang::Stmt &s, const std::vector<const clang::VarDecl *> &used) const;
  std::string unusedName(std::string name);
  [[nodiscard]] bool isSayable(const clang::Stmt &s, const std::vector<const clang::VarDecl *> &used) const;
  Expr touchedWhere(const NumberAround &element, const std::map<const clang::ValueDecl *, clang::SourceRange> &changes);
  std::vector<NumberTaken> numbersOf(const NumberAround &element);
  [[nodiscard]] std::string listOf(const clang::CXXRecordDecl &record, const std::vector<std::string> &parameters,
                                   std::size_t &next) const;
  bool takeElements(const clang::Stmt &s, const NumbersAround &around, OutlinedLoop &loop);
  bool take(const ElementTaken &one, const SourceRange &where, OutlinedLoop &loop);
  bool takeVariables(const clang::Stmt &s, const std::vector<const clang::VarDecl *> &used, OutlinedLoop &loop);
  [[nodiscard]] Expr given(const Expr &number, clang::QualType type, const SourceRange &where) const;
  void holdsBits(const std::string &name, clang::QualType type);
  [[nodiscard]] CarriedText carriedText(clang::QualType type, const std::string &text) const;
  [[nodiscard]] std::string renamed(const clang::Stmt &s, const OutlinedLoop &loop) const;
  [[nodiscard]] std::string textOf(const std::string &text, const std::string &name, const OutlinedLoop &loop) const;
  Place unfollowed(const clang::VarDecl &variable);
  void expressionStatement(const clang::Expr *expression, Body &out);
  Expr steppedFrom(const clang::UnaryOperator &operation, const Expr &old);
  Expr steppedWithin(const clang::UnaryOperator &operation);
  void step(const clang::UnaryOperator &operation, Body &out);
  void callStatement(const clang::CallExpr &call, Body &out);
  void assign(const clang::BinaryOperator &assignment, Body &out);
  void assign(const clang::VarDecl &variable, const clang::BinaryOperator &assignment);
  Expr compounded(const clang::CompoundAssignOperator &assignment, const Expr &old, const Expr &by, bool inFloat);
  void declareHead(const clang::IfStmt &branch, Body &out);
  void branch(const clang::IfStmt &branch, Body &out);
  void branch(const clang::IfStmt &branch, const Statements &thenStatements, const Statements &elseStatements,
              Until until, Body &out);
  void turn(const Statements &statements, Until until, Body &out);
  void findRotations();
  void rotatedTurn(const clang::ForStmt &loop, const Rotation &rotation, Body &out);
  bool mayExchange(const Binding &a, const Binding &b, const SourceRange &where);
  bool haveAsMany(const Object &a, const Object &b, const SourceRange &where);
  [[nodiscard]] const clang::CallExpr &exchangeOf(const Rotation &rotation) const;
  void giveBack(const Rotation &rotation, const Bindings &before, Body &out);
  void exchangeElements(const Object &one, const Object &other, bool isLast, const clang::CallExpr &call, Body &out);
  bool rotated(const clang::ForStmt &loop, const Statements &rest, Until until, Body &out);
  bool exchangesContainers(const clang::CallExpr &call, Body &out);
  std::optional<bool> areSame(const clang::Expr &first, const clang::Expr &second);
  void returned(const clang::ReturnStmt &result, Body &out);
  void valueForNothing(const clang::Expr &value, Body &out);
  void loop(const clang::ForStmt &loop, Body &out);
  void forget(const Knowledge &outside, const std::set<std::string> &wide);
  const clang::VarDecl *inductionOf(const clang::ForStmt &loop, const clang::Expr *&init, Body &out);
  Expr loopCondition(const clang::Expr *condition);
  Expr conditionOfLoop(const clang::Expr *condition);
  const clang::ParmVarDecl *countedBy(const clang::Expr *condition, const clang::VarDecl &variable) const;
  void count(const clang::ParmVarDecl &parameter);
  Expr limitWithoutWraps(const clang::ForStmt &loop, const clang::VarDecl &variable, const Expr &first,
                         const Expr &symbol, std::int64_t step);
  Expr stepOf(const clang::Expr *increment, const clang::VarDecl &variable);
  void stridedLoop(const clang::ForStmt &loop, const clang::VarDecl &variable, const Expr &first, const Expr &step,
                   Body &out);
  Expr limitByFactor(const Expr &condition, const Expr &difference, const Expr &variable, std::int64_t step);
  Expr limitOf(const Expr &condition, const Expr &variable, std::int64_t step, const SourceRange &where);
  [[nodiscard]] bool isAskedOnce(const Expr &condition) const;
  Expr farWhere(const Expr &condition);
  bool isNear(const Expr &e);
  Expr unchosen(const Expr &bound, Op tight);
  Expr inOneComparison(const Expr &condition);
  Expr limitUntil(const Expr &condition, const Expr &variable, const Loop &range, const SourceRange &where);
  const clang::Stmt *withoutFirstBreaks(const clang::ForStmt &loop, Loop &range, const Expr &variable);
  void meets(const Expr &condition, const Expr &variable, const Expr &first, std::int64_t step,
             const clang::Expr &written);
  Expr bound(const clang::Expr *expression);
  void checkBound(const Expr &bound, const SourceRange &where);
  Expr measured(const Expr &bound, const std::string &name, const SourceRange &where);
  Expr dataSize(const Expr &value, const std::string &name, const SourceRange &where);
  [[nodiscard]] bool isMeasured(const Loop &loop) const;
  Expr measure(Loop &loop, const Expr &symbol);
  Body guarded(const Body &body, const Expr &condition, bool holds, std::size_t firstLocal, const SourceRange &where);
  void guard(const Expr &condition, const Body &then, const Body &otherwise, std::size_t firstLocal,
             const SourceRange &where, Body &out);
  Body under(const Expr &condition, const ReadInto &read);
  void choice(Expr condition, const ReadInto &readThen, const ReadInto &readOtherwise, const SourceRange &where,
              const SourceRange &tested, Body &out);
  Expr kept(const Expr &condition, const SourceRange &where, Body &out);
  void cases(const clang::SwitchStmt &choice, Body &out);
  Expr chosenBy(const clang::SwitchStmt &choice);
  Expr isLabel(const Expr &chosen, const clang::Expr &label);
  Expr resultOfCases(const clang::SwitchStmt &choice, const Statements &rest, const clang::CallExpr &call);
  [[nodiscard]] Statements counted(Statements statements);

  /// A loop by its parts: when it is asked whether it goes on, and what a turn does.
  struct Turning {
    const clang::Stmt *loop;
    const clang::Expr *condition;
    const clang::Stmt *body, *step; // the step is behind the body; null: there is none
    bool asksLast;
  };
  /// A variable that each turn of a loop moves by the same.
  struct Induction {
    const clang::VarDecl *variable;
    Expr first, each; // where it is before the loop, and how far it gets in a turn
    Expr asked;       // how far into a turn it is where the condition is asked
  };
  using Inductions = std::vector<Induction>;
  using Variables = std::vector<const clang::VarDecl *>;
  [[nodiscard]] Variables movedIn(const Statements &parts) const;
  Inductions onTrial(const Variables &moved, const Expr &turn, const SourceRange &where,
                     const std::function<void(Inductions &)> &read);
  Expr perTurn(const Induction &one, const Expr &turn, const SourceRange &where);
  void moveTo(const Inductions &all, const Expr &turn, const clang::Stmt &loop);
  void leave(const Inductions &all, const Expr &count, const clang::Stmt &loop);
  Inductions inTurns(const Expr &turn, const Statements &inside, const clang::Stmt &loop, const ReadInto &read,
                     Body &out);
  Expr asks(const Turning &loop);
  void readTurn(const Turning &loop, const std::function<void()> &asking, Body &out);
  Expr turnsOf(const Turning &loop, const Inductions &all);
  static std::string nameOfTurn(const Induction &one);
  bool turns(const Turning &loop, Body &out);
  bool turns(const clang::ForStmt &loop, Body &out);
  bool start(const clang::Stmt *init, Variables &begun, Body &out);
  [[nodiscard]] Expr inEveryTurn(Expr fact) const;
  void promised(const clang::ConditionalOperator &test);

  Expr value(const clang::Expr *expression, unsigned bits = 0);
  Expr valueOf(const clang::Expr *expression, unsigned bits);
  Expr memberValue(const clang::MemberExpr &access, unsigned bits);
  Expr variable(const clang::DeclRefExpr &reference, unsigned bits);
  Expr cast(const clang::CastExpr &cast, unsigned bits);
  Expr integralCast(const clang::CastExpr &cast, unsigned bits);
  Expr unary(const clang::UnaryOperator &operation, unsigned bits);
  Expr negated(const clang::UnaryOperator &operation, unsigned bits);
  Expr complement(const clang::UnaryOperator &operation, unsigned bits);
  Expr bitwise(const clang::BinaryOperator &operation, unsigned bits);
  Expr onBits(clang::BinaryOperatorKind kind, clang::QualType type, const Expr &left, const Expr &right,
              const clang::Expr &where);
  Expr modulo(Op op, clang::QualType type, const Expr &left, const Expr &right, const clang::Expr &where);
  [[nodiscard]] Type computedIn(clang::QualType type) const;
  [[nodiscard]] std::optional<std::int64_t> patternOf(const clang::Expr *expression) const;
  Expr binary(const clang::BinaryOperator &operation, unsigned bits);
  bool isCarried(const clang::Expr *expression) const;
  Expr carried(const clang::Expr *expression);
  Expr compare(clang::BinaryOperatorKind kind, Expr left, Expr right, const clang::Expr &where) const;
  Expr conditional(const clang::ConditionalOperator &operation);
  Expr convert(const Expr &value, Type type, const SourceRange &where) const;
  Expr subscript(const clang::Expr *expression);
  Type typeOf(const clang::Expr *expression) const;
  Expr node(Op op, Type type, std::vector<Expr> args, const clang::Expr *expression) const;
  Expr fitting(const Expr &value, clang::QualType type, const clang::Stmt *place);
  [[nodiscard]] bool isWord(clang::QualType type) const;
  [[nodiscard]] bool mayBeBig(const Expr &value) const;
  [[nodiscard]] Expr modular(const Expr &value) const;
  Expr wrapping(const Expr &value, clang::QualType type, const clang::Stmt *place);
  Expr bitCall(const std::string &name, const clang::CallExpr &call);
  Expr shiftedRight(const Expr &word, const Expr &by, const clang::Expr &where) const;
  Expr wordOperation(Op op, const Expr &left, const Expr &right, const clang::Expr &where) const;
  Expr extremeOf(bool isMax, const Expr &left, const Expr &right, const clang::Expr &where) const;
  Expr exchanged(const clang::CallExpr &call);
  [[nodiscard]] Expr rotated(const Expr &word, const Expr &by, std::int64_t width, const clang::CallExpr &call) const;
  Expr converted(const Expr &value, clang::QualType type) const;
  [[nodiscard]] bool countsUp(const Expr &sum) const;
  [[nodiscard]] bool isCounting(const clang::Expr &target) const;
  Expr countedOn(const Expr &value, const clang::Expr &target);
  Expr storedIn(const Array &array, const Expr &value, const SourceRange &where) const;
  void assume(const Expr &condition);
  void learnFrom(const Expr &condition);
  void assumeNonNegative(const Expr &value);
  void assumeFactors(const Expr &value);
  void remember(const Expr &value);
  [[nodiscard]] unsigned widthOf(clang::QualType type) const;
  [[nodiscard]] bool mayWrap(clang::QualType type) const;
  [[nodiscard]] unsigned lowBits(clang::QualType type, unsigned bits) const;
  [[nodiscard]] Interval limitsOf(clang::QualType type) const;
  Expr constantOf(const clang::Expr *expression) const;
  Expr constantOf(const clang::VarDecl &variable) const;
  Expr constantOf(const clang::APValue &value, clang::QualType type) const;

  Expr call(const clang::CallExpr &call, unsigned bits = 0);
  Expr libraryCall(const std::string &name, const clang::CallExpr &call);
  Expr classify(const std::string &name, const Expr &argument, const clang::CallExpr &call) const;
  std::optional<Place> iterator(const clang::Expr *expression);
  std::optional<std::pair<Place, Expr>> apart(const clang::Expr &first, const clang::Expr &last);
  std::optional<std::pair<Place, Expr>> elementsBetween(const clang::Expr *first, const clang::Expr *last);
  void staysInRow(const Place &first, const Expr &count, const SourceRange &where) const;
  std::pair<Place, Expr> elementsGiven(const clang::CallExpr &call);
  void eachOf(const Expr &count, const std::string &name, const SourceRange &where,
              const std::function<void(const Expr &, Body &)> &read, Body &out);
  void eachTurn(const Expr &count, const std::string &name, const clang::Stmt *inside, const clang::Stmt &loop,
                const std::function<void(const Expr &, Body &)> &read, Body &out);
  bool walks(const clang::ForStmt &loop, Body &out);
  Place variableFor(const std::string &name, Type type, const SourceRange &where);
  void leavesOrderToLibrary(const clang::CallExpr &call);
  Expr summed(const clang::CallExpr &call);
  Expr extreme(const clang::Expr *found);
  [[nodiscard]] bool storesAlike(const clang::CallExpr &call, const Expr &constant, unsigned place) const;
  bool runs(const clang::CallExpr &call, Body &out);
  bool maps(const clang::CallExpr &call, Body &out);
  void transforms(const clang::CallExpr &call, Body &out);
  void scans(const clang::CallExpr &call, Body &out);
  void numbers(const clang::CallExpr &call, Body &out);
  void reverses(const clang::CallExpr &call, Body &out);
  bool assignsToAll(const clang::CallExpr &call, Body &out);
  Array written(const Place &place, const SourceRange &where);
  void exchange(const Place &a, const Place &b, const clang::CallExpr &call, Body &out);
  Expr elementOfType(const Array &array, clang::QualType element, const Expr &value, clang::QualType type,
                     const clang::CallExpr &call);
  Place secondRange(const clang::CallExpr &call, unsigned place, const Expr &count);
  void each(const Expr &count, const SourceRange &where, const std::function<void(const Expr &, Body &)> &read,
            Body &out);
  Expr folded(const clang::CallExpr &call);
  Expr counts(const clang::CallExpr &call);
  void canBeCompared(const clang::CallExpr &call, const SourceRange &where) const;
  std::optional<Place> found(const clang::CallExpr &call);
  std::optional<Place> bisected(const clang::CallExpr &call);
  std::optional<Place> firstThat(const clang::CallExpr &call);
  std::function<Expr(const Place &)> conditionGiven(const clang::CallExpr &call, bool isEqual);
  Expr distance(const clang::Expr &first, const clang::Expr &last, const clang::Expr &call);
  Expr betweenIterators(const clang::CallExpr &call);
  Expr orderOf(clang::BinaryOperatorKind kind, const clang::Expr &left, const clang::Expr &right,
               const clang::Expr &comparison);
  [[nodiscard]] bool follows(const clang::VarDecl &variable) const;
  [[nodiscard]] bool movesPlainly(const clang::VarDecl &variable) const;
  void follow(const clang::VarDecl &variable, const Binding &value, const SourceRange &where);
  [[nodiscard]] Expr numberOf(const clang::VarDecl &variable) const;
  [[nodiscard]] Binding at(const clang::VarDecl &variable, const Expr &number) const;
  Binding steps(const clang::UnaryOperator &operation);
  Binding steps(const clang::VarDecl &variable, bool isUp, bool isPostfix, const clang::Expr &operation);
  std::optional<Binding> stepsIterator(const clang::Expr &operation);
  bool movesIterator(const clang::CallExpr &call);
  Binding leadsTo(const clang::Expr &pointer);
  Expr betweenRecords(const clang::Expr &first, const clang::Expr &last);
  std::optional<Object> globalContainer(const clang::DeclRefExpr &reference);
  void forgetGlobals();
  [[nodiscard]] const clang::VarDecl *tableOf(const clang::VarDecl &variable) const;
  const clang::APValue *tableAt(const clang::Expr &expression);
  Expr tableElement(const clang::Expr &expression);
  [[nodiscard]] bool leadsByTable(const clang::Stmt *s, const clang::VarDecl &variable, bool leads) const;
  bool tabledLoop(const clang::ForStmt &loop, const clang::VarDecl &variable, const Loop &head, Body &out);
  void returningLoop(const clang::Stmt &loop, const Statements &rest, Until until, Body &out);
  void returnsFromLoop(const clang::ReturnStmt &result, Body &out);
  bool tabledRange(const clang::CXXForRangeStmt &loop, Body &out);
  void holdTables(const clang::Stmt *statement);
  [[nodiscard]] bool ownsElementsThroughout(const clang::VarDecl &variable) const;
  [[nodiscard]] bool isFresh(const clang::VarDecl &variable) const;
  void joinRows();
  const clang::VarDecl *followedIn(const clang::Expr *expression) const;
  [[nodiscard]] Bindings followedValues() const;
  void putBack(const Bindings &values);
  void merge(const Expr &condition, const Bindings &then, const Bindings &otherwise, const SourceRange &where);
  Expr isGiven(const clang::Expr *pointer);
  Expr fixedElement(const clang::Expr *expression);
  std::optional<Object> objectOfCall(const clang::CallExpr &call);
  std::optional<Object> objectReturned(const Statements &statements, const clang::CallExpr &call);
  std::optional<Object> objectByEquations(const clang::FunctionDecl &helper, const clang::CallExpr &call, bool stands);
  std::optional<Object> objectByStatements(const clang::FunctionDecl &helper, const clang::CallExpr &call);
  std::optional<Object> openObject(clang::QualType type, const std::string &name, const SourceRange &where);
  Object localOf(const Object &object, const SourceRange &where);
  void bindMember(const clang::FieldDecl &field, const clang::Expr *given, const SourceRange &where,
                  ObjectFields &fields);
  void bindPart(const clang::FieldDecl &field, const clang::Expr &given, const SourceRange &where,
                ObjectFields &fields);
  Object constructedBy(const clang::CXXConstructExpr &made, const clang::CXXConstructorDecl &constructor,
                       const SourceRange &where);
  void baseOf(clang::QualType type, const clang::Expr &given, const SourceRange &where, ObjectFields &fields);
  void nameParts(const clang::VarDecl &variable);
  const clang::BinaryOperator *assignsFirst(const clang::Expr *returned);
  void changesByMembers(const clang::Stmt *statement, std::set<const clang::FunctionDecl *> &seen);
  Expr madeAs(clang::QualType type, const clang::Expr &given);
  std::optional<Object> optionalMade(const clang::Expr *expression);
  std::optional<Object> tupleMade(const clang::Expr *expression);
  std::optional<Binding> partAsked(const clang::CallExpr &call);
  Expr numberAskedOf(const clang::CallExpr &call);
  Object optionalOf(clang::QualType type, const clang::Expr *given, const SourceRange &where);
  bool changesOptional(const clang::CallExpr &call, Body &out);
  bool assignsTied(const clang::CallExpr &call, Body &out);
  void assignEither(const clang::BinaryOperator &assignment, const clang::ConditionalOperator &target, Body &out);
  std::optional<Binding> memberAlong(const clang::ArraySubscriptExpr &expression);
  Object chosenObject(const clang::ConditionalOperator &choice);
  Object eitherObject(const Expr &condition, const Object &a, const Object &b, const clang::Expr &where);
  [[nodiscard]] Expr numberIn(const Binding &member, const clang::Expr &where) const;
  std::optional<Object> partOfSpan(const clang::CallExpr &call);
  std::optional<Object> spanMade(const clang::Expr *expression);
  Place copyOf(const Place &place, const std::string &name, clang::QualType type, const SourceRange &where, Body &out);
  Object ownCopy(const Object &object, const std::string &name, const SourceRange &where, Body &out);
  bool assignObject(const clang::CallExpr &call, Body &out);
  [[nodiscard]] bool readsNoneOf(const Object &object, const Object &other) const;
  void assignMembers(const Object &target, const Object &given, const clang::Expr &call, Body &out);
  Expr listed(bool isMax, const clang::CallExpr &call);
  Expr inlined(const clang::FunctionDecl &helper, const clang::CallExpr &call, unsigned bits = 0);
  Expr byEquations(const clang::FunctionDecl &helper, const clang::CallExpr &call, unsigned bits);
  Expr byStatements(const clang::FunctionDecl &helper, const clang::CallExpr &call);
  Expr called(const clang::FunctionDecl &helper, const clang::CallExpr &call, const Refusal &why);
  Expr calledAsSpelled(const clang::FunctionDecl &helper, const clang::CallExpr &call, const Refusal &why);
  void effects(const clang::FunctionDecl &helper, const clang::CallExpr &call, Body &out);
  const clang::FunctionDecl &bodyOf(const clang::FunctionDecl &helper, const clang::CallExpr &call);
  Bindings argumentsOf(const clang::FunctionDecl &body, const clang::CallExpr &call, bool changes);
  Binding argument(const clang::ParmVarDecl &parameter, const clang::Expr &given, bool changes);
  Binding standing(const clang::ParmVarDecl &parameter, const Expr &initial, bool changes, const SourceRange &where);
  Object objectArgument(const clang::ParmVarDecl &parameter, const clang::Expr &given, bool changes);
  void within(const clang::FunctionDecl &body, const clang::CallExpr &call, bool changes,
              const std::function<void(const Statements &)> &read);
  void within(const clang::FunctionDecl &body, const Bindings &arguments, const clang::Expr *given,
              const clang::CallExpr &call, const std::function<void(const Statements &)> &read);
  void givesNothingOf(const std::string &array, const clang::CallExpr &call);
  void keepsToItself(std::size_t from, std::size_t own, const std::string &who, const SourceRange &where) const;
  Binding given(const clang::ParmVarDecl &parameter, const Given &argument, bool changes, const clang::Expr &callable);
  clang::QualType withGiven(const clang::Expr &callable, const std::vector<Given> &arguments,
                            const clang::CallExpr &call, bool changes,
                            const std::function<void(const Statements &)> &read);
  std::pair<Expr, clang::QualType> applied(const clang::Expr &callable, const std::vector<Given> &arguments,
                                           const clang::CallExpr &call);
  Expr resultOf(const Statements &statements, const clang::CallExpr &call);
  Expr resultUnder(const Expr &condition, const Statements &statements, const clang::CallExpr &call);
  Expr resultAnyway(const Statements &statements, const clang::CallExpr &call, const Refusal &why);
  static bool isArgumentOf(const clang::ValueDecl &declared, const clang::CallExpr &call);
  [[nodiscard]] bool isNumberOfItsOwn(const clang::Expr &given) const;
  Expr afterEffects(std::size_t from, std::size_t own, const Expr &result, const clang::CallExpr &call);
  void settle(const Expr &value, const SourceRange &where);
  void settle(const Body &out, const SourceRange &where);
  void declareLambda(const clang::VarDecl &variable, Body *out);
  void mayCapture(const clang::CXXRecordDecl &closure, bool isCalledHere, const SourceRange &where, Body *out);
  void keepCaptured(const clang::VarDecl &captured, const SourceRange &where);

  Place lvalue(const clang::Expr *expression);
  Place pointer(const clang::Expr *expression);
  Place countOfItsOwn(const clang::VarDecl &variable);
  Place pointerVariable(const clang::DeclRefExpr &reference);
  Place addressOf(const clang::UnaryOperator &operation);
  void keepsQualifiers(const clang::CastExpr &cast) const;
  Expr elementAt(const Place &place, const clang::Expr *expression) const;
  [[nodiscard]] Expr inElements(const Place &place, clang::QualType pointee, const Expr &distance) const;
  Expr readAt(const Place &place, const clang::Expr *expression) const;
  const Array &arrayNamed(const std::string &name) const;
  const Array &wholeElement(const Place &place, const clang::Expr *expression) const;

  [[nodiscard]] SourceRange rangeOf(const clang::Stmt *statement) const;
  [[nodiscard]] SourceRange rangeOf(clang::SourceRange range) const;

  clang::ASTContext &context;
  const clang::FunctionDecl &definition;
  std::string file;
  bool isForDevice = false, turnsOn = false;
  NeedsMemory *needs = nullptr;
};

/// The members of a local object.
struct ObjectFields {
  std::map<const clang::FieldDecl *, ReaderState::Binding> members;
};

} // namespace polymend
