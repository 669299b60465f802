# Manual pages and shell completions, written by the program that was built: share/man/man1, and where bash, zsh and fish look for theirs.
if(NOT TARGET neardup_cli)
  return()
endif()
set(NEARDUP_ZSH_FOLDER ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
  "Where the completion for zsh is installed; below /usr, Debian's zsh searches only share/zsh/vendor-completions")
set(made ${PROJECT_BINARY_DIR}/share)
set(manual ${made}/man/man1/neardup.1)
set(bash_completion ${made}/bash-completion/completions/neardup)
set(zsh_completion ${made}/zsh/site-functions/_neardup)
set(fish_completion ${made}/fish/vendor_completions.d/neardup.fish)

# One page a command, whose names only the program knows: the rule names the first page.
add_custom_command(OUTPUT ${manual} ${bash_completion} ${zsh_completion} ${fish_completion}
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:neardup_cli> -DFOLDER=${PROJECT_BINARY_DIR}
    -P ${PROJECT_SOURCE_DIR}/cmake/WriteManual.cmake
  DEPENDS neardup_cli ${PROJECT_SOURCE_DIR}/cmake/WriteManual.cmake
  COMMENT "Writing manual pages and shell completions"
  VERBATIM)
add_custom_target(neardup_manual ALL DEPENDS ${manual} ${bash_completion} ${zsh_completion} ${fish_completion})
install(DIRECTORY ${made}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT runtime)
install(FILES ${bash_completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT runtime)
install(FILES ${zsh_completion} DESTINATION ${NEARDUP_ZSH_FOLDER} COMPONENT runtime)
install(FILES ${fish_completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT runtime)
