#include "verify_entry.h"

#include "device/walk.h"
#include "polymend/verify_device.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

class EntryVerifier {
public:
  explicit EntryVerifier(const DeviceProgram &p) : program(p) {}
  std::vector<std::string> run();

private:
  void complain(const std::string &what) { found.push_back(what); }
  [[nodiscard]] bool isArgument(const std::string &name) const;
  void tests(const std::vector<EntryTest> &all);
  void given(const std::vector<EntryTest> &all);
  void little(const LittleWork &work);
  void queue(const DeviceQueue &q);
  void copies(const DeviceQueue &q, const DeviceBlock &nodes, const std::set<std::string> &tiles);

  const DeviceProgram &program;
  std::vector<std::string> found;
};

bool EntryVerifier::isArgument(const std::string &name) const {
  return std::any_of(program.arrays.begin(), program.arrays.end(),
                     [&](const TileArray &a) { return a.name == name && a.space == Space::Argument; });
}

void EntryVerifier::tests(const std::vector<EntryTest> &all) {
  using Kind = EntryTest::Kind;
  for (const EntryTest &test : all) {
    const bool isOfArray = test.kind != Kind::Given || !test.a.empty();
    if (!isOfArray && !program.given) complain("a test of what is not given");
    if (isOfArray && !isArgument(test.a)) complain("a test of '" + test.a + "', which is no argument");
    const bool isPair = test.kind == Kind::Extents || test.kind == Kind::Elements || test.kind == Kind::Together;
    if (isPair && !isArgument(test.b)) complain("a test of '" + test.b + "', which is no argument");
  }
}

void EntryVerifier::given(const std::vector<EntryTest> &all) {
  const auto isTested = [&](const std::string &array) {
    return std::any_of(all.begin(), all.end(),
                       [&](const EntryTest &t) { return t.kind == EntryTest::Kind::Given && t.a == array; });
  };
  if (program.given && !isTested("")) complain("what is given is not tested");
  std::set<std::string> indices;
  for (const Kernel &kernel : forget(program).kernels)
    eachAssign(kernel, [&](const TileAssign &assign) {
      for (const Expr &subscript : assign.target.subscripts)
        visit(subscript, [&](const Expr &e) {
          if (e.op() == Op::Read && isArgument(e->name)) indices.insert(e->name);
        });
    });
  for (const std::string &index : indices)
    if (!isTested(index) &&
        std::find(program.declared.begin(), program.declared.end(), index) == program.declared.end())
      complain("where elements are written rests on '" + index + "', which is not tested");
}

/// Arguments that the nodes touch are copied, and those that they write come back.
void EntryVerifier::copies(const DeviceQueue &q, const DeviceBlock &nodes, const std::set<std::string> &tiles) {
  if (!program.entry.source.empty()) return;
  const std::set<std::string> written = writtenIn(nodes);
  for (const std::string &array : usedIn(nodes)) {
    if (tiles.contains(array) || !isArgument(array)) continue;
    const auto copy =
        std::find_if(q.copies.begin(), q.copies.end(), [&](const DeviceCopy &c) { return c.array == array; });
    if (copy == q.copies.end())
      complain("'" + array + "' is touched, but not copied to the device");
    else if (written.contains(array) && !copy->back)
      complain("'" + array + "' is written, but does not come back");
  }
}

void EntryVerifier::queue(const DeviceQueue &q) {
  tests(q.tests);
  std::vector<EntryTest> all = q.tests;
  all.insert(all.end(), q.asked.begin(), q.asked.end());
  given(all);
  tests(q.asked);
  for (const EntryTest &test : q.asked)
    if (test.kind != EntryTest::Kind::Elements && (test.kind != EntryTest::Kind::Given || test.a.empty()))
      complain("the device is asked for what the host can tell");
  if (q.asked.empty() == q.inOrder.has_value())
    complain("the source's order runs exactly where the device is asked what arguments hold or share");
  for (const DeviceCopy &copy : q.copies)
    if (!isArgument(copy.array)) complain("a copy of '" + copy.array + "', which is no argument");
  for (const DeviceKernel &k : program.kernels) {
    std::set<std::string> own;
    for (const DeviceTile &t : k.tiles) own.insert(t.array.name);
    copies(q, k.body, own);
    if (k.roles) copies(q, k.roles->computes, own);
    if (k.arrival) copies(q, k.arrival->body, own);
  }
}

void EntryVerifier::little(const LittleWork &work) {
  if (!program.entry.work) complain("little work is told without an estimate");
  for (const std::string &size : work.sizes)
    if (std::find(program.sizes.begin(), program.sizes.end(), size) == program.sizes.end())
      complain("little work is told by '" + size + "', which is no size");
}

std::vector<std::string> EntryVerifier::run() {
  if (program.queue) queue(*program.queue);
  if (program.steps.empty() || program.queue) {
    tests(program.entry.tests);
    if (program.entry.source.empty()) given(program.entry.tests);
    if (program.entry.little) little(*program.entry.little);
  }
  if (!program.entry.source.empty()) {
    if (!program.queue || !program.queue->copies.empty() || !program.entry.tests.empty())
      complain("the source runs, whatever is tested or copied");
  }
  return found;
}

} // namespace

std::vector<std::string> entryFaults(const DeviceProgram &program) { return EntryVerifier(program).run(); }

} // namespace polymend::device_room
