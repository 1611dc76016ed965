// The text of the original or of the result arrives, and leaves with an entry for each function behind it, which takes
// where the arguments lie: polymend_run_N(places). Of an argument that is an object the places are those of its parts,
// from which the entry makes one: zeros with its parts put in, containers with the elements that lie there, which are
// copied back after the call. Classes whose parts are private are opened as the result opens them.
#include "run.h"

#include <algorithm>

namespace polymend {

namespace {

constexpr const char *common = R"(
#include <algorithm>
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
  std::string print();

private:
  [[nodiscard]] std::string place(const std::string &parameter) const;
  [[nodiscard]] std::string countOf(const std::string &array) const;
  [[nodiscard]] Type typeOf(const std::string &parameter) const;
  std::string pathOf(const Part &part);
  void put(const Part &part);
  std::string given(const Argument &argument);

  const Function &function;
  std::string number, opened, before, after;
  int tags = 0;
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
    if (member.isPublic) {
      text += "." + member.name;
      continue;
    }
    const std::string tag = "polymend_tag_" + number + "_" + std::to_string(tags++);
    opened += "struct " + tag + " {\n  friend constexpr auto memberOf(" + tag + ");\n};\n" +
              "template struct polymend_side_by_side_opened<" + tag + ", &" + member.owner + "::" + member.name +
              ">;\n";
    text.insert(0, "(");
    text += ".*memberOf(" + tag + "()))";
  }
  return text;
}

void EntryText::put(const Part &part) {
  const std::string path = pathOf(part), data = place(part.data), held = part.data.empty() ? "0" : countOf(part.data);
  const std::string size = part.count.empty() ? held : "*static_cast<std::int64_t *>(" + place(part.count) + ")";
  const std::string type = "std::remove_cvref_t<decltype(" + path + ")>";
  const std::string slot = "const_cast<" + type + " &>(" + path + ")";
  const auto line = [](const std::string &text) { return "  " + text + ";\n"; };
  switch (part.kind) {
  case Part::Kind::Number:
    before +=
        line(slot + " = static_cast<" + type + ">(*static_cast<" + spell(typeOf(part.data)) + " *>(" + data + "))");
    return;
  case Part::Kind::Pointer: before += line(slot + " = static_cast<" + type + ">(" + data + ")"); return;
  case Part::Kind::Array:
    before += line("std::copy_n(static_cast<const char *>(" + data + "), sizeof(" + path + "), (char *)&" + slot + ")");
    after += line("std::copy_n((const char *)&" + slot + ", sizeof(" + path + "), static_cast<char *>(" + data + "))");
    return;
  case Part::Kind::Vector:
    before += line("polymend_side_by_side::fill(" + slot + ", " + data + ", " + held + ", " + size + ")");
    if (!part.data.empty()) after += line("polymend_side_by_side::back(" + slot + ", " + data + ", " + held + ")");
    return;
  case Part::Kind::StandardArray: {
    const std::string fits = "std::min<std::int64_t>(" + held + ", std::int64_t(" + slot + ".size()))";
    const std::string element = "std::remove_const_t<" + type + "::value_type>";
    before += line("std::copy_n(static_cast<" + element + " *>(" + data + "), " + fits + ", (" + element + " *)" +
                   slot + ".data())");
    after += line("polymend_side_by_side::back(" + slot + ", " + data + ", " + fits + ")");
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

/// An argument of the call.
std::string EntryText::given(const Argument &argument) {
  if (argument.isObject) return (argument.isPointer ? "&" : "") + argument.name;
  for (const Parameter &p : function.parameters) {
    const bool isIt = p.taken.empty() ? p.name == argument.name : p.taken.ends_with("(" + argument.name + ")");
    if (!isIt) continue;
    if (p.isArray && !p.isReference) return "static_cast<" + argument.type + ">(" + place(p.name) + ")";
    if (!p.taken.empty())
      return "static_cast<" + argument.type + ">(*static_cast<" + spell(p.type) + " *>(" + place(p.name) + "))";
    return "*static_cast<" + argument.type + " *>(" + place(p.name) + ")";
  }
  return argument.type + "()";
}

std::string EntryText::print() {
  for (const Argument &argument : function.arguments)
    if (argument.isObject && !argument.name.empty())
      before += "  auto &" + argument.name + " = polymend_side_by_side::zeroed<" + argument.type + ">();\n";
  if (!function.self.empty())
    before += "  auto &polymend_self = polymend_side_by_side::zeroed<" + function.self + ">();\n";
  for (const Part &part : function.parts) put(part);
  std::string call = (function.self.empty() ? "" : "polymend_self.") + function.called + "(";
  for (std::size_t i = 0; i < function.arguments.size(); ++i)
    call += (i == 0 ? "" : ", ") + given(function.arguments[i]);
  const std::string scope = function.scope.empty() ? "" : "  using namespace " + function.scope + ";\n";
  return opened + "extern \"C\" void polymend_run_" + number + "(void **places) {\n" + scope + before +
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

std::string withEntries(const std::string &text, const std::vector<CheckedFunction> &functions) {
  std::string result = text + common;
  for (std::size_t index = 0; index < functions.size(); ++index) {
    const Function &function = functions[index].function;
    const std::string number = std::to_string(index), &scope = function.scope;
    if (!function.isMakeable) continue;
    if (needsOwn(function))
      result += EntryText(function, number).print();
    else
      result += "extern \"C\" void polymend_run_" + number + "(void **places) { polymend_side_by_side::run(&" + scope +
                "::" + function.name + ", places); }\n";
    const std::string place = scope.empty() ? "return (void *)&::" : "using namespace " + scope + "; return (void *)&";
    for (const Array &array : function.arrays)
      if (array.storage == Array::Storage::Static && !array.functionStatic)
        result +=
            "extern \"C\" void *polymend_global_" + number + "_" + array.name + "() { " + place + array.name + "; }\n";
  }
  return result;
}

} // namespace polymend
