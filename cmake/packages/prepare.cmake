# Run by cpack when the files of a package are in its folders, before it packs them: moves files to where this kind of package wants them,
# and adds those that only packages have, among them the licences of what is compiled in or bundled.
set(root ${CPACK_TEMPORARY_DIRECTORY})

# Puts the licence of the Debian package that has `file` into `documents`/PACKAGE/copyright.
function(add_licence file documents)
  neardup_packages_of(package ${file})
  if(NOT EXISTS /usr/share/doc/${package}/copyright)
    message(FATAL_ERROR "${file} cannot be packed without its licence: there is no file /usr/share/doc/${package}/copyright")
  endif()
  file(REAL_PATH /usr/share/doc/${package}/copyright licence)
  file(MAKE_DIRECTORY ${documents}/${package})
  file(COPY_FILE ${licence} ${documents}/${package}/copyright)
  file(CHMOD ${documents}/${package}/copyright PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

# Those of what is compiled in: headers, and the data of the dictionary, whose licence `install` adds if it is in Debian's place.
function(add_compiled_licences documents)
  if(NOT EXISTS ${documents}/jieba/copyright)
    message(FATAL_ERROR "the dictionary cannot be packed without the licence of its data, which the package python3-jieba has")
  endif()
  foreach(header IN LISTS NEARDUP_COMPILED_HEADERS)
    add_licence("*/include/${header}" ${documents})
  endforeach()
endfunction()

# gzip -n: without the time, so that equal files make equal packages.
function(compress)
  execute_process(COMMAND gzip -9 -n -f ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(prepare_debian)
  set(share ${root}/program/usr/share)
  set(documents ${share}/doc/neardup)
  # Below /usr Debian's zsh searches only vendor-completions, where the file is if NEARDUP_ZSH_FOLDER says so.
  if(EXISTS ${share}/zsh/site-functions/_neardup)
    file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
    file(RENAME ${share}/zsh/site-functions/_neardup ${share}/zsh/vendor-completions/_neardup)
    file(REMOVE_RECURSE ${share}/zsh/site-functions)
  endif()
  # The text of the licence is in Debian's base-files; the file copyright names it.
  file(REMOVE ${documents}/LICENSE ${documents}/lexbor/LICENSE)
  add_compiled_licences(${documents})
  file(GLOB pages ${share}/man/man1/*.1)
  file(COPY_FILE ${NEARDUP_SOURCE_DIR}/CHANGELOG.md ${documents}/CHANGELOG.md)
  compress(${pages} ${documents}/CHANGELOG.md)
  set(documents_of_library ${root}/development/usr/share/doc/neardup-dev)
  file(MAKE_DIRECTORY ${documents_of_library})
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
  foreach(folder IN ITEMS ${documents} ${documents_of_library})
    file(COPY_FILE ${NEARDUP_SOURCE_DIR}/cmake/packages/debian-copyright ${folder}/copyright)
    # The form that Debian's tools read.
    file(WRITE ${folder}/changelog "neardup (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
      "  * See /usr/share/doc/neardup/CHANGELOG.md.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
    compress(${folder}/changelog)
  endforeach()
  add_licence("*/include/xxhash.h" ${documents_of_library})
  if(EXISTS ${documents}/lexbor/NOTICE)
    file(MAKE_DIRECTORY ${documents_of_library}/lexbor)
    file(COPY_FILE ${documents}/lexbor/NOTICE ${documents_of_library}/lexbor/NOTICE)
  endif()
endfunction()

function(prepare_archive)
  set(documents ${root}/share/doc/neardup)
  # All but glibc's own, which must fit the system's kernel and loader.
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${root}/bin/neardup RESOLVED_DEPENDENCIES_VAR libraries
    UNRESOLVED_DEPENDENCIES_VAR missing PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread)\\.so" "^ld-linux")
  if(missing)
    message(FATAL_ERROR "the archive lacks libraries that were not found: ${missing}")
  endif()
  file(MAKE_DIRECTORY ${root}/lib/neardup)
  foreach(library IN LISTS libraries)
    cmake_path(GET library FILENAME name)
    file(REAL_PATH ${library} file)
    file(COPY_FILE ${file} ${root}/lib/neardup/${name})
    add_licence("*/${name}" ${documents})
  endforeach()
  add_compiled_licences(${documents})
  configure_file(${NEARDUP_SOURCE_DIR}/cmake/packages/archive-readme.txt ${root}/README @ONLY)
endfunction()

if(CPACK_GENERATOR STREQUAL "DEB")
  prepare_debian()
else()
  prepare_archive()
endif()
