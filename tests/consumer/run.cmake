# Installs BUILD_DIR into a fresh prefix; builds the programs in SOURCE_DIR against it, by CMake and by pkg-config; runs them and the
# installed program.
cmake_minimum_required(VERSION 3.25)
set(prefix "${WORK_DIR}/prefix")
file(REMOVE_RECURSE "${WORK_DIR}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "failed (${result}): ${line}")
  endif()
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}"
  "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DNEARDUP_WANTED=${VERSION}")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
run("${WORK_DIR}/build/consumer" "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}/examples")
run("${WORK_DIR}/build/examples" "${WORK_DIR}/examples")

# Every public header compiles by itself.
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/headers" -B "${WORK_DIR}/headers" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS} -O0 -Wall -Wextra -Wpedantic -Werror" "-DNEARDUP_WANTED=${VERSION}")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/headers")

# neardup::core builds where no package of a database can be found, and needs none to run.
run("${CMAKE_COMMAND}" -E env PKG_CONFIG_LIBDIR=${WORK_DIR}/none "${CMAKE_COMMAND}" -S "${SOURCE_DIR}/core" -B "${WORK_DIR}/core" -G "${GENERATOR}"
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
  "-DNEARDUP_WANTED=${VERSION}" -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON)
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/core")
run("${WORK_DIR}/core/core_consumer")

# How many shared libraries start with a program, the loader among them.
function(libraries_of program out)
  execute_process(COMMAND ldd "${program}" OUTPUT_VARIABLE listed RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "ldd ${program} failed: ${result}")
  endif()
  if(listed MATCHES "(mongoc|libpq|mariadb)")
    message(FATAL_ERROR "${program} is linked with the client library of a database:\n${listed}")
  endif()
  string(REGEX MATCHALL "=>" found "${listed}")
  list(LENGTH found count)
  set(${out} ${count} PARENT_SCOPE)
  set(listed "${listed}" PARENT_SCOPE)
endfunction()
libraries_of("${WORK_DIR}/core/core_consumer" core)
if(listed MATCHES "sqlite")
  message(FATAL_ERROR "a program of neardup::core is linked with SQLite:\n${listed}")
endif()
libraries_of("${prefix}/bin/neardup" whole)
if(whole GREATER 20)
  message(FATAL_ERROR "the program starts with ${whole} shared libraries, more than 20:\n${listed}")
endif()

# The same by pkg-config.
execute_process(COMMAND "${CMAKE_COMMAND}" -E env PKG_CONFIG_PATH=${prefix}/${LIBDIR}/pkgconfig pkg-config --cflags --libs --static neardup-core
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "pkg-config does not know neardup-core")
endif()
separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(own UNIX_COMMAND "${CXX_FLAGS}")
run("${CXX}" -std=c++20 ${own} "${SOURCE_DIR}/core/main.cc" -o "${WORK_DIR}/core/by_pkg_config" ${flags})
run("${WORK_DIR}/core/by_pkg_config")
execute_process(COMMAND "${CMAKE_COMMAND}" -E env PKG_CONFIG_PATH=${prefix}/${LIBDIR}/pkgconfig pkg-config --cflags --libs --static neardup
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result)
separate_arguments(flags UNIX_COMMAND "${flags}")
run("${CXX}" -std=c++20 ${own} "${SOURCE_DIR}/main.cc" -o "${WORK_DIR}/by_pkg_config" ${flags})
run("${WORK_DIR}/by_pkg_config" "${WORK_DIR}")

run("${prefix}/bin/neardup" --version)
foreach(file IN ITEMS include/neardup/dedup.h share/neardup/recipes/words-5.json share/man/man1/neardup.1 share/man/man1/neardup-dedup.1
    share/bash-completion/completions/neardup share/zsh/site-functions/_neardup share/fish/vendor_completions.d/neardup.fish)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()
