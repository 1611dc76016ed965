// The text of the original or of the result arrives, and leaves with an entry for each function behind it, which takes
// where the arguments lie: polymend_run_N(places). Of an argument that is an object the places are those of its parts,
// from which the entry makes one: zeros with its parts put in, containers with the elements that lie there, which are
// copied back after the call. Classes whose parts are private are opened as the result opens them. A part of a function
// is called as a function of what it uses of the one around it, in whose place arguments of these names stand.
#include "run.h"

#include <algorithm>
#include <map>

namespace polymend {

namespace {

constexpr const char *common = R"(
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
namespace polymend_side_by_side {
template <class P> decltype(auto) argument(void *place) {
  if constexpr (std::is_pointer_v<P>)
    return static_cast<P>(place);
  else
    return (*static_cast<std::remove_cv_t<std::remove_reference_t<P>> *>(place));
}
template <class R, class... A, std::size_t... I>
void call(R (*function)(A...), void **places, std::index_sequence<I...>) {
  if constexpr (std::is_void_v<R>)
    function(argument<A>(places[I])...);
  else
    *static_cast<R *>(places[sizeof...(I)]) = function(argument<A>(places[I])...);
}
template <class R, class... A> void run(R (*function)(A...), void **places) {
  call(function, places, std::index_sequence_for<A...>{});
}
template <class F> void keep(void *place, const F &call) {
  if constexpr (std::is_void_v<decltype(call())>)
    call();
  else
    *static_cast<decltype(call()) *>(place) = call();
}
inline void *lastHeld = nullptr;
/// An object of zeros that nobody destroys; the last holds the one before.
template <class T> T &zeroed() {
  struct Held {
    alignas(64) unsigned char object[sizeof(T) + 64];
    void *before;
  };
  auto *const held = new Held{{}, lastHeld};
  lastHeld = held;
  return *reinterpret_cast<T *>(held->object);
}
template <class V> void fill(V &vector, void *data, std::int64_t held, std::int64_t size) {
  using T = typename V::value_type;
  new (&vector) V();
  vector.reserve(std::max(held, size));
  vector.resize(size);
  if (data) std::copy_n(static_cast<T *>(data), held, vector.data());
}
/// Numbers of one type that begin `at` bytes into each structure, to or from columns of an array of rows.
template <class T>
void columns(void *records, std::size_t bytes, std::size_t at, std::int64_t all, void *rows, std::int64_t held,
             std::int64_t row, std::int64_t column, std::int64_t count, bool isBack) {
  for (std::int64_t i = 0; i < all * count; ++i) {
    const std::int64_t record = i / count, number = i % count, from = record * row + column + number;
    if (from >= held) continue;
    char *const inside = static_cast<char *>(records) + record * bytes + at + number * sizeof(T);
    char *const outside = static_cast<char *>(rows) + from * sizeof(T);
    std::copy_n(isBack ? inside : outside, sizeof(T), isBack ? outside : inside);
  }
}
/// What the numbers are that an object holds, those of containers in it too, in their order.
template <class E, class F> void eachNumber(E &&element, F &&f) {
  if constexpr (requires { typename std::remove_cvref_t<E>::value_type; })
    for (auto &&inner : element) eachNumber(inner, f);
  else
    f(element);
}
template <class V> void sizeRows(V &) {}
template <class V, class... More> void sizeRows(V &rows, std::int64_t size, More... more) {
  if constexpr (requires { rows.resize(1); }) rows.resize(size);
  if constexpr (sizeof...(More) > 0)
    for (auto &row : rows) sizeRows(row, more...);
}
/// Rows that lie apart from each other, from and to numbers that lie behind each other.
template <class T, class V, class... Sizes>
void fillRows(V &rows, void *data, std::int64_t held, Sizes... sizes) {
  new (&rows) V();
  sizeRows(rows, sizes...);
  if (data) eachNumber(rows, [from = static_cast<T *>(data), held](auto &&number) mutable {
    if (held-- > 0) number = *from++;
  });
}
template <class T, class V> void backRows(V &rows, void *data, std::int64_t held) {
  if (data) eachNumber(rows, [to = static_cast<T *>(data), held](auto &&number) mutable {
    if (held-- > 0) *to++ = number;
  });
}
template <class C> void back(C &container, void *data, std::int64_t held) {
  if (data) std::copy_n(container.data(), held, static_cast<std::remove_const_t<typename C::value_type> *>(data));
}
} // namespace polymend_side_by_side
template <class Name, auto Member> struct polymend_side_by_side_opened {
  friend constexpr auto memberOf(Name) { return Member; }
};
)";

/// Prints the entry of a function that takes objects, or that is a member or an instance of a template.
class EntryText {
public:
  EntryText(const Function &f, std::string n) : function(f), number(std::move(n)) {}
  /// The function `name`; `region`: the statements that run, of a part of a function.
  std::string print(const std::string &name, const std::string &region);

private:
  [[nodiscard]] std::string place(const std::string &parameter) const;
  [[nodiscard]] std::string countOf(const std::string &array) const;
  [[nodiscard]] Type typeOf(const std::string &parameter) const;
  std::string pathOf(const Part &part);
  std::string tagOf(const ClassMember &member);
  std::string pointed(const std::string &path);
  std::string recordsOf(const Part &part, const std::string &record);
  void put(const Part &part);
  [[nodiscard]] bool isWritten(const std::string &array) const;
  bool putRows(const Part &part, const std::string &slot);
  [[nodiscard]] const Part *elementsOf(const Argument &argument) const;
  [[nodiscard]] const Part *containerOf(const Argument &argument) const;
  [[nodiscard]] std::string held(const Argument &argument) const;
  [[nodiscard]] std::string heldIn(const Part &part, const std::string &slot) const;
  std::string given(const Argument &argument);

