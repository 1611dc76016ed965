// Tiles in shared memory, laid out in registers as fragments are.
#include "role_fragment.h"

namespace polymend::print_room {

void FragmentPrinter::shares(const DeviceShares &shares, Writer &out, const std::function<void()> &body) {
  out.block("", [&] {
    for (const auto &[name, turned] : shares.tiles) {
      const Slot &slot = slots.at(name);
      const std::string words = context.names.fresh(context.names.of(name) + "_words");
      loaded[name] = words;
      if (!isNarrow(slot.type)) {
        loadWide(words, slot, turned, shares.columns, out);
        continue;
      }
      const std::string panel = std::to_string(slot.panelBytes), width = std::to_string(shares.columns);
      out.line("std::uint32_t " + words + "[" + width + " / 4];");
      out.pragma("unroll");
      const std::string loop = "for (int $k = 0; $k < " + width + " / 16; ++$k) ";
      if (turned)
        out.line(loop + context.primitive("loadBlockAcross") + "(&" + words + "[4 * $k], " + slot.address + " + " +
                 row + " / 64 * " + panel + ", 16 * $k, " + row + " % 64 / 8);");
      else
        out.line(loop + context.primitive("loadBlock") + "(&" + words + "[4 * $k], " + slot.address + " + $k / 4 * " +
                 panel + ", " + row + " - " + lane + " / 4, 2 * ($k % 4));");
    }
    body();
  });
  loaded.clear();
}

/// The same of a tile of floats or doubles: blocks of 8 x 8 elements.
void FragmentPrinter::loadWide(const std::string &words, const Slot &slot, bool turned, std::int64_t width,
                               Writer &out) {
  const std::string type = spell(slot.type), panel = std::to_string(slot.panelBytes);
  const std::string across = turned ? "true" : "false";
  const std::string load = context.primitive("loadShare") + "<" + across + ", " + panel + ">(";
  out.line(type + " " + words + "[" + std::to_string(width / 2) + "];");
  const std::string start = context.names.fresh(words + "_start");
  out.line("const std::uint32_t " + start + " = " + context.primitive("shareStart") + "<" + type + ", " + across +
           ">(" + slot.address + ");");
  out.pragma("unroll");
  out.block("for (int $k = 0; $k < " + std::to_string(width / 8) + "; ++$k)", [&] {
    for (int half = 0; half < 2; ++half) {
      const std::string block = std::string(row) + " / 8" + (half == 0 ? "" : " + 1");
      out.line(load + words + "[4 * $k + " + std::to_string(2 * half) + "], " + words + "[4 * $k + " +
               std::to_string(2 * half + 1) + "], " + start + ", " + (turned ? "$k, " + block : block + ", $k") + ");");
    }
  });
}

} // namespace polymend::print_room
