# What makes builds quicker and changes nothing of what they make.

# ccache, where this machine has it and nobody asked for another launcher.  It keeps what was
# compiled with a precompiled header only if dates and the order of macros do not matter.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(ENTITABLE_CCACHE ccache NO_CMAKE_FIND_ROOT_PATH)
  if(ENTITABLE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ENTITABLE_CCACHE})
  endif()
endif()

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
