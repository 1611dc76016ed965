// Elements and objects of derived structures: the members of the bases are members.
// expect: corrected 0; left: an object of class type is not
struct Place {
  float x, y;
};
struct Tagged {
  int tag = 2;
};
struct Sample : Place, Tagged {
  float weight = 1.5f;
  float at(float by) const { return x + y * by; }
};
struct Kept : Sample {
  double total = 0;
  explicit Kept(const Place &from) {
    x = from.x;
    y = from.y;
    weight = from.x * 0.5f;
    for (int k = 0; k < 3; k++) total += at(static_cast<float>(k));
    tag += 1;
  }
};
static Place shifted(Place from, float by) {
  from.x += by;
  return from;
}
void based_records(int n, const Sample *in, Sample *out, double *totals) {
  for (int i = 0; i < n; i++) {
    const Kept kept(in[i]);
    Sample own = in[i];
    own.x = kept.at(0.5f);
    own.tag += kept.tag;
    const Place moved = shifted(own, 2.0f);
    out[i].x = moved.x;
    out[i].y = own.y - moved.y;
    out[i].weight = kept.weight + own.weight;
    out[i].tag = own.tag;
    totals[i] = kept.total;
  }
}
