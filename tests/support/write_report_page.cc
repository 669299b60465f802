// Writes the report page of the data on standard input to standard output: what tests/web opens in a browser.
#include <iostream>
#include <iterator>
#include <string>

#include "neardup/tools/run_report.h"

int main() {
  const std::string json{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << neardup::report_page(json);
  return std::cout.flush() ? 0 : 1;
}
