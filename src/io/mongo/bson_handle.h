// Bson: owns one BSON document. (std::unique_ptr warns about the alignment that bson_t asks for.)
#pragma once

#include <utility>

#include "io/mongo/mongo_library.h"

namespace neardup {

class Bson {
 public:
  Bson() noexcept = default;
  Bson(std::nullptr_t) noexcept {}
  explicit Bson(bson_t* document) noexcept : document_(document) {}
  ~Bson() { reset(); }
  Bson(Bson&& other) noexcept : document_(std::exchange(other.document_, nullptr)) {}
  Bson& operator=(Bson&& other) noexcept {
    if (this != &other) {
      reset(other.document_);
      other.document_ = nullptr;
    }
    return *this;
  }
  Bson(const Bson&) = delete;
  Bson& operator=(const Bson&) = delete;

  void reset(bson_t* document = nullptr) noexcept {
    if (document_ != nullptr) bson_destroy(document_);
    document_ = document;
  }
  [[nodiscard]] bson_t* get() const noexcept { return document_; }
  [[nodiscard]] bson_t& operator*() const noexcept { return *document_; }
  [[nodiscard]] bson_t* operator->() const noexcept { return document_; }
  [[nodiscard]] explicit operator bool() const noexcept { return document_ != nullptr; }

 private:
  bson_t* document_ = nullptr;
};

}  // namespace neardup
