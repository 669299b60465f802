# The connectors of database servers. Each needs only the headers of its client library here: the library itself is loaded when a URI asks
# for it (src/io/port/client_library.h).
#
#   NEARDUP_MONGO, NEARDUP_POSTGRES, NEARDUP_MYSQL   ON, OFF, or AUTO: on where the headers are installed
#
# Sets NEARDUP_HAS_* and NEARDUP_CONNECTOR_INCLUDES.
find_package(PkgConfig REQUIRED)

set(NEARDUP_CONNECTOR_INCLUDES "")
function(neardup_connector name server package)
  set(NEARDUP_${name} AUTO CACHE STRING "The connector of ${server}: ON, OFF or AUTO")
  set_property(CACHE NEARDUP_${name} PROPERTY STRINGS AUTO ON OFF)
  set(NEARDUP_HAS_${name} OFF PARENT_SCOPE)
  if(NOT NEARDUP_${name})
    return()
  endif()
  pkg_check_modules(client_${name} QUIET ${package})
  if(client_${name}_FOUND)
    set(NEARDUP_HAS_${name} ON PARENT_SCOPE)
    set(NEARDUP_CONNECTOR_INCLUDES ${NEARDUP_CONNECTOR_INCLUDES} ${client_${name}_INCLUDE_DIRS} PARENT_SCOPE)
  elseif(NEARDUP_${name} STREQUAL AUTO)
    message(STATUS "neardup: without ${server}, whose headers (pkg-config ${package}) are not installed")
  else()
    message(FATAL_ERROR "NEARDUP_${name}=ON needs the headers of ${server} (pkg-config ${package}); scripts/setup.sh build installs them")
  endif()
endfunction()

neardup_connector(MONGO MongoDB libmongoc-1.0)
neardup_connector(POSTGRES PostgreSQL libpq)
neardup_connector(MYSQL "MySQL and MariaDB" libmariadb)

# Takes the sources of missing connectors out of `list`, and their stand-ins out of a list that has them all.
function(neardup_select_connectors list)
  set(files ${${list}})
  foreach(place IN ITEMS MONGO:io/mongo/ POSTGRES:io/sql/postgres/ MYSQL:io/sql/mysql/)
    string(REPLACE ":" ";" place ${place})
    list(GET place 0 name)
    list(GET place 1 folder)
    if(NEARDUP_HAS_${name})
      list(FILTER files EXCLUDE REGEX "/${folder}[a-z]+_absent\\.cc$")
    else()
      set(kept ${files})
      list(FILTER kept EXCLUDE REGEX "/${folder}")
      list(FILTER files INCLUDE REGEX "/${folder}([a-z]+_absent|[a-z]+_uri)\\.cc$")
      list(APPEND files ${kept})
    endif()
  endforeach()
  set(${list} ${files} PARENT_SCOPE)
endfunction()
