#pragma once

// What of a struct goes into JSON, and by which names; see codec.h.
#define PF_FIELDS(...)                                                     \
  template <class V, class Self>                                           \
  static void fields([[maybe_unused]] V& v, [[maybe_unused]] Self& self) { \
    __VA_ARGS__;                                                           \
  }
