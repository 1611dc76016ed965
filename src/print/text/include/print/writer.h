// A small indenting printer: lines of C++ at a depth, broken at 120 columns where a person would break them.
#pragma once

#include <string>

namespace polymend::print_room {

class Writer {
public:
  explicit Writer(std::size_t startDepth = 0) : depth(startDepth) {}

  /// One statement or line; an empty text gives an empty line.
  void line(const std::string &text);
  /// Text at column zero, unbroken: preprocessor lines.
  void directive(const std::string &text) { out += text + "\n"; }
  /// A pragma at the current depth, unbroken.
  void pragma(const std::string &text) { out += std::string(2 * depth, ' ') + "#pragma " + text + "\n"; }
  /// Text that is already laid out.
  void verbatim(const std::string &text) { out += text; }
  /// `head {`, then what `inside` prints one level deeper, then `tail`.
  template <class F> void block(const std::string &head, const std::string &tail, const F &inside) {
    line(head.empty() ? "{" : head + " {");
    ++depth;
    inside();
    --depth;
    line(tail);
  }
  template <class F> void block(const std::string &head, const F &inside) { block(head, "}", inside); }
  /// What `inside` prints, one level deeper.
  template <class F> void inside(const F &print) {
    ++depth;
    print();
    --depth;
  }
  [[nodiscard]] const std::string &text() const { return out; }
  [[nodiscard]] std::size_t level() const { return depth; }

private:
  std::string out;
  std::size_t depth = 0;
};

} // namespace polymend::print_room