  const Function &function;
  std::string number, opened, before, after;
  std::map<std::string, std::string> objects;  // that pointers lead to, by the pointer
  std::map<const Part *, std::string> records; // where structures of several types lie
  std::map<std::string, std::string> tags;     // of private members
};

std::string EntryText::place(const std::string &parameter) const {
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    if (function.parameters[i].name == parameter) return "places[" + std::to_string(i) + "]";
  return "nullptr";
}

Type EntryText::typeOf(const std::string &parameter) const {
  for (const Parameter &p : function.parameters)
    if (p.name == parameter) return p.type;
  return Type::Int64;
}

std::string EntryText::countOf(const std::string &array) const {
  std::size_t at = function.parameters.size() + 1;
  for (const Parameter &p : function.parameters) {
    if (p.isArray && p.name == array) return "*static_cast<std::int64_t *>(places[" + std::to_string(at) + "])";
    if (p.isArray && !p.name.empty()) ++at;
  }
  return "0";
}

std::string EntryText::pathOf(const Part &part) {
  std::string text = part.argument == "this" ? "polymend_self" : part.argument;
  for (const ClassMember &member : part.path) {
    const bool leads = member.points && (part.kind != Part::Kind::Pointer || &member != &part.path.back());
    if (member.isPublic)
      text += "." + member.name;
    else
      text = "(" + text + ".*memberOf(" + tagOf(member) + "()))";
    if (leads) text = pointed(text);
  }
  return text;
}

/// The type that opens a private member.
std::string EntryText::tagOf(const ClassMember &member) {
  const std::string name = member.owner + "::" + member.name;
  std::string &tag = tags[name];
  if (!tag.empty()) return tag;
  tag = "polymend_tag_" + number + "_" + std::to_string(tags.size());
  opened += "struct " + tag + " {\n  friend constexpr auto memberOf(" + tag + ");\n};\n" +
            "template struct polymend_side_by_side_opened<" + tag + ", &" + name + ">;\n";
  return tag;
}

/// The object that a pointer in an object is made to lead to.
std::string EntryText::pointed(const std::string &path) {
  std::string &name = objects[path];
  if (!name.empty()) return name;
  name = "polymend_object_" + std::to_string(objects.size());
  before += "  auto &" + name + " = polymend_side_by_side::zeroed<std::remove_cv_t<std::remove_pointer_t<" +
            "std::remove_cvref_t<decltype(" + path + ")>>>>();\n  const_cast<std::remove_cvref_t<decltype(" + path +
            ")> &>(" + path + ") = &" + name + ";\n";
  return name;
}

bool EntryText::isWritten(const std::string &array) const {
  return std::any_of(function.arrays.begin(), function.arrays.end(),
                     [&](const Array &a) { return a.name == array && !a.isConst; });
}

/// Memory for structures of several types, filled from the arrays of their numbers, to which it goes back after the
/// call; how many there are is in a variable of this name and "_count".
std::string EntryText::recordsOf(const Part &part, const std::string &record) {
  const std::string name = "polymend_records_" + std::to_string(records.size()), type = name + "_type";
  before += "  using " + type + " = " + record + ";\n  std::int64_t " + name + "_count = 0;\n";
  for (const RecordNumbers &numbers : part.numbers)
    before += "  " + name + "_count = std::max<std::int64_t>(" + name + "_count, " + countOf(numbers.array) + " / " +
              std::to_string(numbers.row) + ");\n";
  before += "  auto *const " + name + " = static_cast<" + type + " *>(::operator new(sizeof(" + type + ") * (" + name +
            "_count + 1)));\n";
  for (const RecordNumbers &numbers : part.numbers) {
    const auto moved = [&](bool isBack) {
      return "  polymend_side_by_side::columns<" + spell(typeOf(numbers.array)) + ">(" + name + ", sizeof(" + type +
             "), offsetof(" + type + ", " + numbers.path + "), " + name + "_count, " + place(numbers.array) + ", " +
             countOf(numbers.array) + ", " + std::to_string(numbers.row) + ", " + std::to_string(numbers.column) +
             ", " + std::to_string(numbers.count) + ", " + (isBack ? "true" : "false") + ");\n";
    };
    before += moved(false);
    if (isWritten(numbers.array)) after += moved(true);
  }
  return records[&part] = name;
}

/// Rows that lie apart from each other, or a vector of bits; false: it is another part.
bool EntryText::putRows(const Part &part, const std::string &slot) {
  const bool areRows = std::any_of(function.arrays.begin(), function.arrays.end(),
                                   [&](const Array &a) { return a.name == part.data && !a.rows.empty(); });
  if (!areRows) return false;
  const std::string data = place(part.data), held = countOf(part.data), type = "<" + spell(typeOf(part.data)) + ">(";
  const auto number = [&](const std::string &parameter) {
    return "*static_cast<std::int64_t *>(" + place(parameter) + ")";
  };
  std::string lengths, each = "1";
  for (const std::string &length : part.lengths) {
    lengths += ", " + number(length);
    each += " * " + number(length);
  }
  const std::string size =
      part.count.empty() ? held + " / std::max<std::int64_t>(" + each + ", 1)" : number(part.count);
  before +=
      "  polymend_side_by_side::fillRows" + type + slot + ", " + data + ", " + held + ", " + size + lengths + ");\n";
  if (isWritten(part.data))
    after.insert(0,
                 "  polymend_side_by_side::backRows" + type + heldIn(part, slot) + ", " + data + ", " + held + ");\n");
  return true;
}

void EntryText::put(const Part &part) {
  const bool isArgument = part.kind == Part::Kind::Pointer && part.path.empty();
  const std::string path = isArgument ? "" : pathOf(part);
  const std::string type = "std::remove_cvref_t<decltype(" + path + ")>";
  std::string data = place(part.data), count = "0";
  const bool isOwner = part.kind == Part::Kind::Owner, isPointer = part.kind == Part::Kind::Pointer;
  const bool hasElements =
      part.kind == Part::Kind::Vector || part.kind == Part::Kind::StandardArray || part.kind == Part::Kind::Span;
  if (!part.data.empty() && hasElements)
    count = countOf(part.data) + " * std::int64_t(sizeof(" + spell(typeOf(part.data)) + ")) / std::int64_t(sizeof(" +
            type + "::value_type))";
  else if (!part.data.empty())
    count = countOf(part.data);
  if (!part.numbers.empty()) {
    const std::string inside =
        isPointer ? "std::remove_pointer_t<" + type + ">" : type + (isOwner ? "::element_type" : "::value_type");
    data = recordsOf(part, "std::remove_cv_t<" + (isArgument ? part.type : inside) + ">");
    count = data + "_count";
  }
  if (isArgument) return;
  const std::string size = part.count.empty() ? count : "*static_cast<std::int64_t *>(" + place(part.count) + ")";
  const std::string element = part.element < 0 ? "" : "[" + std::to_string(part.element) + "]";
  const std::string slot = "const_cast<" + type + " &>(" + path + ")" + element;
  if (putRows(part, slot)) return;
  const std::string filled = heldIn(part, slot);
  const auto line = [](const std::string &text) { return "  " + text + ";\n"; };
  const bool comesBack = !part.numbers.empty() || isWritten(part.data);
  switch (part.kind) {
  case Part::Kind::Number:
    before += line(slot + " = static_cast<std::remove_cvref_t<decltype(" + path + element + ")>>(*static_cast<" +
                   spell(typeOf(part.data)) + " *>(" + data + "))");
    return;
  case Part::Kind::Pointer: before += line(slot + " = static_cast<" + type + ">(" + data + ")"); return;
  case Part::Kind::Array:
    before += line("std::copy_n(static_cast<const char *>(" + data + "), sizeof(" + path + "), (char *)&" + slot + ")");
    if (comesBack)
      after +=
          line("std::copy_n((const char *)&" + slot + ", sizeof(" + path + "), static_cast<char *>(" + data + "))");
    return;
  case Part::Kind::Vector:
    before += line("polymend_side_by_side::fill(" + slot + ", " + data + ", " + count + ", " + size + ")");
    if (comesBack) after.insert(0, line("polymend_side_by_side::back(" + filled + ", " + data + ", " + count + ")"));
    return;
  case Part::Kind::StandardArray: {
    const std::string fits = "std::min<std::int64_t>(" + count + ", std::int64_t(" + slot + ".size()))";
    const std::string value = "std::remove_const_t<" + type + "::value_type>";
    before += line("std::copy_n(static_cast<" + value + " *>(" + data + "), " + fits + ", (" + value + " *)" + slot +
                   ".data())");
    if (comesBack) after.insert(0, line("polymend_side_by_side::back(" + filled + ", " + data + ", " + fits + ")"));
    return;
  }
  case Part::Kind::Span:
    before += line("new (&" + slot + ") " + type + "(static_cast<" + type + "::pointer>(" + data + "), std::size_t(" +
                   size + "))");
    return;
  case Part::Kind::Owner:
    before += line("new (&" + slot + ") " + type + "(static_cast<" + type + "::pointer>(" + data + "))");
    return;
  }
}

/// The elements that a pointer leads to, which is an argument itself; null: it leads to one object.
const Part *EntryText::elementsOf(const Argument &argument) const {
  for (const Part &part : function.parts)
    if (argument.isPointer && part.argument == argument.name && part.kind == Part::Kind::Pointer && part.path.empty())
      return &part;
  return nullptr;
}

/// What an argument that is a container itself takes as its elements; null: it is none.
const Part *EntryText::containerOf(const Argument &argument) const {
  for (const Part &part : function.parts)
    if (part.argument == argument.name && part.path.empty() && !part.data.empty() &&
        (part.kind == Part::Kind::Vector || part.kind == Part::Kind::StandardArray))
      return &part;
  return nullptr;
}

/// An argument that is an object: where containers lie at one place they are the first of them.
std::string EntryText::held(const Argument &argument) const {
  const Part *own = containerOf(argument);
  std::string chosen;
  for (const Argument &earlier : function.arguments) {
    if (&earlier == &argument || own == nullptr) break;
    const Part *other = earlier.type == argument.type ? containerOf(earlier) : nullptr;
    if (other != nullptr) chosen += place(other->data) + " == " + place(own->data) + " ? " + earlier.name + " : ";
  }
  return chosen.empty() ? argument.name : "(" + chosen + argument.name + ")";
}

/// What holds the elements of a part after the call: the container that was given, or where the part lies.
std::string EntryText::heldIn(const Part &part, const std::string &slot) const {
  const auto is = [&](const Argument &argument) { return containerOf(argument) == &part; };
  const auto found = std::find_if(function.arguments.begin(), function.arguments.end(), is);
  return found == function.arguments.end() ? slot : held(*found);
}

/// An argument of the call.
std::string EntryText::given(const Argument &argument) {
  if (const Part *elements = elementsOf(argument))
    return elements->numbers.empty() ? "static_cast<" + argument.type + " *>(" + place(elements->data) + ")"
                                     : records.at(elements);
  if (argument.isObject) return (argument.isPointer ? "&" : "") + held(argument);
  const std::string type = "std::type_identity_t<" + argument.type + ">";
  for (const Parameter &p : function.parameters) {
    const bool isIt = p.taken.empty() ? p.name == argument.name : p.taken.ends_with("(" + argument.name + ")");
    if (!isIt) continue;
    if (p.isArray && !p.isReference) return "static_cast<" + type + ">(" + place(p.name) + ")";
    if (!p.taken.empty())
      return "static_cast<" + type + ">(*static_cast<" + spell(p.type) + " *>(" + place(p.name) + "))";
    return "*static_cast<" + type + " *>(" + place(p.name) + ")";
  }
  return type + "()";
}

std::string EntryText::print(const std::string &name, const std::string &region) {
  for (const Argument &argument : function.arguments)
    if (argument.isObject && !argument.name.empty() && elementsOf(argument) == nullptr)
      before += "  auto &" + argument.name + " = polymend_side_by_side::zeroed<" + argument.type + ">();\n";
  if (!function.self.empty())
    before += "  auto &polymend_self = polymend_side_by_side::zeroed<" + function.self + ">();\n";
  for (const Part &part : function.parts) put(part);
  std::string call = (function.self.empty() ? "" : "polymend_self.") + function.called;
  if (function.isRegion) {
    call = "[&](";
    for (std::size_t i = 0; i < function.arguments.size(); ++i)
      call += (i == 0 ? "auto &&" : ", auto &&") + function.arguments[i].name;
    call += ") {\n" + region + "\n}";
  }
  call += "(";
  for (std::size_t i = 0; i < function.arguments.size(); ++i)
    call += (i == 0 ? "" : ", ") + given(function.arguments[i]);
  const std::string scope = function.scope.empty() ? "" : "  using namespace " + function.scope + ";\n";
  return opened + "extern \"C\" void " + name + "(void **places) {\n" + scope + before +
         "  polymend_side_by_side::keep(places[" + std::to_string(function.parameters.size()) + "], [&] { return " +
         call + "); });\n" + after + "}\n";
}

bool needsOwn(const Function &function) {
  const bool taken = std::any_of(function.parameters.begin(), function.parameters.end(),
                                 [](const Parameter &p) { return !p.taken.empty(); });
  const bool objects =
      std::any_of(function.arguments.begin(), function.arguments.end(), [](const Argument &a) { return a.isObject; });
  const bool isRenamed = !function.called.empty() && function.called != function.name;
  return taken || objects || function.isNested || function.isOverloaded || isRenamed;
}

} // namespace

