// keyed_hash.h - a hash that strangers cannot predict.
//
// With a known hash function, it is easy to make many texts with the same hash;
// a hash table then compares each text with all others.  This hash,
// SipHash-1-3, has a secret key that is made from the host's random bytes.

#ifndef ENTITABLE_BASE_KEYED_HASH_H_
#define ENTITABLE_BASE_KEYED_HASH_H_

#include <cstdint>
#include <string_view>

namespace entitable {

// Not for storage: each process has another key.
class KeyedHash {
 public:
  // Takes the current key of the process.
  KeyedHash();

  KeyedHash(std::uint64_t key_0, std::uint64_t key_1)
      : key_0_(key_0), key_1_(key_1) {}

  std::uint64_t Of(std::string_view bytes) const;

  // Mixes these bytes into the key of the process.  Existing objects keep their
  // key.
  static void Stir(std::string_view random_bytes);

 private:
  std::uint64_t key_0_;
  std::uint64_t key_1_;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_KEYED_HASH_H_
