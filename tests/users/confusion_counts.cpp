// True positives and the rest, as integers by reference.
#include <cstddef>
#include <vector>
using std::size_t;

struct Counts {
  int tp, fp, fn, tn;
};

void confusion_counts(const std::vector<float> &score, const std::vector<int> &truth, float threshold, Counts &out) {
  int tp = 0, fp = 0, fn = 0, tn = 0;
  for (size_t i = 0; i < score.size(); ++i) {
    const bool positive = score[i] >= threshold;
    if (positive && truth[i])
      ++tp;
    else if (positive)
      ++fp;
    else if (truth[i])
      ++fn;
    else
      ++tn;
  }
  out.tp = tp;
  out.fp = fp;
  out.fn = fn;
  out.tn = tn;
}
