// Every read of the consumer becomes a symbol: a producer where a blocking pair says so, an element where its place
// depends on the reduced dimensions, else a parameter. A producer's own element is written in the same symbols (its
// instance aligned with the consumer's), from which signs and order facts follow.
#include "ask.h"

#include "import.h"
#include "pair.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cmath>

namespace polymend {
namespace {

/// The number that an expression without symbols and reads is, if it is a plain one.
std::optional<double> constantOf(const Expr &e) {
  if (!e) return std::nullopt;
  if (e.op() == Op::Real) return e->real;
  if (e.op() == Op::Integer) return static_cast<double>(e->integer);
  if (e.op() != Op::Neg && e.op() != Op::Cast) return std::nullopt;
  const std::optional<double> inner = constantOf(e.arg(0));
  return inner && e.op() == Op::Neg ? std::optional(-*inner) : inner;
}

class Asker {
public:
  Asker(const Scop &source, const System &all, int index, const std::vector<Blocking> &blocking,
        const std::vector<Blocking> &joined)
      : scop(source), system(all), consumer(all.equations[static_cast<std::size_t>(index)]), pairs(blocking),
        fused(joined), self(index) {}

  Question run() {
    question.candidate.monoid = *consumer.monoid;
    question.candidate.element = toSymbols(consumer.value, consumer.operands);
    const std::vector<AlgebraSymbol> direct = question.candidate.symbols;
    for (std::size_t k = 0; k < direct.size(); ++k)
      if (direct[k].role == AlgebraSymbol::Role::Producer) {
        const Expr element = elementOf(direct[k].name);
        question.candidate.symbols[k].element = element;
        question.candidate.symbols[k].beyond = goesBeyond(direct[k].name);
        question.candidate.symbols[k].count = countOf(direct[k].name);
      }
    return question;
  }

private:
  const Scop &scop;
  const System &system;
  const Equation &consumer;
  const std::vector<Blocking> &pairs, &fused;
  int self;
  Question question;
  std::vector<Operand> known; // operand of each symbol that stands for a read, in the consumer's dimensions
  std::vector<std::string> knownNames;
  std::vector<Expr> knownReads;

  /// The symbol's name: the read in the source's names, made unique.
  std::string fresh(const Expr &read, const Operand &operand) {
    const std::string array =
        operand.equation >= 0 ? system.equations[static_cast<std::size_t>(operand.equation)].array : operand.array;
    std::string name = array;
    for (const Expr &subscript : read->args) name += "[" + show(plain(subscript)) + "]";
    std::string unique = name;
    for (int n = 2; std::find(knownNames.begin(), knownNames.end(), unique) != knownNames.end(); ++n)
      unique = name + "#" + std::to_string(n);
    return unique;
  }

  /// Dimension names without the suffix that made them unique.
  static Expr plain(const Expr &e) {
    return substitute(e, [](const std::string &name) {
      const auto cut = name.rfind('_');
      return cut == std::string::npos || cut + 1 == name.size() ||
                     !std::isdigit(static_cast<unsigned char>(name[cut + 1]))
                 ? Expr()
                 : Expr::symbol(name.substr(0, cut), Type::Int64);
    });
  }

  [[nodiscard]] const Blocking *pairWith(const Operand &operand) const {
    if (operand.equation < 0) return nullptr;
    for (const Blocking &pair : pairs)
      if (pair.consumer == self && pair.producer == operand.equation &&
          !polymend::movesAlong(operand.map, consumer.keys, consumer.reduced()))
        return &pair;
    return nullptr;
  }

  /// Does a symbol of this role stand in the subscripts of a read? Reduced dimensions are elements.
  [[nodiscard]] bool subscriptsHold(const Expr &read, AlgebraSymbol::Role role) const {
    const std::set<std::string> used = symbols(read);
    const bool dimension = std::any_of(consumer.dims.begin() + consumer.keys, consumer.dims.end(),
                                       [&](const std::string &dim) { return used.contains(dim); });
    return (role == AlgebraSymbol::Role::Element && dimension) ||
           std::any_of(question.candidate.symbols.begin(), question.candidate.symbols.end(),
                       [&](const AlgebraSymbol &symbol) { return symbol.role == role && used.contains(symbol.name); });
  }

