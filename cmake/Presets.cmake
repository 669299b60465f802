# The presets of recipes/*.json become part of the library, so that a name works wherever the program was copied to.
file(GLOB NEARDUP_PRESET_FILES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/recipes/*.json)
set(NEARDUP_PRESET_ROWS "")
list(TRANSFORM NEARDUP_PRESET_FILES REPLACE "\\.json$" "")
list(SORT NEARDUP_PRESET_FILES)  # by name: with the ending, code-5-renamed would come before code-5
foreach(path IN LISTS NEARDUP_PRESET_FILES)
  get_filename_component(name ${path} NAME)
  set(file ${path}.json)
  file(READ ${file} text)
  string(APPEND NEARDUP_PRESET_ROWS "    {\"${name}\", R\"json(${text})json\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/presets.cc.in ${CMAKE_CURRENT_BINARY_DIR}/generated/presets.cc @ONLY)
target_sources(neardup_core PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated/presets.cc)
