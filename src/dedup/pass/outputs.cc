#include "dedup/pass/outputs.h"

#include <cstddef>

namespace neardup {

void Outputs::commit() const {
  for (size_t done = 0; done < outputs_.size(); ++done) {
    try {
      outputs_[done].commit();
    } catch (...) {
      while (done-- > 0) outputs_[done].withdraw();
      throw;
    }
  }
}

}  // namespace neardup
