// Functions that stand beside the one that is printed: the source's own, and parts of the new one.
#pragma once

#include "polymend/parse.h"

#include "print/expression.h"

namespace polymend {
struct DeviceProgram;
}

namespace polymend::print_room {

/// A range of the source as the target spells it.
using Spelled = std::function<std::string(const SourceRange &)>;

/// The source's own function under another name.
struct ReferenceText {
  std::string head, body; // empty: nothing calls it; the body is the source's
};

/// What takes the place of a function.
struct FunctionText {
  ReferenceText reference;
  std::string before;        // what else stands before its declaration
  std::string body;          // from '{' to '}'
  std::string outlined = {}; // before that: functions that are compiled as the source is
};

/// Is any parameter taken from an object, or must what the function calls take nothing else than its parameters?
bool isOutlined(const Function &function);

/// The container whose bits the parameter is as bytes, as text; empty: it is another one. What holds the bytes, and the
/// lines that say that the bits are to be what these are.
std::string bitsHeldBy(const Parameter &p);
std::string heldBits(const Parameter &p);
std::string givenBits(const Function &function, const DeviceProgram &program);
/// The lines that take from the source's arguments the parameters that `text` mentions and the text before does not.
std::string takenLines(const Function &function, const std::string &text, Context &context,
                       const std::string &before = "");

/// What opens the private members that parameters are taken from: an explicit instantiation may name them.
std::string openedMembers(const Function &function);

/// The head of a function and a call of it. It has those parameters of `function` that `text` mentions, under their
/// names and as the source declares them.
struct Beside {
  std::string head, call;
};
Beside besideOf(const Function &function, const Spelled &spelled, const std::string &name, const std::string &text,
                const Context &context);

/// A name for a function beside `function` that nothing in `source` has.
std::string nameBeside(const Function &function, const std::string &source, const std::string &ending);

/// The source's own function as NAME_reference, built as its user builds it.
class Reference {
public:
  Reference(const Function &f, const std::string &source, const Spelled &spelled, const Context &context);
  /// A call; from the first on the function is printed.
  [[nodiscard]] const std::string &call() {
    isCalled = true;
    return beside.call;
  }
  /// The function, where it stands beside; and where it stands within, a lambda.
  [[nodiscard]] ReferenceText text() const;
  [[nodiscard]] std::string within() const;

private:
  const Function &function;
  std::string name, body;
  Beside beside;
  std::string type;
  bool isCalled = false;
};

} // namespace polymend::print_room
