# The HTML tokenizer of the cleaner html_v1: lexbor (Apache-2.0).
#
# Where it comes from, the first that is there:
#   1. find_package(lexbor), where a distribution has it;
#   2. NEARDUP_LEXBOR_SDIST, a file: the source distribution that cmake/lexbor-requirements.txt pins;
#   3. the same file in NEARDUP_CACHE_DIR, downloaded once by pip, which checks the hash. So does this script, whatever the origin.
# Nothing of it is kept in the repository. Its objects become part of the library neardup, so that an installed neardup needs no lexbor.
#
# NEARDUP_HTML=off builds without. If lexbor cannot be had, that is what happens, with a warning; html_v1 is then refused by name.
set(NEARDUP_HTML "lexbor" CACHE STRING "The HTML parser of html_v1: lexbor or off")
set_property(CACHE NEARDUP_HTML PROPERTY STRINGS lexbor off)
set(NEARDUP_LEXBOR_SDIST "" CACHE FILEPATH "The pinned source distribution with lexbor inside, instead of a download")
set(NEARDUP_LEXBOR_PACKAGE OFF)
set(NEARDUP_HAS_HTML OFF)

function(neardup_add_lexbor archive)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/lexbor-source")
  if(NOT EXISTS "${source}/done")
    file(REMOVE_RECURSE "${source}")
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${source}" PATTERNS "*/lexbor/source/*" "*/lexbor/LICENSE" "*/lexbor/NOTICE")
    file(GLOB top "${source}/selectolax-*/lexbor")
    file(RENAME "${top}" "${source}/lexbor")
    file(TOUCH "${source}/done")
  endif()
  # Its code becomes a part of the library, so its licence goes where ours goes.
  install(FILES "${source}/lexbor/LICENSE" "${source}/lexbor/NOTICE" DESTINATION ${CMAKE_INSTALL_DOCDIR}/lexbor COMPONENT runtime)
  set(root "${source}/lexbor/source")
  set(files "")
  foreach(folder core dom html ns tag css selectors ports/posix)
    file(GLOB_RECURSE found "${root}/lexbor/${folder}/*.c")
    list(APPEND files ${found})
  endforeach()
  # Its warnings are not ours, and its objects are the same in every kind of build but for the sanitizers.
  add_library(neardup_lexbor OBJECT ${files})
  set_target_properties(neardup_lexbor PROPERTIES C_STANDARD 99 C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden
    EXPORT_COMPILE_COMMANDS OFF)
  target_compile_options(neardup_lexbor PRIVATE -w -O2 -fexceptions)  # exceptions of ours pass through it
  target_compile_definitions(neardup_lexbor PRIVATE LEXBOR_STATIC)
  target_include_directories(neardup_lexbor SYSTEM PUBLIC "${root}")
  if(NEARDUP_SANITIZE)
    target_compile_options(neardup_lexbor PRIVATE -fsanitize=${NEARDUP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize=alignment)
  endif()
  target_sources(neardup_core PRIVATE $<TARGET_OBJECTS:neardup_lexbor>)
  target_include_directories(neardup_core SYSTEM PRIVATE "${root}")
  target_compile_definitions(neardup_core PRIVATE LEXBOR_STATIC)
endfunction()

if(NEARDUP_HTML STREQUAL "lexbor")
  find_package(lexbor CONFIG QUIET)
  if(TARGET lexbor)
    set(NEARDUP_LEXBOR_PACKAGE ON)
    target_link_libraries(neardup_core PRIVATE lexbor)
    target_compile_definitions(neardup_core PRIVATE NEARDUP_HTML_LEXBOR)
    set(NEARDUP_HAS_HTML ON)
  else()
    neardup_pinned_package(archive problem "the sources of lexbor" lexbor-requirements.txt "${NEARDUP_LEXBOR_SDIST}" sdist .tar.gz)
    if(archive)
      if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT CMAKE_C_COMPILER)  # the two must know the same sanitizers
        string(REPLACE "clang++" "clang" CMAKE_C_COMPILER "${CMAKE_CXX_COMPILER}")
      endif()
      enable_language(C)
      neardup_add_lexbor("${archive}")
      target_compile_definitions(neardup_core PRIVATE NEARDUP_HTML_LEXBOR)
      set(NEARDUP_HAS_HTML ON)
    elseif(NEARDUP_LEXBOR_SDIST)
      message(FATAL_ERROR "NEARDUP_LEXBOR_SDIST: ${problem}")
    else()
      message(WARNING "No lexbor: ${problem}. The cleaner html_v1 is left out of this build. "
        "Give the file by -DNEARDUP_LEXBOR_SDIST=FILE, or say -DNEARDUP_HTML=off.")
    endif()
  endif()
elseif(NOT NEARDUP_HTML STREQUAL "off")
  message(FATAL_ERROR "NEARDUP_HTML is '${NEARDUP_HTML}'; expected lexbor or off")
endif()
