#include "order.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graph_utility.hpp>
#include <boost/graph/topological_sort.hpp>

#include <iterator>

namespace polymend {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// An edge leads from a kernel to each that it waits for.
Graph graphOf(const Waits &waits) {
  Graph graph(waits.size());
  for (std::size_t kernel = 0; kernel < waits.size(); ++kernel)
    for (const std::size_t other : waits[kernel]) boost::add_edge(kernel, other, graph);
  return graph;
}

} // namespace

bool waitsFor(const Waits &waits, std::size_t kernel, std::size_t other) {
  const Graph graph = graphOf(waits);
  std::vector<boost::default_color_type> colors(waits.size(), boost::white_color);
  return boost::is_reachable(kernel, other, graph, colors.data());
}

std::vector<std::size_t> inOrder(const Waits &waits) {
  const Graph graph = graphOf(waits);
  std::vector<std::size_t> result;
  std::vector<boost::default_color_type> colors(waits.size(), boost::white_color);
  const auto color = boost::make_iterator_property_map(colors.begin(), boost::get(boost::vertex_index, graph));
  boost::topological_sort(graph, std::back_inserter(result),
                          boost::color_map(color)); // where an edge leads comes first
  return result;
}

} // namespace polymend
