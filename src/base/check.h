#pragma once
#include <cstdio>
#include <cstdlib>

// Our own mistake, never bad input: stays on in release and ends the process.
#define PF_CHECK(condition)                                                                 \
  do {                                                                                      \
    if (!(condition)) [[unlikely]] {                                                        \
      std::fprintf(stderr, "pairflow: bug at %s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                         \
    }                                                                                       \
  } while (false)
