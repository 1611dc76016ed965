#define SECOND 2
