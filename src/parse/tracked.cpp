// The element at an index that a search keeps -> a value that is kept beside the index. `if (x[j] > x[best]) best = j;`
// reads an element that data choose; with v = x[best], which holds where best is set and is kept where best is kept, it
// is `if (x[j] > v) { best = j; v = x[j]; }`. That is right as long as nobody writes x, the element depends on nothing
// else that changes between the two, and it is read before where the source reads it alone: the first turn of the loop
// does, or a statement behind it.
#include "reader.h"

#include <algorithm>

namespace polymend {

namespace {

bool isTheIndex(const Expr &e, const std::string &index) { return e.op() == Op::Read && e->name == index; }

/// The reads of elements whose subscripts read `index`, each once.
void collectChosen(const Expr &e, const std::string &index, std::vector<Expr> &found) {
  visit(e, [&](const Expr &node) {
    const bool chosen = node.op() == Op::Read && std::any_of(node->args.begin(), node->args.end(),
                                                             [&](const Expr &arg) { return reads(arg, index); });
    const auto same = [&](const Expr &other) { return equal(node, other); };
    if (chosen && std::none_of(found.begin(), found.end(), same)) found.push_back(node);
  });
}

/// What is at hand of a body: every assignment, whatever stands around it; false: a loop or a choice depends on
/// `index`.
bool eachAssign(const Body &body, const std::string &index, const std::function<void(const Assign &)> &f) {
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      if (reads((*loop)->first, index) || reads((*loop)->limit, index)) return false;
      if (!eachAssign((*loop)->body, index, f)) return false;
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      if (reads((*branch)->condition, index)) return false;
      if (!eachAssign((*branch)->then, index, f) || !eachAssign((*branch)->otherwise, index, f)) return false;
    } else {
      f(*std::get<std::shared_ptr<const Assign>>(node));
    }
  }
  return true;
}

bool concerns(const Body &body, const std::string &index) {
  bool found = false;
  const bool plain = eachAssign(body, index, [&](const Assign &a) {
    found = found || a.target == index || reads(a.value, index);
    for (const Expr &s : a.subscripts) found = found || reads(s, index);
  });
  return found || !plain;
}

Expr replaced(const Expr &e, const Expr &element, const Expr &held) {
  return rewrite(e, [&](const Expr &node) { return equal(node, element) ? held : node; });
}

/// An index, the element that it chooses, and what holds its value.
struct Search {
  std::string index;
  Expr element, held;

  /// The element where the index is e; absent: e is neither the index, nor without it, nor a choice of such.
  [[nodiscard]] Expr elementAt(const Expr &e) const {
    if (isTheIndex(e, index)) return held;
    if (e.op() == Op::Cast && isInteger(e.type()) && isInteger(e.arg(0).type())) return elementAt(e.arg(0));
    if (!reads(e, index)) return rewrite(element, [&](const Expr &node) { return isTheIndex(node, index) ? e : node; });
    if (e.op() != Op::Select) return {};
    const Expr condition = replaced(e.arg(0), element, held);
    if (reads(condition, index)) return {};
    const Expr a = elementAt(e.arg(1)), b = elementAt(e.arg(2));
    return a && b ? choose(condition, a, b) : Expr();
  }

  /// Is the element read whenever the assignment runs?
  [[nodiscard]] bool isReadBy(const Assign &assign) const { return isReadBy(assign.value); }
  [[nodiscard]] bool isReadBy(const Expr &e) const {
    if (equal(e, element)) return true;
    const bool decides = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
    const auto within = [&](const Expr &arg) { return isReadBy(arg); };
    return decides ? isReadBy(e.arg(0)) : std::any_of(e->args.begin(), e->args.end(), within);
  }

  /// With the value set beside the index; false: an assignment of the index is of another kind.
  bool keep(Body &body) const {
    Body result;
    for (const Node &node : body) {
      if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
        Loop copy = **loop;
        if (!keep(copy.body)) return false;
        result.emplace_back(std::make_shared<const Loop>(std::move(copy)));
      } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
        Branch copy = **branch;
        if (!keep(copy.then) || !keep(copy.otherwise)) return false;
        result.emplace_back(std::make_shared<const Branch>(std::move(copy)));
      } else {
        Assign copy = *std::get<std::shared_ptr<const Assign>>(node);
        const Expr value = copy.target == index ? elementAt(copy.value) : Expr();
        if (copy.target == index && !value) return false;
        copy.value = replaced(copy.value, element, held);
        result.emplace_back(std::make_shared<const Assign>(copy));
        if (value) result.emplace_back(std::make_shared<const Assign>(Assign{held->name, {}, value, copy.where}));
      }
    }
    body = result;
    return true;
  }
};

