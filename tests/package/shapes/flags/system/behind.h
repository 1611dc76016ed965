#define BEHIND 1
