// KernelTest: a test that runs for the kernels of every instruction set that this processor has.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "kernels/kernels.h"

namespace neardup::testing {

/// Its parameter is a place in the list of kernels: INSTANTIATE_TEST_SUITE_P(All, ..., every_kernel_unit()).
class KernelTest : public ::testing::TestWithParam<size_t> {
 protected:
  [[nodiscard]] static const kernels::Kernels& unit() {
    size_t count = 0;
    return *kernels::available(&count)[GetParam()];
  }
};

inline auto every_kernel_unit() {
  size_t count = 0;
  kernels::available(&count);
  return ::testing::Range(size_t{0}, count);
}

/// For the names of tests: that of the instruction set.
inline std::string kernel_unit_name(const ::testing::TestParamInfo<size_t>& unit) {
  size_t count = 0;
  return kernels::available(&count)[unit.param]->name;
}

}  // namespace neardup::testing
