// The classes of stages that Stages and FrequencyStages make.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "neardup/tools/frequency_stages.h"
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

/// `kinds`: those that it takes. The caller owns the result.
ReduceObject* reduce_object(std::unique_ptr<ReduceStage> stage, std::initializer_list<BlobKind> kinds);

/// Count: texts in, blobs out.
class CountObject : public StageObject<CountStage> {
 public:
  using StageObject::StageObject;
  void add(nanobind::handle texts);
  void finish();
  nanobind::tuple next();
};

class FrequencyTableObject : public StageObject<FrequencyTableStage> {
 public:
  using StageObject::StageObject;
  void add(nanobind::handle blobs);
  uint64_t finish(const std::string& path, uint64_t documents);
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
