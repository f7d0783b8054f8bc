# simdjson: the upstream single-header release, as its npm package carries it.

set(simdjson_folder ${PROJECT_SOURCE_DIR}/node_modules/@nozbe/simdjson/src)
if(NOT EXISTS ${simdjson_folder}/simdjson.cpp)
  message(FATAL_ERROR "simdjson is not in node_modules; run `npm ci` first")
endif()

add_library(simdjson STATIC ${simdjson_folder}/simdjson.cpp)
target_compile_features(simdjson PUBLIC cxx_std_17)
target_include_directories(simdjson SYSTEM PUBLIC ${simdjson_folder})
# Both must be equal in everything that includes simdjson.h.
target_compile_definitions(simdjson PUBLIC SIMDJSON_EXCEPTIONS=0 SIMDJSON_THREADS_ENABLED=0)
target_compile_options(simdjson PRIVATE -fno-exceptions -fno-rtti -w)

# How it reads the few doubles that 128 bits do not tell brings tables and code
# of its own.  Under another name nobody uses it, and
# core/src/base/simdjson_doubles.cc takes its place.
set(simdjson_renamed from_chars=from_chars_as_published)

if(EMSCRIPTEN)
  # The other kernels are for processors that wasm is not.
  target_compile_definitions(simdjson PUBLIC
    SIMDJSON_IMPLEMENTATION_FALLBACK=1
    SIMDJSON_IMPLEMENTATION_ARM64=0
    SIMDJSON_IMPLEMENTATION_HASWELL=0
    SIMDJSON_IMPLEMENTATION_ICELAKE=0
    SIMDJSON_IMPLEMENTATION_PPC64=0
    SIMDJSON_IMPLEMENTATION_WESTMERE=0
  )
  # So with its table of powers of five, 10 KB that hardly compress:
  # core/src/base/simdjson_powers.cc makes it.
  list(APPEND simdjson_renamed power_of_five_128=power_of_five_128_as_published)
endif()
set_source_files_properties(${simdjson_folder}/simdjson.cpp PROPERTIES
  COMPILE_DEFINITIONS "${simdjson_renamed}")
