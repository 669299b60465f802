#include "neardup/tools/band_parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace neardup {
namespace {

// The Gauss-Kronrod rule of 21 points on [-1, 1] (Kronrod 1965), the positive half: every second node is one of the Gauss rule of 10.
constexpr std::array<double, 11> kNodes = {0.995657163025808080735527280689003,
                                           0.973906528517171720077964012084452,
                                           0.930157491355708226001207180059508,
                                           0.865063366688984510732096688423493,
                                           0.780817726586416897063717578345042,
                                           0.679409568299024406234327365114874,
                                           0.562757134668604683339000099272694,
                                           0.433395394129247190799265943165784,
                                           0.294392862701460198131126603103866,
                                           0.148874338981631210884826001129720,
                                           0.0};
constexpr std::array<double, 11> kKronrod = {
    0.011694638867371874278064396062192, 0.032558162307964727478818972459390, 0.054755896574351996031381300244580,
    0.075039674810919952767043140916190, 0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
    0.123491976262065851077958109585166, 0.134709217311473325928054001771707, 0.142775938577060080797094273138717,
    0.147739104901338491374841515972068, 0.149445554002916905664936468389821};
constexpr std::array<double, 5> kGauss = {0.066671344308688137593568809893332, 0.149451349150580593145863396957658,
                                          0.219086362515982043995534934228163, 0.269266719309996355091226921569469,
                                          0.295524224714752870173815619188769};
constexpr double kTolerance = 1.49e-8;  // absolute and relative
constexpr int kDepth = 12;              // of the bisection

struct Estimate {
  double value;
  double error;
};

// The value and the error estimate are those of QUADPACK (Piessens and others 1983), which SciPy has: where areas nearly tie, the choice
// depends on them.
template <typename Function>
Estimate gauss_kronrod(const Function& f, double low, double high) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const double center = 0.5 * (low + high);
  const double half = 0.5 * (high - low);
  std::array<double, 10> below;
  std::array<double, 10> above;
  const double middle = f(center);
  double kronrod = kKronrod[10] * middle;
  double gauss = 0;
  double absolute = std::abs(kronrod);
  for (size_t i = 0; i < below.size(); ++i) {
    below[i] = f(center - half * kNodes[i]);
    above[i] = f(center + half * kNodes[i]);
    kronrod += kKronrod[i] * (below[i] + above[i]);
    absolute += kKronrod[i] * (std::abs(below[i]) + std::abs(above[i]));
    if (i % 2 == 1) gauss += kGauss[i / 2] * (below[i] + above[i]);
  }
  const double mean = 0.5 * kronrod;
  double spread = kKronrod[10] * std::abs(middle - mean);
  for (size_t i = 0; i < below.size(); ++i) spread += kKronrod[i] * (std::abs(below[i] - mean) + std::abs(above[i] - mean));
  absolute *= std::abs(half);
  spread *= std::abs(half);
  double error = std::abs((kronrod - gauss) * half);
  if (spread != 0 && error != 0) error = spread * std::min(1.0, std::pow(200 * error / spread, 1.5));
  if (absolute > std::numeric_limits<double>::min() / (50 * kEpsilon)) error = std::max(50 * kEpsilon * absolute, error);
  return {kronrod * half, error};
}

template <typename Function>
double integral(const Function& f, double low, double high, int depth = kDepth) {
  const Estimate whole = gauss_kronrod(f, low, high);
  if (depth == 0 || whole.error <= std::max(kTolerance, kTolerance * std::abs(whole.value))) return whole.value;
  const double center = 0.5 * (low + high);
  return integral(f, low, center, depth - 1) + integral(f, center, high, depth - 1);
}

// The probability of a candidate. The complement is 1 minus this, with its rounding: areas that round to 0 are ties.
double candidate(double similarity, double bands, double rows) {
  return 1 - std::pow(1 - std::pow(similarity, rows), bands);
}

// The pair with the smallest error, in the order of bands, then rows.
template <typename Area>
BandParameters smallest(const BandQuestion& question, uint32_t max_rows, const StopFunction& stop, const Area& error) {
  double least = std::numeric_limits<double>::infinity();
  BandParameters best;
  for (uint32_t bands = 1; bands <= question.lanes; ++bands) {
    check_stop(stop);
    for (uint32_t rows = 1; rows <= std::min(max_rows, question.lanes / bands); ++rows) {
      const double sum = error(bands, rows);
      if (sum < least) {
        least = sum;
        best = {bands, rows};
      }
    }
  }
  return best;
}

}  // namespace

BandParameters datasketch_lsh_parameters(const BandQuestion& question, const StopFunction& stop) {
  return smallest(question, question.lanes, stop, [&](double bands, double rows) {
    const auto found = [&](double s) { return candidate(s, bands, rows); };
    const auto missed = [&](double s) { return 1 - candidate(s, bands, rows); };
    return integral(found, 0.0, question.threshold) * question.false_positive_weight +
           integral(missed, question.threshold, 1.0) * question.false_negative_weight;
  });
}

BandParameters datasketch_ensemble_parameters(const BandQuestion& question, uint32_t max_rows, double size_ratio,
                                              const StopFunction& stop) {
  return smallest(question, max_rows, stop, [&](double bands, double rows) {
    // A containment t of the query in a set of size_ratio times its size is this Jaccard similarity.
    const auto jaccard = [&](double t) { return t / (1 + size_ratio - t); };
    const auto found = [&](double t) { return candidate(jaccard(t), bands, rows); };
    const auto missed = [&](double t) { return 1 - candidate(jaccard(t), bands, rows); };
    // The containment cannot exceed the ratio of the sizes.
    const double most = std::min(size_ratio, 1.0);
    const double false_positive = integral(found, 0.0, std::min(question.threshold, size_ratio));
    const double false_negative = most < question.threshold ? 0.0 : integral(missed, question.threshold, most);
    return false_positive * question.false_positive_weight + false_negative * question.false_negative_weight;
  });
}

}  // namespace neardup
