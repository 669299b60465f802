# Packages by cpack (scripts/package.sh): neardup_VERSION_ARCH.deb, neardup-dev_VERSION_ARCH.deb and the relocatable archive
# neardup-VERSION-linux-PROCESSOR.tar.zst. docs/install.md says what is in them.
#
# The components of `install` are: executable, runtime (what the program needs besides itself), development, and portable, the program of
# the archive. What only cpack knows is decided later: packages/options.cmake.in when it starts, packages/prepare.cmake before it packs.
if(PROJECT_IS_TOP_LEVEL AND NOT TARGET neardup_dictionary)
  message(STATUS "No packages: they contain the dictionary of Chinese words")
endif()
if(NOT TARGET neardup_cli OR NOT TARGET neardup_dictionary OR NEARDUP_SANITIZE OR BUILD_SHARED_LIBS OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# The program of the archive finds its libraries next to itself. RPATH instead of RUNPATH, because libraries inherit only that: those of
# ICU need each other.
add_executable(neardup_portable apps/cli/main.cc)
set_target_properties(neardup_portable PROPERTIES OUTPUT_NAME neardup RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib/neardup")
target_link_libraries(neardup_portable PRIVATE neardup_cli_objects neardup_flags)
target_link_options(neardup_portable PRIVATE LINKER:--disable-new-dtags)
if(NOT NEARDUP_TESTS)
  set_target_properties(neardup_portable PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
install(TARGETS neardup_portable RUNTIME COMPONENT portable EXCLUDE_FROM_ALL)

# The packages that are recommended: those of the client libraries that the program loads when it is given a URI of the server.
set(NEARDUP_CLIENT_LIBRARIES "")
foreach(row IN ITEMS MONGO:libmongoc-1.0.so.0 POSTGRES:libpq.so.5 MYSQL:libmariadb.so.3)
  string(REPLACE ":" ";" row ${row})
  list(GET row 0 name)
  list(GET row 1 file)
  if(NEARDUP_HAS_${name})
    list(APPEND NEARDUP_CLIENT_LIBRARIES ${file})
  endif()
endforeach()
# What a program that links the static libraries links, too; and headers whose code became a part of ours.
set(NEARDUP_LINKED_LIBRARIES icuuc icui18n icudata zstd z bz2 simdjson boost_json fmt stemmer re2)
if(NEARDUP_HAS_SQLITE)
  list(APPEND NEARDUP_LINKED_LIBRARIES sqlite3)
endif()
if(NEARDUP_LEXBOR_PACKAGE)
  list(APPEND NEARDUP_LINKED_LIBRARIES lexbor)
endif()
set(NEARDUP_COMPILED_HEADERS xxhash.h CLI/CLI.hpp toml++/toml.h)

set(CPACK_PACKAGE_NAME neardup)
set(CPACK_PACKAGE_VENDOR neardup)
set(CPACK_PACKAGE_CONTACT "neardup maintainers <neardup@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TZST)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_THREADS 0)
configure_file(${PROJECT_SOURCE_DIR}/cmake/packages/options.cmake.in ${PROJECT_BINARY_DIR}/package-options.cmake @ONLY)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package-options.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/packages/prepare.cmake)
include(CPack)
include(CPackComponent)
cpack_add_component(executable GROUP program)
cpack_add_component(runtime GROUP program)
cpack_add_component(portable GROUP program)
cpack_add_component(development GROUP development)
