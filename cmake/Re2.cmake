# RE2_LIBRARY: RE2 as an archive that a shared object may contain. Debian's may not: its thread-local variables are compiled for programs
# (ADR 40). The sources are in the source distribution that cmake/re2-requirements.txt pins, in a version without Abseil, two months older
# than Debian 12's. Nothing of it is kept in the repository.
set(NEARDUP_RE2_SDIST "" CACHE FILEPATH "The pinned source distribution with RE2 inside, instead of a download")

neardup_pinned_sources(source RE2 re2-requirements.txt "${NEARDUP_RE2_SDIST}"
  "*/third_party/re2/re2/*.cc" "*/third_party/re2/re2/*.h" "*/third_party/re2/util/*.h" "*/third_party/re2/util/rune.cc"
  "*/third_party/re2/util/strutil.cc")
set(root "${source}/third_party/re2")
set(files "${root}/util/rune.cc" "${root}/util/strutil.cc")
foreach(name IN ITEMS bitstate compile dfa nfa onepass parse perl_groups prog re2 regexp simplify stringpiece tostring unicode_casefold
    unicode_groups)
  list(APPEND files "${root}/re2/${name}.cc")
endforeach()
add_library(neardup_re2 STATIC ${files})
set_target_properties(neardup_re2 PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden EXPORT_COMPILE_COMMANDS OFF)
# Its warnings are not ours. Its assertions name their files; no folder of the machine that built it gets into what is linked.
target_compile_options(neardup_re2 PRIVATE -w -O2 -ffile-prefix-map=${root}/=)
target_include_directories(neardup_re2 SYSTEM PUBLIC "${root}")
if(NEARDUP_SANITIZE)
  target_compile_options(neardup_re2 PRIVATE -fsanitize=${NEARDUP_SANITIZE} -fno-omit-frame-pointer)
endif()
set(RE2_LIBRARY neardup_re2)
