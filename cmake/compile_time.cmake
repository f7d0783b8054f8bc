# What makes builds quicker and changes nothing of what they make.

# ccache, where this machine has it and nobody asked for another launcher.
#
# - It keeps what was compiled with a precompiled header only if dates and the order of macros do
#   not matter.
# - The compiler counts by its version, because its script may be that of another copy.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER AND CMAKE_GENERATOR STREQUAL "Ninja")
  find_program(ENTITABLE_CCACHE ccache NO_CMAKE_FIND_ROOT_PATH)
  if(ENTITABLE_CCACHE)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} --version
      OUTPUT_VARIABLE compiler_version OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(MD5 compiler_version "${compiler_version}")
    file(RELATIVE_PATH root_from_build ${CMAKE_BINARY_DIR} ${PROJECT_SOURCE_DIR})
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_PCH_EXTSUM=true
      CCACHE_NOHASHDIR=true
      CCACHE_DEPEND=true
      CCACHE_COMPILERCHECK=string:${compiler_version}
      ${CMAKE_CURRENT_LIST_DIR}/compile_through_ccache.sh
      ${PROJECT_SOURCE_DIR} ${root_from_build})
    if(EMSCRIPTEN)
      # By its name, ccache would not know what the options of em++ mean.
      list(INSERT CMAKE_CXX_COMPILER_LAUNCHER 3 CCACHE_COMPILERTYPE=clang)
    endif()
  endif()
endif()

# Stack traces and messages name files relative to the work tree.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

# Compiles these headers once for all sources of a target.  The standard library is most of what
# the compiler reads of a source.  A source includes what it uses all the same: clang-tidy and
# whoever builds with CMAKE_DISABLE_PRECOMPILE_HEADERS read it without these.
function(precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Or Clang would refuse one that comes out of a cache.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