std::string withEntries(const std::string &text, const std::string &original,
                        const std::vector<CheckedFunction> &functions, const std::string &runtime) {
  const auto isDevices = [&](const CheckedFunction &checked) { return checked.onDeviceAlone && !runtime.empty(); };
  std::string result = text + common, behind; // entries on memory of a device call those that stand before
  if (std::ranges::any_of(functions, isDevices)) behind = deviceCopiesText(runtime);
  for (std::size_t index = 0; index < functions.size(); ++index) {
    const Function &function = functions[index].function;
    const std::string number = std::to_string(index), &scope = function.scope;
    const std::string name = (isDevices(functions[index]) ? "polymend_source_" : "polymend_run_") + number;
    if (!function.isMakeable) continue;
    if (needsOwn(function))
      result += EntryText(function, number).print(name, function.isRegion ? regionIn(text, original, function) : "");
    else
      result += "extern \"C\" void " + name + "(void **places) { polymend_side_by_side::run(&" + scope +
                "::" + function.name + ", places); }\n";
    if (isDevices(functions[index])) behind += deviceEntryText(functions[index], number, text, runtime);
    const std::string place = scope.empty() ? "return (void *)&::" : "using namespace " + scope + "; return (void *)&";
    for (const Array &array : function.arrays)
      if (array.storage == Array::Storage::Static && !array.functionStatic)
        result +=
            "extern \"C\" void *polymend_global_" + number + "_" + array.name + "() { " + place + array.name + "; }\n";
  }
  return result + behind;
}

} // namespace polymend
