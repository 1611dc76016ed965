// Text -> what entries do: see note [grammar] of write.cpp.
#include "reader.h"

namespace polymend::device_room {

using namespace tile;

EntryTest DeviceReader::test() {
  EntryTest t;
  if (acceptWord("falls")) {
    t.a = name();
    return t;
  }
  t.kind = word(tests, EntryTest::Kind::Given);
  if (t.kind != EntryTest::Kind::Given) t.a = name();
  const bool isOfOne = t.kind == EntryTest::Kind::Unknown || t.kind == EntryTest::Kind::Numbers;
  if (t.kind != EntryTest::Kind::Given && !isOfOne) t.b = name();
  return t;
}

DeviceEntry DeviceReader::entry(std::vector<std::string> &declared) {
  DeviceEntry e;
  expectWord("entry");
  if (acceptWord("declared")) declared = names();
  if (acceptWord("estimate")) {
    e.work = expr();
    expectWord("times");
    e.times = expr();
  }
  if (acceptWord("little")) {
    e.little.emplace();
    e.little->sizes = names();
    expectWord("below");
    e.little->below = integer();
    expectWord("of");
    e.little->work = integer();
  }
  if (acceptWord("source")) e.source = name();
  expectMark("{");
  while (!failed() && !acceptMark("}")) e.tests.push_back(test());
  return e;
}

DeviceCopy DeviceReader::copy() {
  DeviceCopy c;
  c.array = name();
  if (acceptWord("of")) c.count = expr();
  if (acceptWord("filled")) c.filled = expr();
  c.back = acceptWord("back");
  return c;
}

DeviceInOrder DeviceReader::inOrder() {
  DeviceInOrder result;
  expectMark("{");
  while (!failed() && (isWord("array") || isWord("work"))) result.arrays.push_back(array());
  result.tiles = tiles();
  while (!failed() && !acceptMark("}")) result.body.push_back(node());
  return result;
}

DeviceQueue DeviceReader::queue() {
  DeviceQueue q;
  expectWord("queue");
  expectMark("{");
  while (!failed() && !acceptMark("}")) {
    if (acceptWord("copy")) {
      q.copies.push_back(copy());
    } else if (acceptWord("runs")) {
      q.runs = expr();
    } else if (acceptWord("asked")) {
      expectMark("{");
      while (!failed() && !acceptMark("}")) q.asked.push_back(test());
    } else {
      q.tests.push_back(test());
    }
  }
  if (acceptWord("inorder")) q.inOrder = inOrder();
  return q;
}

} // namespace polymend::device_room
