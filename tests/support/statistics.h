// The statistical suite that every sketch inherits: collision probability, bit balance, independence of order, checksum.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace neardup::testing {

/// Two sets of random features with `common` shared ones and `only_a`, `only_b` others.
struct SetPair {
  std::vector<uint64_t> a, b;
};
inline SetPair random_sets(std::mt19937_64& random, size_t common, size_t only_a, size_t only_b) {
  SetPair made;
  for (size_t i = 0; i < common; ++i) {
    made.a.push_back(random());
    made.b.push_back(made.a.back());
  }
  for (size_t i = 0; i < only_a; ++i) made.a.push_back(random());
  for (size_t i = 0; i < only_b; ++i) made.b.push_back(random());
  return made;
}

/// Standard deviations between the successes seen and n trials of probability p. |z| > 4.5 has probability 7e-6.
inline double z_score(double successes, double n, double p) {
  const double deviation = std::sqrt(n * p * (1 - p));
  return deviation == 0 ? (successes == n * p ? 0 : 1e9) : (successes - n * p) / deviation;
}
inline constexpr double kImprobable = 4.5;

}  // namespace neardup::testing
