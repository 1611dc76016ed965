#ifndef POLYMEND_RT_TWIN_OF
#define POLYMEND_RT_TWIN_OF

#include "index_fault.h"

#include <algorithm>
#include <vector>

namespace polymend_rt {
namespace {

/// An element that leads where one at a lesser position does, whose position is then the bound; no fault: none does.
inline IndexFault twinOf(std::vector<IndexFault> elements) {
  std::sort(elements.begin(), elements.end(), [](const IndexFault &a, const IndexFault &b) {
    return a.reached != b.reached ? a.reached < b.reached : a.position < b.position;
  });
  for (std::size_t k = 1; k < elements.size(); ++k)
    if (elements[k].reached == elements[k - 1].reached && elements[k].position != elements[k - 1].position) {
      elements[k].bound = elements[k - 1].position;
      return elements[k];
    }
  return {};
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_TWIN_OF
