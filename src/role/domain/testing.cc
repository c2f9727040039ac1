#include "role/domain/testing.h"

template class pf::testing::DecidedLoop<pf::role::testing::Repo, pf::role::State, pf::role::Event,
                                        pf::role::Command>;
