# The page of `neardup serve`: web/online, bundled by esbuild with the chart library uPlot (MIT) and compiled into the server.
#
# npm installs the packages that web/online/package-lock.json pins into the build directory, once. Nothing is written next to the sources.
# NEARDUP_PAGE=auto builds without the page, with a warning, if npm is missing or the packages cannot be had; on fails then; off builds without.
set(NEARDUP_PAGE "auto" CACHE STRING "The page of neardup serve: auto, on or off")
set_property(CACHE NEARDUP_PAGE PROPERTY STRINGS auto on off)

# Sets `folder` in the caller to a folder with the packages of web/online, or to nothing with the reason in `problem`.
function(neardup_online_packages folder problem)
  set(${folder} "" PARENT_SCOPE)
  find_program(NEARDUP_NODE NAMES node nodejs DOC "Node.js, which bundles the page of neardup serve")
  find_program(NEARDUP_NPM npm DOC "npm, which installs the packages of the page of neardup serve")
  if(NOT NEARDUP_NODE OR NOT NEARDUP_NPM)
    set(${problem} "npm is not installed (Debian: apt-get install npm)" PARENT_SCOPE)
    return()
  endif()
  set(sources "${PROJECT_SOURCE_DIR}/web/online")
  set(work "${PROJECT_BINARY_DIR}/online_page")
  # The bundle needs esbuild and uPlot; the tests of the page TypeScript and axe-core too.
  set(omit --omit=dev)
  if(NEARDUP_TESTS)
    set(omit "")
  endif()
  set(wanted "${omit}")
  foreach(name IN ITEMS package.json package-lock.json)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${sources}/${name}")
    file(SHA256 "${sources}/${name}" hash)
    string(APPEND wanted " ${hash}")
  endforeach()
  set(done "")
  if(EXISTS "${work}/installed")
    file(READ "${work}/installed" done)
  endif()
  if(NOT done STREQUAL wanted)
    message(STATUS "Installing the packages of the page of neardup serve into ${work}")
    file(REMOVE "${work}/installed")
    file(COPY "${sources}/package.json" "${sources}/package-lock.json" DESTINATION "${work}")
    # No scripts of packages run: esbuild's program comes in a package of its own.
    execute_process(COMMAND ${NEARDUP_NPM} ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
        --fetch-retries=2 --fetch-timeout=60000 ${omit}
      WORKING_DIRECTORY "${work}" RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_QUIET TIMEOUT 600)
    if(NOT failed)
      # Fails where npm has left out the package for this machine.
      execute_process(COMMAND ${NEARDUP_NODE} -e "require('esbuild').transformSync('1')"
        WORKING_DIRECTORY "${work}" RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_QUIET TIMEOUT 60)
    endif()
    if(failed)
      string(STRIP "${said}" said)
      string(REGEX REPLACE "\n.*" "" said "${said}")
      set(${problem} "npm could not install its packages (${said})" PARENT_SCOPE)
      return()
    endif()
    file(WRITE "${work}/installed" "${wanted}")
  endif()
  set(${folder} "${work}/node_modules" PARENT_SCOPE)
endfunction()

# Adds page_assets() to a target of this directory.
function(neardup_online_page target)
  if(NOT NEARDUP_PAGE MATCHES "^(auto|on|off)$")
    message(FATAL_ERROR "NEARDUP_PAGE is '${NEARDUP_PAGE}'; expected auto, on or off")
  endif()
  set(file "${PROJECT_BINARY_DIR}/generated/online_page.cc")
  set(modules "")
  if(NOT NEARDUP_PAGE STREQUAL "off")
    neardup_online_packages(modules problem)
    if(NOT modules AND NEARDUP_PAGE STREQUAL "on")
      message(FATAL_ERROR "NEARDUP_PAGE=on: ${problem}")
    elseif(NOT modules)
      message(WARNING "No page for neardup serve: ${problem}. The server will answer calls only; -DNEARDUP_PAGE=off says so without this warning.")
    endif()
  endif()
  if(modules)
    set(sources "${PROJECT_SOURCE_DIR}/web/online")
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS "${sources}/src/*.ts" "${sources}/src/*.css")
    add_custom_command(OUTPUT "${file}"
      COMMAND ${CMAKE_COMMAND} -E make_directory "${PROJECT_BINARY_DIR}/generated"
      COMMAND ${NEARDUP_NODE} "${sources}/build.mjs" "${modules}" "${file}"
      DEPENDS ${inputs} "${sources}/build.mjs" "${sources}/index.html" "${sources}/favicon.svg" "${PROJECT_BINARY_DIR}/online_page/installed"
      COMMENT "Bundling the page of neardup serve" VERBATIM)
    # uPlot's code becomes a part of the server, so its licence goes where ours goes. That of the report page is of another year.
    install(FILES "${modules}/uplot/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR}/uplot RENAME LICENSE-online-page COMPONENT runtime)
  else()
    file(CONFIGURE OUTPUT "${file}" CONTENT [[
// Built without the page of neardup serve (cmake/OnlinePage.cmake).
#include "server/api/page_assets.h"

namespace neardup::server {
std::span<const PageAsset> page_assets() { return {}; }
}  // namespace neardup::server
]] @ONLY)
  endif()
  # A large table: nothing for a unity build.
  set_source_files_properties("${file}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE "${file}")
endfunction()
