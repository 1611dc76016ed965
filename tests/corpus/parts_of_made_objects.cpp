// What was copied from parts of objects that functions make, from a lambda and by a member, is changed: they stay.
// expect: corrected 0

struct Couple {
  float a, b;
};

struct Both {
  Couple p, q;
  Couple first() const { return p; }
};

static Couple made(float x) {
  Couple r;
  r.a = x;
  r.b = 1;
  return r;
}

void parts_of_made_objects(const float *x, float *y, float *z, int n) {
  for (int i = 0; i < n; ++i) {
    Both both{made(x[i]), made(2)};
    Couple part = both.p;
    part.a = 9;
    Couple first = both.first();
    first.b += 3;
    Couple own = made(x[i]);
    const auto get = [&] { return own; };
    Couple got = get();
    got.a = 5;
    Couple kept = both.p;
    both.p = both.q;
    both.q = kept;
    y[i] = both.q.a + 10 * part.a + first.b;
    z[i] = own.a + 10 * got.a + both.p.a;
  }
}