  /// Does what is read change along the reduced dimensions? Where only the subscripts tell, any element in them may.
  [[nodiscard]] bool movesAlong(const Expr &read, const Operand &operand) const {
    if (!operand.exact) return subscriptsHold(read, AlgebraSymbol::Role::Element);
    return polymend::movesAlong(operand.map, consumer.keys, consumer.reduced());
  }

  Expr symbolFor(const Expr &read, const Operand &operand) {
    if (!operand.exact && subscriptsHold(read, AlgebraSymbol::Role::Producer))
      question.unknown = "where '" + operand.array + "' is read depends on a value that waits for the whole loop";
    for (std::size_t k = 0; k < known.size(); ++k)
      if (known[k].equation == operand.equation && known[k].array == operand.array && known[k].exact == operand.exact &&
          (operand.exact ? known[k].map.is_equal(operand.map) : equal(knownReads[k], read)))
        return Expr::symbol(knownNames[k], read.type());
    AlgebraSymbol symbol;
    symbol.name = fresh(read, operand);
    if (const Blocking *pair = pairWith(operand)) {
      symbol.role = AlgebraSymbol::Role::Producer;
      symbol.monoid = *system.equations[static_cast<std::size_t>(pair->producer)].monoid;
      symbol.mended = std::any_of(fused.begin(), fused.end(),
                                  [&](const Blocking &other) { return other.consumer == pair->producer; });
      question.producers.push_back(pair->producer);
    } else if (!movesAlong(read, operand)) {
      symbol.role = AlgebraSymbol::Role::Parameter;
    }
    known.push_back(operand);
    knownReads.push_back(read);
    knownNames.push_back(symbol.name);
    question.candidate.symbols.push_back(symbol);
    return Expr::symbol(symbol.name, read.type());
  }

  Expr toSymbols(const Expr &value, const std::vector<Operand> &operands) {
    const Expr replaced = rewrite(value, [&](const Expr &node) {
      if (node.op() != Op::Read) return node;
      const Expr symbol = symbolFor(node, operands[static_cast<std::size_t>(node->access)]);
      const bool named = std::any_of(question.names.begin(), question.names.end(),
                                     [&](const auto &n) { return n.first == symbol->name; });
      if (!named && &operands == &consumer.operands) question.names.emplace_back(symbol->name, node->access);
      return symbol;
    });
    for (const std::string &name : symbols(replaced)) addPlainSymbol(name);
    return replaced;
  }

  /// A size, a scalar argument or a loop variable that occurs as a value.
  void addPlainSymbol(const std::string &name) {
    for (const AlgebraSymbol &symbol : question.candidate.symbols)
      if (symbol.name == name) return;
    AlgebraSymbol symbol;
    symbol.name = name;
    symbol.role = AlgebraSymbol::Role::Parameter;
    for (unsigned d = consumer.keys; d < consumer.dims.size(); ++d)
      if (consumer.dims[d] == name) symbol.role = AlgebraSymbol::Role::Element;
    if (positiveWhereItRuns(name)) {
      symbol.natural = true;
      symbol.signs = {false, false, true};
    }
    question.candidate.symbols.push_back(symbol);
  }

  /// Is the parameter at least one whenever the consumer has an element?
  [[nodiscard]] bool positiveWhereItRuns(const std::string &name) const {
    const int position = isl_set_find_dim_by_name(consumer.domain.get(), isl_dim_param, name.c_str());
    if (position < 0 || std::find(scop.parameters.begin(), scop.parameters.end(), name) == scop.parameters.end())
      return false;
    return isl::manage(
               isl_set_upper_bound_si(consumer.domain.copy(), isl_dim_param, static_cast<unsigned>(position), 0))
        .is_empty();
  }

