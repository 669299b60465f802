// The classes of stages that Stages makes.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "neardup/tools/stages.h"
#include "spark/columns.h"
#include "spark/stage_object.h"

namespace neardup::python {

/// Pack.
class PackObject : public StageObject<PackStage> {
 public:
  using StageObject::StageObject;
  nanobind::list add(const Ranks& ranks, nanobind::handle texts);
  nanobind::list finish();
};

/// Collapse, Link and stars: blobs in, blobs out.
class ReduceObject : public StageObject<ReduceStage> {
 public:
  ReduceObject(std::unique_ptr<ReduceStage> stage, std::vector<int> kinds) : StageObject(std::move(stage)), kinds_(std::move(kinds)) {}
  [[nodiscard]] nanobind::tuple kinds() const;
  void add(nanobind::handle blobs);
  void finish();
  nanobind::tuple next();

 private:
  std::vector<int> kinds_;
};

class RootsObject : public StageObject<RootStage> {
 public:
  using StageObject::StageObject;
  void add(nanobind::handle blobs);
  void finish();
  nanobind::tuple next();
};

class DecideObject : public StageObject<DecideStage> {
 public:
  using StageObject::StageObject;
  nanobind::tuple add(const Ranks& roots, const Ranks& ranks, nanobind::handle payloads);
  nanobind::tuple finish();
  nanobind::dict stats();
};

class MatchObject {
 public:
  MatchObject(const Stages& stages, const Ranks& roots, const Ranks& ranks, nanobind::handle payloads, uint64_t memory);
  nanobind::tuple add(const Ranks& roots, const Ranks& ranks, nanobind::handle payloads);
  nanobind::tuple finish();
  nanobind::dict stats();

 private:
  const BytesColumn kept_;  // which the stage views
  StageObject<MatchStage> stage_;
};

}  // namespace neardup::python