/// The condition under which a node reads the element first of all; absent: it may not. True: always.
Expr readsFirst(const Node &node, const Search &search) {
  if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node))
    return search.isReadBy(**assign) ? Expr::integer(1, Type::Bool) : Expr();
  const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node);
  if (loop == nullptr) return {};
  for (const Node &inner : (*loop)->body) {
    const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&inner);
    if (assign == nullptr && !concerns({inner}, search.index)) continue;
    if (assign == nullptr) return {};
    if (search.isReadBy(**assign))
      return (*loop)->step > 0 ? Expr::make(Op::Lt, {(*loop)->first, (*loop)->limit})
                               : Expr::make(Op::Lt, {(*loop)->limit, (*loop)->first});
    if ((*assign)->target == search.index) return {};
  }
  return {};
}

/// Tells the search in the statements where the index is set first; false: it is none.
bool track(Body &body, const Search &search) {
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (!concerns({body[k]}, search.index)) continue;
    const auto *first = std::get_if<std::shared_ptr<const Assign>>(&body[k]);
    if (first == nullptr) {
      for (std::size_t other = k + 1; other < body.size(); ++other)
        if (concerns({body[other]}, search.index)) return false;
      const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&body[k]);
      if (loop == nullptr) return false;
      Loop copy = **loop;
      if (!track(copy.body, search)) return false;
      body[k] = std::make_shared<const Loop>(std::move(copy));
      return true;
    }
    if ((*first)->target != search.index || reads((*first)->value, search.index)) return false;
    Expr when;
    for (std::size_t later = k + 1; later < body.size() && !when; ++later) {
      when = readsFirst(body[later], search);
      if (!when && concerns({body[later]}, search.index)) return false;
    }
    if (!when) return false;
    const bool isReadBehind =
        std::any_of(body.begin() + static_cast<std::ptrdiff_t>(k) + 1, body.end(), [&](const Node &node) {
          const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node);
          return assign != nullptr && search.isReadBy(**assign);
        });
    std::set<std::string> inner = symbols(search.element);
    Body rest(body.begin() + static_cast<std::ptrdiff_t>(k) + 1, body.end());
    for (const Node &node : rest)
      if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node); loop && inner.contains((*loop)->variable))
        return false;
    const Expr start = search.elementAt((*first)->value);
    if (!start || !search.keep(rest)) return false;
    Node set = std::make_shared<const Assign>(Assign{search.held->name, {}, start, (*first)->where});
    const bool always = isReadBehind || when.op() == Op::Integer;
    if (!always) set = std::make_shared<const Branch>(Branch{when, {set}, {}, (*first)->where});
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(k) + 1, body.end());
    body.push_back(set);
    body.insert(body.end(), rest.begin(), rest.end());
    return true;
  }
  return false;
}

} // namespace

void Reader::trackIndices() {
  std::vector<std::string> indices;
  std::map<std::string, SourceRange> read = frozen;
  read.insert(choosing.begin(), choosing.end());
  for (const auto &[name, where] : read)
    if (const Array &array = arrayNamed(name);
        writtenIntegers.contains(name) && array.storage == Array::Storage::Local && array.extents.empty())
      indices.push_back(name);
  for (const std::string &index : indices) {
    std::vector<Expr> chosen;
    std::set<std::string> written;
    bool subscriptsOthers = false;
    const bool plain = eachAssign(function.body, index, [&](const Assign &a) {
      collectChosen(a.value, index, chosen);
      written.insert(a.target);
      for (const Expr &s : a.subscripts) subscriptsOthers = subscriptsOthers || polymend::reads(s, index);
    });
    if (!plain || subscriptsOthers || chosen.size() != 1 || written.contains(chosen.front()->name)) continue;
    Array held;
    held.name = unique("at_" + index);
    held.type = chosen.front().type();
    held.where = arrayNamed(index).where;
    const Search search{index, chosen.front(), Expr::read(held.name, {}, held.type)};
    Body body = function.body;
    if (isShort(held.type) || !track(body, search)) continue;
    addArray(held);
    function.body = body;
    frozen.erase(index);
    choosing.erase(index);
  }
}

} // namespace polymend
