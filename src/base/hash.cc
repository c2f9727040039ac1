#include "base/hash.h"

#include <sodium.h>

#include <array>

namespace pf {

Hash hash_of(std::string_view bytes) {
  std::array<unsigned char, crypto_generichash_BYTES_MIN> digest;
  crypto_generichash(digest.data(), digest.size(),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                     0);
  std::string hex(digest.size() * 2 + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), digest.data(), digest.size());
  hex.pop_back();
  return Hash(std::move(hex));
}

}  // namespace pf
