# BZip2::BZip2 as an archive that a shared object may contain, too. Debian's is compiled for programs: it accesses stderr and stdout of libc
# as if they were its own variables. In a copy these have names of ours (bzip2_streams.cc).
find_library(NEARDUP_BZIP2_ARCHIVE libbz2.a REQUIRED)
find_path(BZIP2_INCLUDE_DIR bzlib.h REQUIRED)
mark_as_advanced(NEARDUP_BZIP2_ARCHIVE BZIP2_INCLUDE_DIR)

set(copy "${CMAKE_CURRENT_BINARY_DIR}/bzip2/libbz2.a")
file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/bzip2")
execute_process(COMMAND ${CMAKE_OBJCOPY} --redefine-sym stderr=neardup_bzip2_stderr --redefine-sym stdout=neardup_bzip2_stdout
    --redefine-sym stdin=neardup_bzip2_stdin "${NEARDUP_BZIP2_ARCHIVE}" "${copy}"
  COMMAND_ERROR_IS_FATAL ANY)
add_library(neardup_bzip2_streams STATIC cmake/bzip2_streams.cc)
set_target_properties(neardup_bzip2_streams PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(BZip2::BZip2 INTERFACE IMPORTED)
target_include_directories(BZip2::BZip2 INTERFACE "${BZIP2_INCLUDE_DIR}")
target_link_libraries(BZip2::BZip2 INTERFACE "${copy}" neardup_bzip2_streams)
