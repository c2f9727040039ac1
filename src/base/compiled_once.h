#pragma once

// A type that many files hold, and that is large (a State) or one of many (an Event's body): its
// copies, moves and end are compiled in one file, not in every one that holds it, where they would
// cost a second each. PF_COMPILED_ONCE in the class, PF_COMPILED_HERE in its .cc.
#define PF_COMPILED_ONCE(Type)            \
  Type();                                 \
  Type(const Type& other);                \
  Type(Type&& other) noexcept;            \
  Type& operator=(const Type& other);     \
  Type& operator=(Type&& other) noexcept; \
  ~Type()

#define PF_COMPILED_HERE(Type)                            \
  Type::Type() = default;                                 \
  Type::Type(const Type& other) = default;                \
  Type::Type(Type&& other) noexcept = default;            \
  Type& Type::operator=(const Type& other) = default;     \
  Type& Type::operator=(Type&& other) noexcept = default; \
  Type::~Type() = default
