// A program outside the repository that uses an installed takt: prints 692/3.
#include <iostream>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"

int main() {
  using takt::maxplus::Rational;
  takt::tpn::Document document;
  document.predicted_period = Rational::fraction(1384, 6);
  std::cout << document.predicted_period->to_string() << '\n';
}