  /// Elements whose reduction over a range that is not empty has the producer's running values: where the accumulator
  /// starts from c, a maximum is one of max(c, element); absent when nothing of the kind is known.
  static Expr withStart(const Expr &element, const Equation &producer) {
    const std::optional<double> start = constantOf(producer.initial);
    if (!start) return {};
    if (*start == neutral(*producer.monoid, Type::Float64)->real) return element;
    const bool extreme = *producer.monoid == Monoid::Max || *producer.monoid == Monoid::Min;
    if (!extreme || std::isnan(*start)) return {};
    return Expr::make(*producer.monoid == Monoid::Max ? Op::Max : Op::Min, element.type(),
                      {element, Expr::real(*start, element.type())});
  }

  /// How many elements the producer named `name` takes in at most, where no size decides; else 0.
  double countOf(const std::string &name) {
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (knownNames[k] != name) continue;
      const Equation &producer = system.equations[static_cast<std::size_t>(pairWith(known[k])->producer)];
      double all = 1;
      for (unsigned d = producer.keys; d < producer.dims.size(); ++d) {
        isl_val *low = isl_set_dim_min_val(producer.domain.copy(), static_cast<int>(d));
        isl_val *high = isl_set_dim_max_val(producer.domain.copy(), static_cast<int>(d));
        const bool isKnown = isl_val_is_int(low) == isl_bool_true && isl_val_is_int(high) == isl_bool_true;
        all *= isKnown ? isl_val_get_d(high) - isl_val_get_d(low) + 1 : 0;
        isl_val_free(low);
        isl_val_free(high);
      }
      return all;
    }
    return 0;
  }

  /// Does the producer named `name` take in, in a row to which elements of the consumer come, others too?
  bool goesBeyond(const std::string &name) {
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (knownNames[k] != name) continue;
      const Blocking *pair = pairWith(known[k]);
      const Equation &producer = system.equations[static_cast<std::size_t>(pair->producer)];
      const isl::set same = alignedInstances(system, *pair).intersect_domain(consumer.domain).range();
      isl_set *rows = isl_set_project_out(same.copy(), isl_dim_set, producer.keys, producer.reduced());
      rows = isl_set_add_dims(rows, isl_dim_set, producer.reduced());
      rows = isl_set_set_tuple_id(rows, isl_set_get_tuple_id(producer.domain.get()));
      return !producer.domain.intersect(isl::manage(rows)).is_subset(same);
    }
    return false;
  }

  /// Does the producer take in an element at every point of the consumer? Only then is each among what it reduces.
  [[nodiscard]] bool takesInAll(const isl::map &aligned, const Equation &producer) const {
    return consumer.domain.is_subset(aligned.intersect_range(producer.domain).domain());
  }

  /// What the producer named `name` reduces, in the consumer's symbols; absent: it leaves out some of these elements.
  Expr elementOf(const std::string &name) {
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (knownNames[k] != name) continue;
      const Blocking *pair = pairWith(known[k]);
      const Equation &producer = system.equations[static_cast<std::size_t>(pair->producer)];
      const isl::map aligned = alignedInstances(system, *pair).intersect_domain(consumer.domain);
      if (!takesInAll(aligned, producer)) return {};
      Equation moved = shell(consumer);
      std::vector<Expr> at(producer.dims.size());
      for (unsigned p = 0; p < producer.keys; ++p)
        at[p] = Expr::symbol(consumer.dims[static_cast<std::size_t>(pair->rows[p])], Type::Int64);
      for (unsigned c = 0; c < pair->alignment.size(); ++c)
        at[producer.keys + pair->alignment[c]] = Expr::symbol(consumer.dims[consumer.keys + c], Type::Int64);
      const Expr value = import(producer.value, producer, at, aligned, moved);
      const Expr element = toSymbols(value, moved.operands);
      return withStart(element, producer);
    }
    return {};
  }
};

} // namespace

Question ask(const Scop &scop, const System &system, int consumer, const std::vector<Blocking> &pairs,
             const std::vector<Blocking> &fused) {
  return Asker(scop, system, consumer, pairs, fused).run();
}

} // namespace polymend
