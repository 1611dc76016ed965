// oracle: runs a Function statement by statement on small sizes and remembers who wrote each element last. What a read
// then sees is compared with the sources that the analysis found, instance by instance.
#pragma once

#include "../model/nest.h"

#include "polymend/deps.h"

#include <map>

namespace polymend::test {

struct Instance {
  int statement = -1; // -1: the value at entry
  std::vector<long> iterations;
  bool operator==(const Instance &) const = default;
};

struct Seen {
  Instance reader;
  int read = 0;
  Instance writer;
};

class Oracle {
public:
  Oracle(const Function &f, const std::map<std::string, long> &sizes) : values(sizes) {
    enumerate(f.body);
    run(f.body);
  }
  std::vector<Seen> reads;
  std::map<std::pair<std::string, std::vector<long>>, Instance> lastWrites;

private:
  long value(const Expr &e) const;
  void enumerate(const Body &body);
  void run(const Body &body);
  void run(const Loop &loop);
  void run(const Branch &branch);
  void run(const Assign &assign);
  void readAll(const Expr &e, const Instance &reader, int &next, bool reached);

  std::map<std::string, long> values;
  std::vector<long> iterations;
  std::vector<const Assign *> numbered;
};

/// Compares every read instance of `f` at `sizes` with the sources and live-in sets in `deps`.
void expectOracleAgrees(const Function &f, const Scop &scop, const Dependences &deps,
                        const std::map<std::string, long> &sizes);

} // namespace polymend::test
