# Run by the build (IcuStatic.cmake): writes OUTPUT, an ICU package (.dat) with those items of the archive of ICU's data whose names match
# ITEMS and not EXCEPT.
#
# ARCHIVE: libicudata.a. TABLES: the name of the package, such as icudt72l. AR, OBJCOPY, ICUPKG: programs. The folder of OUTPUT is used for
# the whole package, too.
cmake_path(GET OUTPUT PARENT_PATH folder)
set(work "${folder}/all")
file(MAKE_DIRECTORY "${work}")

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${AR}" x "${ARCHIVE}" "${TABLES}_dat.o")
run("${OBJCOPY}" -O binary --only-section=.rodata "${TABLES}_dat.o" "${TABLES}.dat")
run("${ICUPKG}" -l -o items.txt "${TABLES}.dat")
file(STRINGS "${work}/items.txt" items)
set(kept ${items})
list(FILTER kept INCLUDE REGEX "${ITEMS}")
list(FILTER kept EXCLUDE REGEX "${EXCEPT}")
list(REMOVE_ITEM items ${kept})
if(NOT kept)
  message(FATAL_ERROR "${ARCHIVE} has none of the items ${ITEMS}")
endif()
list(JOIN items "\n" items)
file(WRITE "${work}/removed.txt" "${items}\n")
run("${ICUPKG}" -r removed.txt "${TABLES}.dat" "${OUTPUT}")
file(REMOVE_RECURSE "${work}")
