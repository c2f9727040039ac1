#include "plan/domain/testing.h"

template class pf::testing::DecidedLoop<pf::plan::testing::Plan, pf::plan::State, pf::plan::Event,
                                        pf::plan::Command>;
