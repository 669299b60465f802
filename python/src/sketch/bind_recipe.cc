#include "sketch/bind_recipe.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>

#include "str_of.h"
#include "texts.h"

namespace nb = nanobind;

namespace neardup::python {

GivenRecipe given_recipe(nb::handle argument) {
  GivenRecipe given;
  if (nb::try_cast<GivenRecipe>(argument, given)) return given;
  nb::object text = nb::borrow(argument);
  if (nb::isinstance<nb::dict>(argument)) {
    text = nb::module_::import_("json").attr("dumps")(argument);
  } else if (nb::hasattr(argument, "__fspath__")) {
    text = argument.attr("__fspath__")();
  }
  if (!nb::isinstance<nb::str>(text)) {
    throw nb::type_error(
        fmt::format("recipe: expected the name of a preset, a path, a dict or a Recipe, not {}", type_of(argument)).c_str());
  }
  std::deque<std::string> repaired;
  given.given = text_of(text, repaired, "recipe");
  given.recipe = Recipe::load(given.given);
  return given;
}

const char* sketch_name(const Recipe& recipe) noexcept {
  switch (recipe.sketch) {
    case SketchKind::kMinHash:
      return "minhash_v1";
    case SketchKind::kSimHash:
      return "simhash_v1";
    case SketchKind::kPythonSimHash:
      return "python_simhash_v1";
    case SketchKind::kMinHashV2:
      return "minhash_v2";
  }
  return "";
}

void bind_recipe(nb::module_& module) {
  nb::class_<GivenRecipe>(module, "Recipe", "Everything that determines how a text becomes features and a sketch.")
      .def_prop_ro(
          "name", [](const GivenRecipe& self) { return self.recipe.name; }, "The preset or the file; not part of the id.")
      .def_prop_ro(
          "id", [](const GivenRecipe& self) { return fmt::format("{:016x}", self.recipe.id()); },
          "16 hexadecimal digits. Equal ids mean equal sketches.")
      .def_prop_ro(
          "sketch", [](const GivenRecipe& self) { return sketch_name(self.recipe); },
          "'minhash_v1', 'minhash_v2', 'simhash_v1' or 'python_simhash_v1'.")
      .def_prop_ro(
          "bits", [](const GivenRecipe& self) { return self.recipe.fingerprints() ? self.recipe.bits : 0; },
          "Bits of a fingerprint; 0 of a MinHash.")
      .def_prop_ro(
          "lanes", [](const GivenRecipe& self) { return self.recipe.fingerprints() ? 0 : self.recipe.lanes; },
          "Numbers in the signature of a MinHash; 0 of a fingerprint.")
      .def_prop_ro(
          "canonical_json", [](const GivenRecipe& self) { return self.recipe.canonical_json(); },
          "The canonical form: sorted keys, no white space, defaults left out.")
      .def_prop_ro(
          "given", [](const GivenRecipe& self) { return self.given; }, "What it was loaded from: a preset, a path, or JSON.")
      .def("__eq__",
           [](const GivenRecipe& self, nb::handle other) {
             GivenRecipe that;
             return nb::try_cast<GivenRecipe>(other, that) && that.recipe.id() == self.recipe.id();
           })
      .def("__hash__", [](const GivenRecipe& self) { return static_cast<Py_hash_t>(self.recipe.id() >> 1); })
      .def(nb::new_(&given_recipe), nb::arg("recipe").none(), "A recipe from a preset, a path, JSON or a dict.")
      .def("__reduce__", [](const GivenRecipe& self) { return nb::make_tuple(nb::type<GivenRecipe>(), nb::make_tuple(self.given)); })
      .def("__repr__", [](const GivenRecipe& self) {
        const std::string size = self.recipe.fingerprints() ? fmt::format("fingerprints of {} bits", self.recipe.bits)
                                                            : fmt::format("MinHash of {} lanes", self.recipe.lanes);
        return fmt::format("<neardup.Recipe '{}' {:016x}: {}>", self.recipe.name, self.recipe.id(), size);
      });
  module.def("preset_names", [] {
    std::vector<std::string> names;
    for (const std::string_view name : Recipe::preset_names()) names.emplace_back(name);
    return names;
  });
}

}  // namespace neardup::python
