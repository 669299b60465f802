# ICU::uc, ICU::i18n and ICU::data as archives that a shared object may contain, too, with only the data that neardup uses.
#
# A distribution's archives may be compiled for programs only (-fPIE). A shared object may contain them if it exports none of their symbols
# (python/exports.map), and if it defines the variables of libc that they access as a program does: those of putil.o, for time zones, which
# neardup never asks for. icu_data.cc.in defines them, hidden.
#
# libicudata.a is one object of 31 MB. What neardup uses is cut out of it (CutIcuData.cmake) and linked under the name that ICU looks for.
find_library(NEARDUP_ICU_I18N_ARCHIVE libicui18n.a REQUIRED)
find_library(NEARDUP_ICU_UC_ARCHIVE libicuuc.a REQUIRED)
find_library(NEARDUP_ICU_DATA_ARCHIVE libicudata.a REQUIRED)
find_path(NEARDUP_ICU_INCLUDE unicode/uvernum.h REQUIRED)
find_program(NEARDUP_ICUPKG icupkg REQUIRED DOC "Debian: package icu-devtools")
mark_as_advanced(NEARDUP_ICU_I18N_ARCHIVE NEARDUP_ICU_UC_ARCHIVE NEARDUP_ICU_DATA_ARCHIVE NEARDUP_ICU_INCLUDE NEARDUP_ICUPKG)

# Normalization (nfc is compiled into libicuuc), Traditional-Simplified and back, and converters with their names: all but those of
# mainframes, of X11's and Lotus' mixed texts, and EUC-TW, whose tables take as much as all others together. icupkg fails if a table that
# another one needs is missing.
set(items "^(nfkc\\.nrm|nfkc_cf\\.nrm|translit/root\\.res|cnvalias\\.icu|.*\\.cnv)$")
set(mainframes 930 933 935 937 939 954 964 1364 1371 1388 1390 1399 4899 5123 5471 8482 12712 16684 16804 33722)
list(JOIN mainframes "|" mainframes)
set(except "^(icu-internal-compound-.*|lmb-excp|euc-tw-2014|ibm-(${mainframes})_.*)\\.cnv$")

file(STRINGS "${NEARDUP_ICU_INCLUDE}/unicode/uvernum.h" version REGEX "#define U_ICU_VERSION_MAJOR_NUM [0-9]+")
string(REGEX MATCH "[0-9]+$" NEARDUP_ICU_MAJOR "${version}")
set(NEARDUP_ICU_DATA_FILE "${CMAKE_CURRENT_BINARY_DIR}/icu-data/icudt${NEARDUP_ICU_MAJOR}l.dat")
add_custom_command(OUTPUT "${NEARDUP_ICU_DATA_FILE}"
  COMMAND ${CMAKE_COMMAND} -DARCHIVE=${NEARDUP_ICU_DATA_ARCHIVE} -DTABLES=icudt${NEARDUP_ICU_MAJOR}l -DITEMS=${items} -DEXCEPT=${except}
    -DOUTPUT=${NEARDUP_ICU_DATA_FILE} -DAR=${CMAKE_AR} -DOBJCOPY=${CMAKE_OBJCOPY} -DICUPKG=${NEARDUP_ICUPKG}
    -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/CutIcuData.cmake"
  DEPENDS "${NEARDUP_ICU_DATA_ARCHIVE}" "${CMAKE_CURRENT_SOURCE_DIR}/cmake/CutIcuData.cmake"
  COMMENT "Cutting out the data of ICU that neardup uses" VERBATIM)
set(source "${CMAKE_CURRENT_BINARY_DIR}/generated/icu_data.cc")
configure_file(cmake/icu_data.cc.in "${source}" @ONLY)
set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${NEARDUP_ICU_DATA_FILE}")
add_library(neardup_icu_data STATIC "${source}")
set_target_properties(neardup_icu_data PROPERTIES POSITION_INDEPENDENT_CODE ON)

# Each names the next one, so that the linker reads them in this order.
foreach(part IN ITEMS i18n uc data)
  add_library(ICU::${part} INTERFACE IMPORTED)
  set_target_properties(ICU::${part} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${NEARDUP_ICU_INCLUDE}"
    INTERFACE_COMPILE_DEFINITIONS U_STATIC_IMPLEMENTATION)
endforeach()
target_link_libraries(ICU::i18n INTERFACE "${NEARDUP_ICU_I18N_ARCHIVE}" ICU::uc)
target_link_libraries(ICU::uc INTERFACE "${NEARDUP_ICU_UC_ARCHIVE}" ICU::data)
target_link_libraries(ICU::data INTERFACE neardup_icu_data Threads::Threads ${CMAKE_DL_LIBS})
