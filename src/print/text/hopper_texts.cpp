// The text of a warpgroup product: one instruction, its registers listed one by one.
#include "print/hopper_texts.h"

namespace polymend::print_room {

namespace {

/// item(0), item(1), ... with commas, `width` a line; each line but the last ends as `close`, and each but the first
/// begins with `margin`.
template <class Item>
std::string listed(int count, int width, const std::string &close, const std::string &margin, const Item &item) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += i % width == 0 ? "," + close + "\n" + margin : ", ";
    text += item(i);
  }
  return text;
}

std::string operand(int number) { return "%" + std::to_string(number); }

const char *elementOf(const WgmmaShape &shape) { return shape.brain ? "bf16" : "f16"; }

std::string signature(const WgmmaShape &shape) {
  const std::string start = "__device__ __forceinline__ void " + wgmmaName(shape) + "(";
  return start + "float (&sums)[" + std::to_string(shape.columns / 2) + "], " +
         (shape.leftInRegisters ? "const std::uint32_t *left" : "std::uint64_t left") + ",\n" +
         std::string(start.size(), ' ') + "std::uint64_t right, int accumulate) {\n";
}

/// The operands after the sums, in order, and how the instruction takes them.
struct Factors {
  std::string constraints, left, right, accumulate, transposed;
};

Factors factorsOf(const WgmmaShape &shape) {
  const int first = shape.columns / 2;
  const std::string across = shape.rightTransposed ? "1" : "0";
  if (shape.leftInRegisters)
    return {R"("r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right), "r"(accumulate))",
            "{" + operand(first) + ", " + operand(first + 1) + ", " + operand(first + 2) + ", " + operand(first + 3) +
                "}",
            operand(first + 4), operand(first + 5), across};
  return {R"("l"(left), "l"(right), "r"(accumulate))", operand(first), operand(first + 1), operand(first + 2),
          (shape.leftTransposed ? "1, " : "0, ") + across};
}

} // namespace

bool isWgmma(const WgmmaShape &shape) {
  return 8 <= shape.columns && shape.columns <= 256 && shape.columns % 8 == 0 &&
         !(shape.leftInRegisters && shape.leftTransposed);
}

std::string wgmmaName(const WgmmaShape &shape) {
  return "wgmma_n" + std::to_string(shape.columns) + "_" + elementOf(shape) + (shape.leftInRegisters ? "_rs" : "_ss") +
         (shape.leftTransposed || shape.rightTransposed ? "_" : "") + (shape.leftTransposed ? "ta" : "") +
         (shape.rightTransposed ? "tb" : "");
}

std::string wgmmaText(const WgmmaShape &shape) {
  const int sums = shape.columns / 2;
  const std::string element = elementOf(shape), columns = std::to_string(shape.columns), margin(17, ' ');
  const Factors factors = factorsOf(shape);
  const auto sum = [](int i) { return "\"+f\"(sums[" + std::to_string(i) + "])"; };
  std::string text = "/// sums = left * right, plus sums where `accumulate` is not zero: 64 x " + columns +
                     " sums of 16 products in " + element + ".\n" + signature(shape);
  text += "  if constexpr (forHopper)\n    asm volatile(\"{\\n\"\n";
  text += margin + "\".reg .pred keep;\\n\"\n";
  text += margin + "\"setp.ne.b32 keep, " + factors.accumulate + ", 0;\\n\"\n";
  text += margin + "\"wgmma.mma_async.sync.aligned.m64n" + columns + "k16.f32." + element + "." + element + "\\n\"\n";
  text += margin + "\"{" + listed(sums, 16, "\\n\"", margin + "\"", operand) + "},\\n\"\n";
  text += margin + "\"" + factors.left + ", " + factors.right + ", keep, 1, 1, " + factors.transposed + ";\\n\"\n";
  text += margin + "\"}\"\n";
  text += margin + ": " + listed(sums, 5, "", margin + "  ", sum) + "\n";
  text += margin + ": " + factors.constraints + ");\n}\n";
  return text;
}

std::string needWgmma(const WgmmaShape &shape, Needs &needs) {
  needs.primitives.insert("forHopper");
  needs.headers.insert("cstdint");
  needs.generated.emplace(wgmmaName(shape), wgmmaText(shape));
  return "polymend_rt::" + wgmmaName(shape);
}

} // namespace polymend::print_room
