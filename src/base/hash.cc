#include "base/hash.h"

#include <sodium.h>

#include <array>

#include "base/sha256.h"

namespace pf {
namespace {

std::string in_hex(const auto& digest) {
  std::string hex(digest.size() * 2 + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), digest.data(), digest.size());
  hex.pop_back();
  return hex;
}

}  // namespace

Hash hash_of(std::string_view bytes) {
  std::array<unsigned char, crypto_generichash_BYTES_MIN> digest;
  crypto_generichash(digest.data(), digest.size(),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                     0);
  return Hash(in_hex(digest));
}

struct Sha256::State {
  crypto_hash_sha256_state hash;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { crypto_hash_sha256_init(&state_->hash); }
Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  crypto_hash_sha256_update(&state_->hash, reinterpret_cast<const unsigned char*>(bytes.data()),
                            bytes.size());
}

std::string Sha256::hex() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256_final(&state_->hash, digest.data());
  return in_hex(digest);
}

}  // namespace pf
