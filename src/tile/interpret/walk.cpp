// A finished pass over a loop's body goes back to its start or leaves the loop; everything else runs once.
#include "walk.h"
#include "tile/visit.h"

namespace polymend::tile {

void Walk::enter(const TileLoop &loop, Environment &env) {
  const std::int64_t first = evaluate(loop.first, env).integer(), limit = evaluate(loop.limit, env).integer();
  if (first >= limit) return;
  env.integers[loop.variable] = first;
  frames.push_back({&loop.body, 0, &loop, limit});
}

void Walk::leave(Environment &env) {
  Frame &frame = frames.back();
  if (frame.loop) {
    std::int64_t &value = env.integers[frame.loop->variable];
    value += frame.loop->step;
    frame.next = 0;
    if (value < frame.limit) return;
    env.integers.erase(frame.loop->variable);
  }
  frames.pop_back();
}

const TileNode *Walk::node(Environment &env) {
  while (!frames.empty() && !env.fault) {
    Frame &frame = frames.back();
    if (frame.next == frame.block->size()) {
      leave(env);
      continue;
    }
    const TileNode &next = (*frame.block)[frame.next];
    const auto *loop = as<TileLoop>(next);
    const auto *branch = as<TileBranch>(next);
    if (!loop && !branch) return &next;
    pass();
    if (loop)
      enter(*loop, env);
    else
      frames.push_back({evaluate(branch->condition, env).truth() ? &branch->then : &branch->otherwise});
  }
  return nullptr;
}

} // namespace polymend::tile
