// What the processes of a batch share: a table of programs, where each touches its arrays, and how it is called.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

/// A pointer of whichever type the callee takes, and how many elements there are from it on.
struct Any {
  void *at;
  long count = 0;
  template <class T> operator T *() const { return static_cast<T *>(at); }
};

/// A vector of the elements that a pointer leads to, which gives them back.
template <class T> struct Held {
  explicit Held(const Any &from) : at(static_cast<T *>(from.at)), elements(at, at + from.count) {}
  void giveBack() const { std::copy(elements.begin(), elements.end(), at); }
  T *at;
  std::vector<T> elements;
};

/// What a program returns; a wide evaluation also tells how far roundings move it.
inline void store(double *to, double x) { to[0] = x; }

struct ArrayFacts {
  const char *name;
  char kind;
  bool written;
  int bound; // of an index array: its elements lie in [0, size number `bound`); else -1
};

struct ProgramFacts {
  const char *name;
  char kind;
  int sizes, arrays, scalars;
  const ArrayFacts *array;
  void (*shape)(const long *sizes);
  void (*call)(const long *sizes, const Any *arrays, const double *scalars, double *result);
  bool returns;
};

extern const ProgramFacts programs[];
extern const int programCount;

void touch(int array, long element);
void within(long element, long extent);
void nonempty(long bound);
[[noreturn]] void skip();

/// Which elements of a local array have been written: a case that reads another is skipped.
struct Local {
  std::vector<bool> written;
  explicit Local(std::size_t extent) : written(extent) {}
  void write(long at) {
    within(at, static_cast<long>(written.size()));
    written[static_cast<std::size_t>(at)] = true;
  }
  void read(long at) {
    within(at, static_cast<long>(written.size()));
    if (!written[static_cast<std::size_t>(at)]) skip();
  }
};
