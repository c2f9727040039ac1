#include "git/index_times.h"

#include <fmt/format.h>

namespace pf {
namespace {

constexpr std::size_t kStat = 40;  // bytes of what is known of a file
constexpr std::uint32_t kExtended = 0x4000, kLeftAlone = 0x4000, kAssumed = 0x8000;

// Reads big-endian numbers; past the end they are 0 and the reading is no good any more.
class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}

  std::uint32_t number(std::size_t size) {
    std::uint32_t value = 0;
    for (const char c : text(size)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  std::string_view text(std::size_t size) {
    good_ = good_ && all_.size() - at_ >= size;
    if (!good_) return {};
    at_ += size;
    return all_.substr(at_ - size, size);
  }
  std::string_view until_nul() {
    const auto end = good_ ? all_.find('\0', at_) : all_.npos;
    return text(end == all_.npos ? all_.size() : end - at_);
  }
  std::size_t at() const { return at_; }
  std::size_t left() const { return all_.size() - at_; }
  bool good() const { return good_; }

 private:
  std::string_view all_;
  std::size_t at_ = 0;
  bool good_ = true;
};

std::string in_hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

// A part of the index is in another file, or stands for whole directories.
bool is_elsewhere(Bytes& bytes, std::size_t id_bytes) {
  while (bytes.good() && bytes.left() > id_bytes) {
    const std::string_view name = bytes.text(4);
    if (name == "link" || name == "sdir") return true;
    bytes.text(bytes.number(4));
  }
  return !bytes.good();
}

}  // namespace

std::optional<std::vector<std::string>> changed_since(std::string_view index, std::int64_t second,
                                                      std::size_t id_bytes) {
  Bytes bytes(index);
  const bool known = bytes.text(4) == "DIRC";
  const std::uint32_t version = bytes.number(4), count = bytes.number(4);
  if (!known || version < 2 || version > 3) return std::nullopt;
  std::vector<std::string> entries;
  for (std::uint32_t i = 0; i < count && bytes.good(); ++i) {
    const std::size_t begin = bytes.at();
    const std::int64_t changed = bytes.number(4);
    bytes.text(20);  // the rest of the times, where it is
    const std::uint32_t mode = bytes.number(4);
    bytes.text(kStat - 28);
    const std::string_view id = bytes.text(id_bytes);
    const std::uint32_t flags = bytes.number(2);
    const std::uint32_t more = (flags & kExtended) != 0 ? bytes.number(2) : 0;
    const std::string_view path = bytes.until_nul();
    bytes.text(8 - (bytes.at() - begin) % 8);
    if (changed >= second && (more & kLeftAlone) == 0 && (flags & kAssumed) == 0)
      entries.push_back(fmt::format("{:06o} {} {}\t{}", mode, in_hex(id), flags >> 12 & 3, path));
  }
  if (!bytes.good() || is_elsewhere(bytes, id_bytes)) return std::nullopt;
  return entries;
}

}  // namespace pf
