// A destructor that writes runs where its object ends, also where a copy of it ends that a helper takes.
// expect: left: a destructor runs where 'adds' ends, which
struct Adder {
  float *to, by;
  Adder(float *at, float value) : to(at), by(value) {}
  ~Adder() { *to += by; }
};
void left_ends_of_objects(int n, float *x, float *y) {
  for (int i = 0; i < n; i++) {
    Adder adds(&x[i], 2.0f);
    y[i] = x[i] + adds.by;
  }
}
