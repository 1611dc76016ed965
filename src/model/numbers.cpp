// The model takes assignments in textual order and leaves out those that no sizes can make run.
#include "polymend/numbers.h"

namespace polymend {

namespace {

class Numberer {
public:
  explicit Numberer(const Scop &model) : scop(model) {}

  void number(const Body &body) {
    for (const Node &node : body) {
      if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node)) {
        const int next = static_cast<int>(numbers.size());
        if (isStatement(**assign, next)) numbers[assign->get()] = next;
      } else if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
        number((*loop)->body);
      } else {
        const auto &branch = *std::get<std::shared_ptr<const Branch>>(node);
        number(branch.then);
        number(branch.otherwise);
      }
    }
  }

  std::map<const Assign *, int> numbers;

private:
  const Scop &scop;

  [[nodiscard]] bool isStatement(const Assign &assign, int next) const {
    if (next >= static_cast<int>(scop.statements.size())) return false;
    const Statement &statement = scop.statements[static_cast<std::size_t>(next)];
    return statement.write.array == assign.target && statement.where.begin == assign.where.begin &&
           statement.where.end == assign.where.end;
  }
};

} // namespace

std::map<const Assign *, int> statementNumbers(const Function &function, const Scop &scop) {
  Numberer numberer(scop);
  numberer.number(function.body);
  return std::move(numberer.numbers);
}

} // namespace polymend
