# Manual pages and shell completions, written by the program that was built: share/man/man1, and where bash, zsh and fish look for theirs.
if(NOT TARGET neardup_cli)
  return()
endif()
set(shells share/bash-completion/completions/neardup share/zsh/site-functions/_neardup share/fish/vendor_completions.d/neardup.fish)
set(manual ${PROJECT_BINARY_DIR}/share/man/man1/neardup.1)
set(completions ${shells})
list(TRANSFORM completions PREPEND ${PROJECT_BINARY_DIR}/)

# One page a command, whose names only the program knows: the rule names the first page.
add_custom_command(OUTPUT ${manual} ${completions}
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:neardup_cli> -DFOLDER=${PROJECT_BINARY_DIR}
    -P ${PROJECT_SOURCE_DIR}/cmake/WriteManual.cmake
  DEPENDS neardup_cli ${PROJECT_SOURCE_DIR}/cmake/WriteManual.cmake
  COMMENT "Writing manual pages and shell completions"
  VERBATIM)
add_custom_target(neardup_manual ALL DEPENDS ${manual} ${completions})
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
foreach(file IN LISTS shells)
  get_filename_component(folder ${file} DIRECTORY)
  string(REGEX REPLACE "^share" "${CMAKE_INSTALL_DATADIR}" folder ${folder})
  install(FILES ${PROJECT_BINARY_DIR}/${file} DESTINATION ${folder})
endforeach()
