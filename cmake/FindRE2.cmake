# RE2_LIBRARY and RE2_INCLUDE_DIR: linked by its plain name, so that the exported targets name no path of this machine.
find_path(RE2_INCLUDE_DIR NAMES re2/re2.h)
find_library(RE2_FILE NAMES re2)
mark_as_advanced(RE2_INCLUDE_DIR RE2_FILE)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(RE2 REQUIRED_VARS RE2_FILE RE2_INCLUDE_DIR)
set(RE2_LIBRARY re2)
