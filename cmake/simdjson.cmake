# simdjson: the upstream single-header release, as its npm package carries it.  Where that is not
# installed, a native build takes the simdjson of the system.  The module cannot: systems have a
# header and a library, and it needs the source.

set(simdjson_folder ${PROJECT_SOURCE_DIR}/node_modules/@nozbe/simdjson/src)

if(NOT EXISTS ${simdjson_folder}/simdjson.cpp)
  set(simdjson_least 3.9.4)
  if(NOT EMSCRIPTEN)
    # Its file of versions would accept no other minor version than the one asked for.
    find_package(simdjson CONFIG QUIET)
  endif()
  if(NOT simdjson_FOUND OR simdjson_VERSION VERSION_LESS simdjson_least)
    message(FATAL_ERROR "simdjson is not in node_modules; run `npm ci` first, or, for a native "
      "build, install simdjson ${simdjson_least} or newer (Debian 13: libsimdjson-dev)")
  endif()
  add_library(simdjson INTERFACE)
  target_link_libraries(simdjson INTERFACE simdjson::simdjson)
  target_compile_definitions(simdjson INTERFACE SIMDJSON_EXCEPTIONS=0)
  return()
endif()

# Must be equal in everything that includes simdjson.h.
set(simdjson_definitions SIMDJSON_EXCEPTIONS=0 SIMDJSON_THREADS_ENABLED=0)

if(EMSCRIPTEN)
  # The other kernels are for processors that wasm is not.
  list(APPEND simdjson_definitions
    SIMDJSON_IMPLEMENTATION_FALLBACK=1
    SIMDJSON_IMPLEMENTATION_ARM64=0
    SIMDJSON_IMPLEMENTATION_HASWELL=0
    SIMDJSON_IMPLEMENTATION_ICELAKE=0
    SIMDJSON_IMPLEMENTATION_PPC64=0
    SIMDJSON_IMPLEMENTATION_WESTMERE=0
  )
endif()

# Further arguments are compile options.
function(add_simdjson name)
  add_library(${name} STATIC ${simdjson_folder}/simdjson.cpp)
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_include_directories(${name} SYSTEM PUBLIC ${simdjson_folder})
  target_compile_definitions(${name} PUBLIC ${simdjson_definitions})
  target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti -w ${ARGN})
endfunction()

add_simdjson(simdjson)
if(EMSCRIPTEN)
  # For a module that nobody downloads to a page.
  add_simdjson(fast_simdjson -O3)
endif()
