// The report page without its data: the files of web/report and the chart library uPlot, compiled in by cmake/ReportPage.cmake.
#pragma once

#include <span>
#include <string_view>

namespace neardup {

struct PageTemplate {
  std::span<const std::string_view> before_data;  ///< pieces, in order
  std::span<const std::string_view> after_data;
};

PageTemplate page_template() noexcept;

}  // namespace neardup
