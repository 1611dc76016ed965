// The entry of a result on memory of a device, called as that on the host's memory would be: all arguments are copied
// there, those that share memory into memory that they share, and back. Which arguments it takes is read off its text.
#include "run.h"

#include <algorithm>
#include <cctype>

namespace polymend {

namespace {

/// Copies of memory of the host, in the words of CUDA; hip has the same.
constexpr const char *copies = R"(
#include <stdexcept>
#include <vector>
namespace polymend_side_by_side {
class Copies {
public:
  struct Address {
    char *place;
    template <class T> operator T *() const { return reinterpret_cast<T *>(place); }
  };
  /// `guard` bytes on both sides are readable, and go there too: as on the host, what is read there is no number.
  void add(void *place, std::int64_t before, std::int64_t bytes, std::int64_t guard) {
    char *const at = static_cast<char *>(place);
    all.push_back({at - before - guard, at + bytes + guard, nullptr});
  }
  void send() {
    std::sort(all.begin(), all.end(), [](const Part &a, const Part &b) { return a.begin < b.begin; });
    std::vector<Part> joined;
    for (const Part &part : all)
      if (!joined.empty() && part.begin < joined.back().end)
        joined.back().end = std::max(joined.back().end, part.end);
      else
        joined.push_back(part);
    all = joined;
    for (Part &part : all) {
      ask(cudaMalloc(reinterpret_cast<void **>(&part.device), part.end - part.begin));
      ask(cudaMemcpy(part.device, part.begin, part.end - part.begin, cudaMemcpyHostToDevice));
    }
  }
  Address at(void *place) const {
    for (const Part &part : all)
      if (part.begin <= place && place < part.end) return {part.device + (static_cast<char *>(place) - part.begin)};
    return {nullptr};
  }
  void back() const {
    for (const Part &part : all)
      ask(cudaMemcpy(part.begin, part.device, part.end - part.begin, cudaMemcpyDeviceToHost));
  }
  static void ask(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
  }
  ~Copies() {
    for (const Part &part : all) static_cast<void>(cudaFree(part.device));
  }

private:
  struct Part {
    char *begin, *end, *device;
  };
  std::vector<Part> all;
};
} // namespace polymend_side_by_side
)";

std::string inWordsOf(const std::string &runtime, std::string text) {
  for (std::size_t at = 0; runtime != "cuda" && (at = text.find("cuda", at)) != std::string::npos;)
    text.replace(at, 4, runtime);
  return text;
}

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The head of the entry in the text of the result: its name, and the names of what it takes behind the stream.
struct Head {
  std::string name;
  std::vector<std::string> taken;
};

Head headOf(const std::string &function, const std::string &text) {
  Head head;
  const std::size_t comment = text.find("/// As " + function + ", on device memory"),
                    line = text.find("Error_t ", comment), open = text.find('(', line);
  if (comment == std::string::npos || open == std::string::npos) return head;
  head.name = text.substr(line + 8, open - line - 8);
  std::string list = text.substr(open + 1, text.find(") {", open) - open - 1) + ",", one;
  for (std::size_t at = 0, next = 0; (next = list.find(',', at)) != std::string::npos; at = next + 1) {
    one = list.substr(at, next - at);
    one = one.substr(0, one.find(" = "));
    std::size_t begin = one.size();
    while (begin > 0 && isOfName(one[begin - 1])) --begin;
    head.taken.push_back(one.substr(begin));
  }
  if (!head.taken.empty()) head.taken.erase(head.taken.begin());
  return head;
}

} // namespace

std::string deviceEntryText(const CheckedFunction &checked, const std::string &number, const std::string &text,
                            const std::string &runtime) {
  const Function &function = checked.function;
  const Head head = headOf(function.name, text);
  const auto place = [](std::size_t at) { return "places[" + std::to_string(at) + "]"; };
  const auto integer = [&](std::size_t at) { return "*static_cast<std::int64_t *>(" + place(at) + ")"; };
  const std::size_t returned = function.parameters.size();
  const auto arrays = static_cast<std::size_t>(
      std::ranges::count_if(function.parameters, [](const Parameter &p) { return p.isArray && !p.name.empty(); }));
  std::string added, given = "nullptr";
  const auto addressOf = [&](const std::string &at, const std::string &before, const std::string &bytes,
                             std::size_t guard = guardBytes / 2) {
    added += "  copies.add(" + at + ", " + before + ", " + bytes + ", " + std::to_string(guard) + ");\n";
    return "copies.at(" + at + ")";
  };
  /// As the entry wants it, by its name.
  const auto argument = [&](const std::string &name) -> std::string {
    std::size_t count = returned + 1;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const Parameter &p = function.parameters[i];
      if (!name.empty() && p.name == name && !p.isArray)
        return "*static_cast<" + spell(p.type) + " *>(" + place(i) + ")";
      const std::string size = " * std::int64_t(" + std::to_string(bytesOf(p.type)) + ")";
      if (!name.empty() && p.name == name)
        return addressOf(place(i), integer(count + arrays) + size, integer(count) + size);
      count += p.isArray && !p.name.empty();
    }
    for (const Array &array : function.arrays)
      if (array.name == name && array.storage == Array::Storage::Static)
        return addressOf("polymend_global_" + number + "_" + name + "()", "0", "sizeof " + name, 0);
    const bool isResult = function.returnType != Type::Void && name == head.taken.back();
    return isResult ? addressOf(place(returned), "0", std::to_string(bytesOf(function.returnType))) : "{}";
  };
  for (const std::string &name : head.taken) given += ", " + argument(name);
  const std::string scope = function.scope.empty() ? "" : "  using namespace " + function.scope + ";\n";
  return inWordsOf(runtime, "extern \"C\" void polymend_run_" + number + "(void **places) {\n" + scope +
                                "  polymend_side_by_side::Copies copies;\n" + added + "  copies.send();\n" +
                                "  const cudaError_t error = " + head.name + "(" + given + ");\n" +
                                "  if (error == cudaErrorInvalidValue) return polymend_source_" + number +
                                "(places);\n  copies.ask(error);\n  copies.ask(cudaDeviceSynchronize());\n" +
                                "  copies.back();\n}\n");
}

std::string deviceCopiesText(const std::string &runtime) { return inWordsOf(runtime, copies); }

} // namespace polymend
