// Several turns may assign: the last of them counts.
// expect: kept
void last_score_below(int rows, int classes, const float *score, const int *label, float *loss) {
  for (int r = 0; r < rows; r++) {
    float own = 0;
    for (int c = 0; c < classes; c++)
      if (c / 2 == label[r]) own = score[r * classes + c];
    loss[r] = own;
  }
}
