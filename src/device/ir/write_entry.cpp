// What entries do, as text: see note [grammar] of write.cpp.
#include "writer.h"

namespace polymend::device_room {

using namespace tile;

void TextOfDevice::asked(const std::vector<EntryTest> &all) {
  for (const EntryTest &t : all)
    line(
        (t.kind == EntryTest::Kind::Given && !t.a.empty() ? "falls" : std::string(device_room::wordOf(tests, t.kind))) +
        (t.a.empty() ? "" : " " + quote(t.a)) + (t.b.empty() ? "" : " " + quote(t.b)));
}

void TextOfDevice::entry(const DeviceEntry &e, const std::vector<std::string> &declared) {
  std::string least =
      declared.empty() ? "" : " declared " + listed(declared, [](const std::string &name) { return quote(name); });
  least += e.work ? " estimate " + expr(e.work) + " times " + expr(e.times) : "";
  if (e.little)
    least += " little " + listed(e.little->sizes, [](const std::string &name) { return quote(name); }) + " below " +
             std::to_string(e.little->below) + " of " + std::to_string(e.little->work);
  if (!e.source.empty()) least += " source " + quote(e.source);
  if (e.tests.empty()) return line("entry" + least + " {}");
  nested("entry" + least + " {", "}", [&] { asked(e.tests); });
}

void TextOfDevice::queue(const DeviceQueue &q) {
  nested("queue {", "}", [&] {
    asked(q.tests);
    if (q.runs) line("runs " + expr(q.runs));
    if (!q.asked.empty()) nested("asked {", "}", [&] { asked(q.asked); });
    for (const DeviceCopy &c : q.copies)
      line("copy " + quote(c.array) + (c.count ? " of " + expr(c.count) : "") +
           (c.filled ? " filled " + expr(c.filled) : "") + (c.back ? " back" : ""));
  });
  if (!q.inOrder) return;
  nested("inorder {", "}", [&] {
    for (const TileArray &a : q.inOrder->arrays) {
      scope.declare(a);
      line(array(a));
    }
    tiles(q.inOrder->tiles);
    block(q.inOrder->body);
  });
}

} // namespace polymend::device_room
