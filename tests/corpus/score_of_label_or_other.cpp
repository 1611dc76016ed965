// As score_of_label, but from another number than zero, which a label out of range leaves as it is.
// expect: kept
void score_of_label_or_other(int rows, int classes, const float *score, const int *label, float *loss) {
  for (int r = 0; r < rows; r++) {
    float own = -1;
    for (int c = 0; c < classes; c++)
      if (c == label[r]) own = score[r * classes + c];
    loss[r] = own;
  }
}
