#!/bin/bash
# The compiler launcher of compile_time.cmake: ROOT UP COMPILER ARGUMENT...
#
# Paths below the work tree ROOT become relative to the folder of the build, from which UP leads to
# ROOT. So work trees in other folders find what this one has compiled.
#
# A precompiled header knows in which folder its sources are, so each work tree compiles its own.
# Beside it goes a hash of all that it includes, by which ccache knows that two are the same.
set -euo pipefail

root=$1
up=${2%/}
shift 2
arguments=("${@//"$root/"/"$up/"}")

if [[ " $* " != *" c++-header "* ]]; then
  exec ccache "${arguments[@]}"
fi

"${arguments[@]}"
for ((i = 0; i < ${#arguments[@]}; ++i)); do
  case ${arguments[i]} in
    -o) header=${arguments[++i]} ;;
    -emit-pch) unset 'preprocess[-1]' ;;
    *) preprocess+=("${arguments[i]}") ;;
  esac
done
"${preprocess[@]}" -E -P -o - | md5sum > "$header.sum"
