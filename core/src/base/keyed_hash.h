// keyed_hash.h - a hash that a stranger cannot foresee.
//
// For whom a hash has no secret, it is easy to make texts that all have the
// same one; a table by hash then compares each with all others.  This one,
// SipHash-1-3, has a key that is made from random bytes of the host.

#ifndef ENTITABLE_BASE_KEYED_HASH_H_
#define ENTITABLE_BASE_KEYED_HASH_H_

#include <cstdint>
#include <string_view>

namespace entitable {

// Not for storage: each process has another key.
class KeyedHash {
 public:
  // With the key that the process has now.
  KeyedHash();

  KeyedHash(std::uint64_t key_0, std::uint64_t key_1)
      : key_0_(key_0), key_1_(key_1) {}

  std::uint64_t Of(std::string_view bytes) const;

  // Makes the key of the process depend on these bytes, too.  Hashes that were
  // made before keep theirs.
  static void Stir(std::string_view random_bytes);

 private:
  std::uint64_t key_0_;
  std::uint64_t key_1_;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_KEYED_HASH_H_
