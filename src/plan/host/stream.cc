#include "plan/host/stream.h"

#include "plan/domain/describe.h"

namespace pf {

StreamLine line_of(const plan::Event& event) {
  plan::Told told = plan::tell(event);
  return {std::string(plan::type_of(event.body)), event.ts, std::move(told.prefix),
          std::move(told.text), event.seq};
}

}  // namespace pf
