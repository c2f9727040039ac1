#!/bin/sh
# A filter that keeps large files as git-lfs does: `clean` stores the content by its SHA-256 in
# lfs.storage and leaves a pointer, `smudge` puts it back, or leaves the pointer where neither that
# store nor one beside the objects that are borrowed from has it.
set -e
store=$(git config lfs.storage)
place() { echo "$1/objects/$(echo "$2" | cut -c1-2)/$(echo "$2" | cut -c3-4)/$2"; }
case $1 in
  clean)
    mkdir -p "$store/tmp"
    new=$(mktemp "$store/tmp/XXXXXX")
    cat >"$new"
    if grep -q '^version https://git-lfs' "$new"; then exec cat "$new"; fi
    oid=$(sha256sum <"$new" | cut -d ' ' -f 1)
    printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %s\n' \
      "$oid" "$(($(wc -c <"$new")))"
    mkdir -p "$(dirname "$(place "$store" "$oid")")"
    mv "$new" "$(place "$store" "$oid")"
    ;;
  smudge)
    pointer=$(cat)
    oid=$(echo "$pointer" | sed -n 's/^oid sha256://p')
    IFS=:
    for at in "$store" $(echo "$GIT_ALTERNATE_OBJECT_DIRECTORIES" | tr -d '"' | sed 's|/objects|/lfs|g'); do
      [ ! -f "$(place "$at" "$oid")" ] || exec cat "$(place "$at" "$oid")"
    done
    echo "$pointer"
    ;;
esac
