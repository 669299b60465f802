# The libraries that neardup is built with, as targets: those of the system, or archives of it that become a part of what is linked.
#
#   NEARDUP_STATIC_DEPENDENCIES   OFF: shared libraries. ON: archives, so that what is linked needs only libc and libm; wheels are built so
#                                 (docs/adr/0040-wheels-link-archives.md). What is installed for users of the C++ library needs OFF.
#
# NEARDUP_FMT and NEARDUP_ZSTD name the targets that differ; NEARDUP_MODULE_LINK_OPTIONS are those of the Python module.
option(NEARDUP_STATIC_DEPENDENCIES "Link archives instead of shared libraries" OFF)

find_package(Threads REQUIRED)
set(NEARDUP_FMT fmt::fmt)
set(NEARDUP_ZSTD zstd::libzstd_shared)
set(NEARDUP_MODULE_LINK_OPTIONS "")
if(NEARDUP_STATIC_DEPENDENCIES)
  set(NEARDUP_FMT neardup_fmt)  # Debian has no archive of it
  set(NEARDUP_ZSTD zstd::libzstd_static)
  set(NEARDUP_MODULE_LINK_OPTIONS LINKER:--gc-sections -static-libstdc++ -static-libgcc)
  set(Boost_USE_STATIC_LIBS ON)
  set(ZLIB_USE_STATIC_LIBS ON)
  find_library(Stemmer_LIBRARY libstemmer.a REQUIRED)
  include(cmake/IcuStatic.cmake)
  include(cmake/Simdjson.cmake)
  include(cmake/Re2.cmake)
  include(cmake/Bzip2Static.cmake)
else()
  find_package(ICU REQUIRED COMPONENTS uc i18n data)
  find_package(simdjson CONFIG REQUIRED)
  find_package(RE2 REQUIRED)
  find_package(BZip2 REQUIRED)
endif()
find_package(zstd CONFIG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.81 CONFIG REQUIRED COMPONENTS json)
find_package(fmt CONFIG REQUIRED)
find_package(xxHash REQUIRED)
find_package(Stemmer REQUIRED)
if(NEARDUP_STATIC_DEPENDENCIES)
  add_library(neardup_fmt STATIC cmake/fmt_archive.cc)
  set_target_properties(neardup_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(neardup_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
endif()
