# simdjson::simdjson as an archive, which Debian does not have: its two source files are in the source distribution that
# cmake/simdjson-requirements.txt pins. Nothing of it is kept in the repository.
set(NEARDUP_SIMDJSON_SDIST "" CACHE FILEPATH "The pinned source distribution with simdjson inside, instead of a download")

neardup_pinned_sources(source simdjson simdjson-requirements.txt "${NEARDUP_SIMDJSON_SDIST}"
  "*/simdjson/simdjson.h" "*/simdjson/simdjson.cpp" "pysimdjson-*/LICENSE")
set(NEARDUP_SIMDJSON_LICENCE "${source}/LICENSE")
add_library(simdjson STATIC "${source}/simdjson/simdjson.cpp")
set_target_properties(simdjson PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden EXPORT_COMPILE_COMMANDS OFF)
target_compile_options(simdjson PRIVATE -w)  # its warnings are not ours
target_include_directories(simdjson SYSTEM PUBLIC "${source}/simdjson")
if(NEARDUP_SANITIZE)
  target_compile_options(simdjson PRIVATE -fsanitize=${NEARDUP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize=alignment)
endif()
add_library(simdjson::simdjson ALIAS simdjson)
