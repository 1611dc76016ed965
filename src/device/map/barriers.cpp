// A forward walk that carries what was touched since the last barrier, on any path. A loop is walked until what reaches
// its head no longer grows, so that its body is placed after its own end. Barriers depend on places alone and bounds
// and conditions are the same for all threads, so that either all of them arrive or none does.
#include "device/barriers.h"

namespace polymend::device_room {

namespace {

/// Who touched each array since the last barrier.
struct Pending {
  std::map<std::string, std::set<std::string>> reads, writes;
  bool operator==(const Pending &) const = default;
};

using Owners = std::map<std::string, std::set<std::string>>;

void note(Owners &pending, const Touches &touches) {
  for (const auto &[array, owner] : touches) pending[array].insert(owner);
}

void unite(Pending &into, const Pending &other) {
  for (const auto &[array, owners] : other.reads) into.reads[array].insert(owners.begin(), owners.end());
  for (const auto &[array, owners] : other.writes) into.writes[array].insert(owners.begin(), owners.end());
}

bool meets(const Owners &pending, const Touches &touches) {
  for (const auto &[array, owner] : touches) {
    const auto at = pending.find(array);
    if (at == pending.end()) continue;
    for (const std::string &before : at->second)
      if (owner.empty() || before != owner) return true;
  }
  return false;
}

bool conflicts(const Pending &pending, const Span &s) {
  return meets(pending.writes, s.reads) || meets(pending.writes, s.writes) || meets(pending.reads, s.writes);
}

void walk(std::vector<Span> &spans, Pending &pending);

/// A loop's bounds are read at its head each time: what the body wrote must be there by then.
void walkLoop(Span &s, Pending &pending) {
  for (;;) {
    Pending end = pending;
    walk(s.first, end);
    s.barrierAtEnd = s.barrierAtEnd || meets(end.writes, s.reads);
    if (s.barrierAtEnd) end = {};
    Pending head = pending;
    unite(head, end);
    note(head.reads, s.reads);
    if (head == pending) return;
    pending = head;
  }
}

/// How many barriers stand in the spans.
std::size_t barriersIn(const std::vector<Span> &spans) {
  std::size_t count = 0;
  for (const Span &s : spans)
    count += (s.barrier ? 1 : 0) + (s.barrierAtEnd ? 1 : 0) + barriersIn(s.first) + barriersIn(s.second);
  return count;
}

/// Whether a barrier before the loop saves one in its body, where it would stand at every turn.
bool worthWaiting(const Span &s, const Pending &pending) {
  Span with = s, without = s;
  Pending nothing, arriving = pending;
  walkLoop(with, nothing);
  walkLoop(without, arriving);
  return barriersIn(with.first) < barriersIn(without.first);
}

void walk(Span &s, Pending &pending) {
  if (s.kind == Span::Kind::Repeat && !s.barrier && worthWaiting(s, pending)) s.barrier = true;
  s.barrier = s.barrier || conflicts(pending, s);
  if (s.barrier) pending = {};
  note(pending.reads, s.reads);
  if (s.synchronises) pending = {};
  note(pending.writes, s.writes);
  if (s.kind == Span::Kind::Repeat) {
    walkLoop(s, pending);
  } else if (s.kind == Span::Kind::Choose) {
    Pending other = pending;
    walk(s.first, pending);
    walk(s.second, other);
    unite(pending, other);
  }
}

void walk(std::vector<Span> &spans, Pending &pending) {
  for (Span &s : spans) walk(s, pending);
}

} // namespace

std::vector<Span> placeBarriers(std::vector<Span> spans) {
  Pending pending;
  walk(spans, pending);
  return spans;
}

} // namespace polymend::device_room
