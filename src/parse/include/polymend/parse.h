// parse: C++ source -> Nest. The only room that sees Clang. A Nest is language-neutral and survives without Clang;
// every node has a source range, so that a refusal three rooms later still points at its line.
#pragma once

#include "polymend/expr.h"

#include <map>
#include <optional>
#include <variant>

namespace polymend {

struct Array {
  enum class Storage { Parameter, Local, Static, Return }; // Static: a global, or a function-local static
  std::string name; // unique within the function; the source's name where that is unique
  Type type = Type::Float32;
  std::vector<Expr> extents; // outermost first; an absent Expr: unknown (outermost of a pointer). Scalars have none.
  Storage storage = Storage::Local;
  bool isConst = false;        // the source promises not to write it
  bool flat = false;           // a pointer `T *p`: one dimension of unknown extent, subscripts are linear
  bool functionStatic = false; // Storage::Static declared inside the function
  bool restricted = false;     // a parameter that the source declares __restrict
  bool derived = false;        // a pointer that the function made before the part: perhaps of one that is restricted
  bool aliasesAny = false;     // may share memory with elements of other types (may_alias, no strict aliasing)
  SourceRange where;
  std::string records = {};  // where the records begin whose members of one type it has; empty: it has all there is
  std::string spelling = {}; // of its elements' type in C++, where `type` has another one for its values
  Expr length = {};          // a flat one of a container's: how many elements that has, once somebody asked (lengths.h)
  Expr count = {};           // how many elements there are from the first on, where data say which are read; absent:
                             // nobody says
  std::string told = {};     // what people call it, which the source does not name; empty: its name
  std::vector<SourceRange> calls = {}; // around the helper that declares it, outermost first; none: the function does
  std::string rows = {}; // of containers that lie apart from each other, each with elements of its own: the type of
                         // one in C++; empty: all elements lie behind each other
};

struct Loop;
struct Branch;
struct Assign;
using Node = std::variant<std::shared_ptr<const Loop>, std::shared_ptr<const Branch>, std::shared_ptr<const Assign>>;
using Body = std::vector<Node>;

/// for (variable = first; variable < limit; variable += step), step != 0; with step < 0: variable > limit.
struct Loop {
  std::string variable; // unique within the function
  std::string sourceName;
  Expr first, limit; // over parameters, data sizes and outer loop variables; Min, Max, FloorDiv, FloorMod, Div, Mod
                     // allowed
  std::int64_t step = 1;
  Body body;
  SourceRange where;
  Expr origin = {}; // what data say of the source's first value, which `variable` counts from; absent: it counts from 0
};

/// An `if` whose condition depends on loop variables and parameters only (data-dependent ones become Select).
struct Branch {
  Expr condition;
  Body then, otherwise;
  SourceRange where;
};

/// target[subscripts] = value; compound assignments are spelled out, conditional ones are a Select with the old value.
struct Assign {
  std::string target;
  std::vector<Expr> subscripts;
  Expr value; // reads are Op::Read with name and subscripts
  SourceRange where;
};

/// What bounds of loops read from arrays, which the function does not write. To the model it is a parameter, to a turn
/// of the loops around it a number of its own.
struct DataSize {
  std::string name;
  Expr value; // over sizes and variables of the loops around
  SourceRange where;
};

/// What the source declares of an index array: `#pragma polymend index`.
struct IndexFact {
  enum class Kind {
    Monotone,  // array[p] <= array[p + 1]
    Injective, // array[p] != array[q] where p != q
    Lower,     // array[k] < i where k lies in row i of `other`: [other[i], other[i + 1])
    Diagonal,  // other[array[i]] == i
    Extent     // array, of any type, has `length` elements
  };
  Kind kind = Kind::Monotone;
  std::string array, other;
  Expr length; // over parameters
  SourceRange where;
};

struct Parameter {
  std::string name;
  Type type = Type::Float32; // element type of an array
  bool isArray = false;
  SourceRange where = {};        // its declaration, with the default argument
  SourceRange defaultRange = {}; // of the default argument; empty: there is none
  std::string taken = {};        // what it is of the source's arguments ("x.data()", "m.rows"); empty: one of them
  bool isReference = false;      // an array declared as a reference
};

/// An argument as the source declares it.
struct Argument {
  std::string name;
  SourceRange where, defaultRange;
  std::string type; // without reference and const; of a pointer to an object that of the object
  bool isObject = false, isPointer = false;
  bool isNamed = false; // by the body, though perhaps only by what a macro in it stands for
};

/// A member, and the class that has it.
struct ClassMember {
  std::string name, owner;
  bool isPublic = true;
  bool points = false; // to an object of its own
};

/// Numbers of one type that lie behind each other in a structure of several types: columns of an array that holds one
/// row for each structure.
struct RecordNumbers {
  std::string path;                            // of the first in the structure: "point.x", "weights[0]"
  std::string array;                           // the parameter
  std::int64_t column = 0, count = 1, row = 1; // the first column, how many, and how many a row has
};

/// A part of an object that parameters are taken from: what somebody needs who makes such an object.
struct Part {
  enum class Kind { Number, Pointer, Array, Vector, StandardArray, Span, Owner };
  std::string argument; // its name; "this": what a member function is called on
  std::vector<ClassMember> path;
  Kind kind = Kind::Number;
  std::string type;          // of the part
  std::string data, count;   // the parameters: a number or an array, and of a container how many elements it has
  std::int64_t element = -1; // of a number in an array, which one
  std::vector<RecordNumbers> numbers;    // in place of `data`, of elements that are structures of several types
  std::vector<std::string> lengths = {}; // of elements that are containers: how many elements those have, outermost
                                         // first
};

/// How often a loop turns that data alone end: no run gets so far.
constexpr std::int64_t endlessTurns = std::int64_t{1} << 62;

/// A loop that data end, before its count does where it has one: from where `flag`, a variable, is 0 its turns do
/// nothing.
struct DataEnd {
  std::string flag;
  SourceRange where;
  bool isLong = false; // no small number of turns is known
};

/// A number that is taken once from a place that may lie among elements of an array that is written: entries ask.
struct NumberBeside {
  std::string array, number; // as the source spells it
  Type type = Type::Int32;
};

/// A part of a function that no equation holds: a function of the host, which values call as "::name".
struct Outlined {
  std::string name;
  std::string text;   // its definition; empty: it stands in the source
  bool turns = false; // it has loops
  Refusal why;        // what is not read of it
};

struct Function {
  std::string name;                  // no other function of the file has it
  std::string scope;                 // the namespaces that name it: "a::b", or empty
  std::vector<Parameter> parameters; // in order; of an object what is used of it, in the order that its class declares
  std::vector<Argument> arguments;   // as the source declares them
  Type returnType = Type::Void;      // a returned scalar is written to the array "return" of Storage::Return
  std::vector<Array> arrays;         // array parameters first, in order, then locals
  std::vector<std::string> sizes; // integer arguments that bounds or subscripts use (the isl parameters), and derived
  std::vector<std::pair<std::string, Expr>> derived; // sizes that are no argument: what they are of those that are
  std::vector<std::string> scalars;                  // scalar arguments that values use (Op::Symbol in values)
  std::vector<DataSize> dataSizes;                   // in bounds, beside sizes
  std::vector<Expr> given; // conditions over sizes under which no integer wraps, tested at entry
  Body body;
  SourceRange where;        // the whole definition
  SourceRange bodyRange;    // from '{' to '}' inclusive
  bool isQualified = false; // the definition stands outside its scope and names it
  bool isNested = false;    // a member or an instance of a template: what it calls cannot stand beside it
  bool isRegion = false;    // nested: statements of a function, which take what is in scope there
  std::vector<SourceRange> declaredAround; // of a region: declarations that it needs beside its arguments
  SourceRange around;                      // of a region: the loop that runs it again and again, if one does
  unsigned outside = 0;                    // nested: where the declaration begins that holds it all
  std::string self;                        // of a member function that is called on an object: the object's class
  std::string called;                      // what a call names: "f", "f<float, 64>", "Ops::relu", of a member "forward"
  bool isOverloaded = false;
  bool isConstant = false; // constexpr: where a constant is asked for, the source's own text is what it means
  bool mayThrow = true;    // it is not declared noexcept
  bool mayNotEnd = false;  // it calls functions of the source: loops that end when their data say so
  std::vector<Part> parts;
  bool isMakeable = true;                                  // nobody needs more than parts to make its arguments
  std::vector<std::pair<std::string, ClassMember>> opened; // private members that are taken, by a name for each
  std::string instance;           // of a template: the condition on its parameters under which it is this function
  std::vector<Outlined> outlined; // what no equation holds
  std::vector<IndexFact> facts = {};
  std::vector<DataEnd> ends = {};
  SourceRange anyOrder = {}; // a sum whose order the source leaves to its library
  std::vector<NumberBeside> beside = {};
};

/// A function that was tried and is left as it is, and why.
struct LeftAlone {
  std::string name;
  Refusal refusal;
  bool fault = false;    // of ours, not a property of the source
  bool isByHead = false; // for what it takes or returns: its loops are parts, each read by itself
};

/// A text that takes the place of a range of the main file, which may be empty.
struct SourceEdit {
  SourceRange where;
  std::string text;
};

/// A call within the main file of a function that the main file defines.
struct CallSite {
  std::string caller, callee;
  SourceRange where;
};

struct Nest {
  std::string file;   // as named on the command line
  std::string source; // its text
  std::vector<Function> functions;
  std::vector<LeftAlone> left;
  std::vector<std::pair<std::string, Function>> parts; // of a function by name: taken where the whole is left
  std::vector<std::pair<SourceRange, Type>> typeNames; // every spelling of __bf16 or _Float16 in the main file
  std::vector<SourceEdit> narrowUses; // what keeps its meaning where those are classes; an enclosing edit comes first
  std::vector<CallSite> calls;        // in textual order
};

struct ParseOptions {
  std::vector<std::string> entries;   // --entry=NAME; empty: by pragma or annotation, else every function
  std::vector<std::string> clangArgs; // what follows `--`
  std::string buildDir;               // -p
  std::string resourceDir;            // Clang's builtin headers; empty: the baked-in one
  bool isDevice = false;              // what is read will not run where functions of the source can be called
};

/// What Clang said (errors are syntax errors) and, without errors, the nest.
struct ParseOutcome {
  std::vector<Diagnostic> diagnostics;
  std::optional<Nest> nest;
};

ParseOutcome parse(const std::string &file, const ParseOptions &options);
/// Text form for --dump=parse.
std::string dump(const Nest &nest);

/// The source's name of every loop variable: several may share one.
std::map<std::string, std::string> loopNames(const Function &function);

} // namespace polymend
