// embind.cc - all that JavaScript can see of the core.  Translation, no rules.

#include <emscripten/bind.h>

#include <string>

namespace {

class Greeter {
 public:
  std::string Greet(const std::string& name) const { return "Hello, " + name; }
};

}  // namespace

EMSCRIPTEN_BINDINGS(entitable) {
  emscripten::class_<Greeter>("Greeter").constructor<>().function(
      "greet", &Greeter::Greet);
}
