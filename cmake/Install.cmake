# Installing: the library, its headers, the recipes, the program, the CMake package that gives neardup::core and neardup::neardup, and their
# pkg-config files. The components are those of the packages (Packages.cmake).
include(CMakePackageConfigHelpers)
set(NEARDUP_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/neardup)

# Everything that is installed, and nothing else: after building this target `cmake --install` finds all files.
add_custom_target(neardup_product)
add_dependencies(neardup_product neardup)
foreach(target IN ITEMS neardup_core neardup_cli neardup_server neardup_dictionary neardup_manual)
  if(TARGET ${target})
    add_dependencies(neardup_product ${target})
  endif()
endforeach()

foreach(target IN ITEMS neardup_cli neardup_server)
  if(BUILD_SHARED_LIBS AND TARGET ${target})
    file(RELATIVE_PATH to_library /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${to_library}")
  endif()
endforeach()
install(TARGETS neardup_core neardup EXPORT neardupTargets COMPONENT development)
if(TARGET neardup_cli)
  install(TARGETS neardup_cli RUNTIME COMPONENT executable)
endif()
if(TARGET neardup_server)  # next to the program, which starts it
  install(TARGETS neardup_server RUNTIME COMPONENT server)
endif()
install(DIRECTORY include/neardup DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
install(DIRECTORY recipes DESTINATION ${CMAKE_INSTALL_DATADIR}/neardup COMPONENT runtime FILES_MATCHING PATTERN "*.json")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(EXPORT neardupTargets NAMESPACE neardup:: DESTINATION ${NEARDUP_PACKAGE_DIR} COMPONENT development)

configure_package_config_file(cmake/neardupConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/neardupConfig.cmake
  INSTALL_DESTINATION ${NEARDUP_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/neardupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/neardupConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/neardupConfigVersion.cmake cmake/FindStemmer.cmake
  DESTINATION ${NEARDUP_PACKAGE_DIR} COMPONENT development)

# For users of pkg-config; the paths are relative to the file, so that the prefix can be moved. A static library wants `--static`.
file(RELATIVE_PATH NEARDUP_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(NEARDUP_PC_LEXBOR "")
if(NEARDUP_LEXBOR_PACKAGE)
  set(NEARDUP_PC_LEXBOR -llexbor)
endif()
set(NEARDUP_PC_SQLITE "")
if(NEARDUP_HAS_SQLITE)
  set(NEARDUP_PC_SQLITE sqlite3)
endif()
foreach(name IN ITEMS neardup-core neardup)
  configure_file(cmake/${name}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()
