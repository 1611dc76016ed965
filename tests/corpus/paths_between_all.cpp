// The shortest paths between all pairs: before and behind the row of each turn, threads share the rows.
// expect: moved

void paths_between_all(int n, float d[100][100]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}
