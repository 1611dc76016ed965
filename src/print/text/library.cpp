// Printed code holds the primitives that it uses, each within its guard, so that two results fit into one translation
// unit, or it includes them.
#include "print/library.h"
#include "primitives.h"

#include <algorithm>
#include <stdexcept>

namespace polymend::print_room {

namespace {

std::string_view nameOf(const TargetTable &target) { return target.device ? target.runtime : "cpp"; }

std::string_view stem(std::string_view file) { return file.substr(0, file.find('.')); }

std::set<std::string> filesOf(const std::set<std::string> &primitives) {
  std::set<std::string> files;
  for (const std::string &primitive : primitives) files.insert(fileOf(primitive));
  return files;
}

std::string guarded(const std::string &guard, std::string_view body) {
  return "#ifndef " + guard + "\n#define " + guard + "\n" + std::string(body) + "#endif\n";
}

std::string guardOf(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  return "POLYMEND_RT_" + name;
}

std::string inNamespace(const std::string &texts) {
  if (texts.empty()) return "";
  return "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\nnamespace polymend_rt {\nnamespace {\n\n" +
         texts + "\n} // namespace\n} // namespace polymend_rt\n";
}

std::string generatedText(const Needs &needs) {
  std::string texts;
  for (const auto &[name, text] : needs.generated) texts += (texts.empty() ? "" : "\n") + guarded(guardOf(name), text);
  return texts;
}

} // namespace

Needs close(Needs needs, const TargetTable &target) {
  const std::vector<Primitive> &all = primitivesOf(nameOf(target));
  std::set<std::string> files = filesOf(needs.primitives);
  for (auto p = all.rbegin(); p != all.rend(); ++p) {
    if (files.erase(std::string(stem(p->file))) == 0) continue;
    needs.files.emplace(p->file);
    for (const std::string &need : p->needs) files.emplace(stem(need));
    needs.headers.insert(p->headers.begin(), p->headers.end());
  }
  if (!files.empty()) throw std::logic_error("no primitive stands in " + *files.begin());
  return needs;
}

Library libraryText(const Needs &needs, const TargetTable &target) {
  std::string macros, texts;
  for (const Primitive &p : primitivesOf(nameOf(target))) {
    if (!needs.files.contains(std::string(p.file))) continue;
    std::string &part = p.isMacro ? macros : texts;
    part += (part.empty() ? "" : "\n") + guarded(p.guard, p.body);
  }
  if (const std::string generated = generatedText(needs); !generated.empty())
    texts += (texts.empty() ? "" : "\n") + generated;
  return {macros, inNamespace(texts)};
}

Library libraryIncludes(const Needs &needs, const TargetTable &target) {
  const std::set<std::string> files = filesOf(needs.primitives);
  Library library;
  for (const Primitive &p : primitivesOf(nameOf(target)))
    if (files.contains(std::string(stem(p.file))))
      (p.isMacro ? library.macros : library.text) +=
          "#include <polymend_rt/" + std::string(nameOf(target)) + "/" + std::string(p.file) + ">\n";
  const std::string generated = inNamespace(generatedText(needs));
  library.text += (generated.empty() ? "" : "\n") + generated;
  return library;
}

} // namespace polymend::print_room
