// What a helper returns early is an object: the turn that calls it becomes a function of the colour's numbers.
// expect: kept
#include <algorithm>
#include <vector>

struct Colour {
  float r, g, b;
};
struct Tone {
  float hue, grey;
};

static Tone toneOf(const Colour &c) {
  const float most = std::max({c.r, c.g, c.b}), least = std::min({c.r, c.g, c.b});
  Tone tone{0, least};
  if (!(most > least)) return tone;
  tone.hue = c.r >= most ? (c.g - c.b) / (most - least) : 2 + (c.b - c.r) / (most - least);
  return tone;
}

void colours_turned(std::vector<Colour> &picture, float by) {
  for (auto &colour : picture) {
    const Tone tone = toneOf(colour);
    colour.g = tone.hue + by;
    colour = {tone.grey, colour.g, colour.b * by};
  }
}
