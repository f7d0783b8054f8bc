# The toolchain file of the `wasm` preset: whichever Emscripten `emcc` on the PATH
# belongs to.  `node scripts/toolchain.mjs` prints the folders of a good one.

find_program(em_config em-config NO_CMAKE_FIND_ROOT_PATH)
if(NOT em_config)
  message(FATAL_ERROR
    "No Emscripten on the PATH.  Put one there with\n"
    "  export PATH=\"$(node scripts/toolchain.mjs):$PATH\"")
endif()

execute_process(
  COMMAND ${em_config} EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE emscripten_root
  OUTPUT_STRIP_TRAILING_WHITESPACE
)
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
