# The dictionary of Chinese words, compiled once from the data of the package python3-jieba (MIT) into share/neardup/jieba.dict.
# Without that package the build goes on, and the program says what to install when it is asked for the dictionary.
find_path(NEARDUP_JIEBA_DATA NAMES analyse/idf.txt
  PATHS /usr/lib/python3/dist-packages/jieba /usr/local/lib/python3/dist-packages/jieba /usr/share/python3-jieba NO_DEFAULT_PATH
  DOC "Folder of the Python package jieba 0.42.1")

set(dictionary ${PROJECT_BINARY_DIR}/share/neardup/jieba.dict)
if(NOT SKBUILD)  # a wheel has it next to the module, and is built for a prefix that is gone afterwards
  set_source_files_properties(src/text/jieba/dictionary/jieba_dictionary.cc PROPERTIES COMPILE_DEFINITIONS
    "NEARDUP_DICT_INSTALLED=\"${CMAKE_INSTALL_FULL_DATADIR}/neardup/jieba.dict\"")
endif()
if(NOT NEARDUP_JIEBA_DATA)
  message(STATUS "No dictionary of Chinese words: python3-jieba is not installed (NEARDUP_JIEBA_DATA)")
  return()
endif()

# The stop words stand in a Python file, as one tuple of strings.
file(READ ${NEARDUP_JIEBA_DATA}/analyse/tfidf.py text)
string(REGEX MATCH "STOP_WORDS = set\\(\\(([^)]*)\\)\\)" found "${text}")
if(NOT found)
  message(FATAL_ERROR "no stop words in ${NEARDUP_JIEBA_DATA}/analyse/tfidf.py: it is not that of jieba 0.42.1")
endif()
string(REGEX MATCHALL "\"[a-z]+\"" stop_words "${CMAKE_MATCH_1}")
list(REMOVE_DUPLICATES stop_words)
list(JOIN stop_words "\n" stop_words)
string(REPLACE "\"" "" stop_words "${stop_words}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/jieba_stop_words.txt CONTENT "${stop_words}\n" @ONLY)

add_executable(neardup_make_dictionary apps/make_dictionary/main.cc)
set_target_properties(neardup_make_dictionary PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(neardup_make_dictionary PRIVATE neardup_core neardup_flags)

# Not remade whenever the library changes, only when the code that makes it does.
file(GLOB dictionary_code CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/text/jieba/dictionary/*)
add_custom_command(OUTPUT ${dictionary}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/share/neardup
  COMMAND neardup_make_dictionary ${NEARDUP_JIEBA_DATA}/dict.txt ${NEARDUP_JIEBA_DATA}/analyse/idf.txt ${NEARDUP_JIEBA_DATA}/finalseg
    ${NEARDUP_JIEBA_DATA}/posseg ${PROJECT_BINARY_DIR}/generated/jieba_stop_words.txt ${dictionary}
  DEPENDS ${dictionary_code} ${NEARDUP_JIEBA_DATA}/dict.txt ${NEARDUP_JIEBA_DATA}/analyse/idf.txt
    ${PROJECT_BINARY_DIR}/generated/jieba_stop_words.txt
  COMMENT "Compiling the dictionary of Chinese words"
  VERBATIM)
add_custom_target(neardup_dictionary ALL DEPENDS ${dictionary})
# Programs look in the folder `share` next to their own one. For those in tests, bench and fuzz it is there; for that in apps/cli it is linked.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/apps)
file(CREATE_LINK ../share ${PROJECT_BINARY_DIR}/apps/share SYMBOLIC)
install(FILES ${dictionary} DESTINATION ${CMAKE_INSTALL_DATADIR}/neardup COMPONENT runtime)
# The dictionary is made from data under a licence of their own.
if(EXISTS /usr/share/doc/python3-jieba/copyright)
  install(FILES /usr/share/doc/python3-jieba/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/jieba COMPONENT runtime)
endif()
