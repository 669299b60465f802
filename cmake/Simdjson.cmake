# simdjson::simdjson as an archive, which Debian does not have: its two source files are in the source distribution that
# cmake/simdjson-requirements.txt pins (PinnedPackage.cmake), or in NEARDUP_SIMDJSON_SDIST. Nothing of it is kept in the repository.
set(NEARDUP_SIMDJSON_SDIST "" CACHE FILEPATH "The pinned source distribution with simdjson inside, instead of a download")

neardup_pinned_package(archive problem "the sources of simdjson" simdjson-requirements.txt "${NEARDUP_SIMDJSON_SDIST}" sdist .tar.gz)
if(NOT archive)
  message(FATAL_ERROR "No simdjson: ${problem}. Give the file by -DNEARDUP_SIMDJSON_SDIST=FILE")
endif()
set(source "${CMAKE_CURRENT_BINARY_DIR}/simdjson-source")
if(NOT EXISTS "${source}/done")
  file(REMOVE_RECURSE "${source}")
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${source}"
    PATTERNS "*/simdjson/simdjson.h" "*/simdjson/simdjson.cpp" "pysimdjson-*/LICENSE")
  file(GLOB top "${source}/pysimdjson-*")
  file(RENAME "${top}" "${source}/package")
  file(TOUCH "${source}/done")
endif()
set(NEARDUP_SIMDJSON_LICENCE "${source}/package/LICENSE")
add_library(simdjson STATIC "${source}/package/simdjson/simdjson.cpp")
set_target_properties(simdjson PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden EXPORT_COMPILE_COMMANDS OFF)
target_compile_options(simdjson PRIVATE -w)  # its warnings are not ours
target_include_directories(simdjson SYSTEM PUBLIC "${source}/package/simdjson")
if(NEARDUP_SANITIZE)
  target_compile_options(simdjson PRIVATE -fsanitize=${NEARDUP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize=alignment)
endif()
add_library(simdjson::simdjson ALIAS simdjson)
