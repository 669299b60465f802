# The sources of a folder compiled as one file: headers and templates are then compiled once a folder instead of once a file, which saves a
# third of the processor time of a clean build (docs/adr/0024-folders-compiled-together.md). The unnamed namespaces of a folder become one.
option(NEARDUP_UNITY "Compile the sources of each folder together" OFF)

# neardup_unity(TARGET ROOT): folders are below ROOT; the group of io/sql/mysql is io-sql-mysql, and so is its object (check_layers.py).
function(neardup_unity target root)
  if(NOT NEARDUP_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC warns of types in unnamed namespaces as if they stood in headers.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${root})
    string(REPLACE "/" "-" group "${folder}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}")
  endforeach()
endfunction()
