// What searches have found is compared with the end, or the beginning, of what they searched.
// expect: kept: what ends the search is a recurrence
#include <algorithm>
#include <vector>

void searched_and_compared(std::vector<int> &place, const std::vector<float> &x, const std::vector<float> &sought) {
  for (std::size_t i = 0; i < sought.size(); ++i) {
    const auto it = std::find(x.begin(), x.end(), sought[i]);
    if (it == x.end())
      place[i] = -1;
    else
      place[i] = static_cast<int>(std::distance(x.begin(), it));
  }
}

void between_points(std::vector<float> &y, const std::vector<float> &x, const std::vector<float> &v,
                    const std::vector<float> &at) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    auto it = std::upper_bound(x.begin(), x.end(), at[i]);
    if (it == x.begin()) {
      y[i] = v.front();
      continue;
    }
    if (it == x.end()) {
      y[i] = v.back();
      continue;
    }
    const std::size_t k = it - x.begin();
    y[i] = v[k - 1] + (at[i] - x[k - 1]) / (x[k] - x[k - 1]) * (v[k] - v[k - 1]);
  }
}

void first_above(std::vector<int> &y, const std::vector<float> &x, const std::vector<float> &least) {
  for (std::size_t i = 0; i < least.size(); ++i) {
    const auto it = std::find_if(x.begin(), x.end(), [&](float v) { return v > least[i]; });
    y[i] = it != x.end() ? static_cast<int>(it - x.begin()) : -1;
  }
}
