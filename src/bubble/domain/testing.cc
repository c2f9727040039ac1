#include "bubble/domain/testing.h"

template class pf::testing::DecidedLoop<pf::bubble::testing::Bubble, pf::bubble::State,
                                        pf::bubble::Event, pf::bubble::Command>;
