# entitable_options: how all of our own C++ is compiled.  Targets link it PRIVATE,
# so that whoever embeds the core keeps their own flags.

add_library(entitable_options INTERFACE)
target_compile_features(entitable_options INTERFACE cxx_std_23)
target_compile_options(entitable_options INTERFACE
  -fno-exceptions
  -fno-rtti
  -Wall
  -Wextra
  -Wpedantic
  # GCC 12 takes enumerators of a scoped enum for shadows of globals, which the
  # sources of one translation unit may have.
  $<$<NOT:$<CXX_COMPILER_ID:GNU>>:-Wshadow>
  -Wconversion
  $<$<BOOL:${ENTITABLE_WERROR}>:-Werror>
)

if(ENTITABLE_SANITIZE)
  # A finding ends the program, so that no test passes beside one.
  set(sanitize -fsanitize=${ENTITABLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(entitable_options INTERFACE ${sanitize})
  target_link_options(entitable_options INTERFACE ${sanitize})
endif()
