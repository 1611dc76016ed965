// The device program's writer: see note [grammar] of write.cpp.
#pragma once

#include "words.h"

#include "tile/text_writer.h"
#include "tile/words.h"

namespace polymend::device_room {

/// "(a, b)" of what `f` makes of each.
template <class All, class F> std::string listed(const All &all, F f) {
  std::string text;
  for (const auto &one : all) text += (text.empty() ? "" : ", ") + f(one);
  return "(" + text + ")";
}

class TextOfDevice : public tile::TextWriter {
public:
  std::string write(const DeviceProgram &program);

private:
  void asked(const std::vector<EntryTest> &all);
  void entry(const DeviceEntry &e, const std::vector<std::string> &declared);
  void queue(const DeviceQueue &q);
  void kernel(const DeviceKernel &k);
  [[nodiscard]] std::string sharing(const DeviceSharing &s) const;
  void block(const DeviceBlock &nodes);
  void node(const TileNote &n) { line(note(n)); }
  void node(const DeviceLet &l);
  void node(const DeviceAssign &a) {
    line(std::string(a.declares ? "new " : "") + (a.fused ? "fused " : "") + assign(a.what));
  }
  void node(const DeviceFold &f);
  void node(const DeviceMultiply &m);
  void node(const DeviceTranspose &t);
  void node(const std::shared_ptr<const DeviceLoop> &l);
  void node(const std::shared_ptr<const DeviceBranch> &b);
  void node(const std::shared_ptr<const DeviceDeal> &d);
  void node(const std::shared_ptr<const DeviceOne> &o) {
    nested("one {", "}", [&] { block(o->body); });
  }
  void node(const DeviceBarrier &) { line("barrier"); }
  void node(const DeviceReadAhead &r);
  void node(const DeviceLaunch &l) { line("launch " + std::to_string(l.kernel)); }
  void node(const DeviceFill &f);
  void node(const DeviceTake &t) { line("take " + tile::quote(t.channel)); }
  void node(const DeviceGive &g) { line("give " + tile::quote(g.channel) + (g.meets ? " meets" : "")); }
  void node(const DeviceIssue &i);
  void node(const DeviceAwait &a);
  void node(const DeviceCombine &c) { line("combine " + tile::quote(c.sum)); }
  void node(const DeviceVote &v);
  void node(const DeviceRegisters &r);
  void node(const std::shared_ptr<const DeviceShares> &s);
  void channel(const DeviceChannel &c);
  void roles(const DeviceKernel &k);
  [[nodiscard]] std::string share(const DealtDim &d, const DeviceDeal &deal) const;
  [[nodiscard]] std::string form(const DeviceDeal &d) const;
  [[nodiscard]] std::string team(const DeviceKernel &k) const;
  void tiles(const std::vector<DeviceTile> &tiles);
  void step(const DeviceStep &s);
};

} // namespace polymend::device_room
