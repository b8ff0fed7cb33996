// A listener of searches that asks for their end.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "maxplus/deadline.hpp"

namespace takt::support {

/// Notes what it hears; asks for an end at the so-manieth share, or at the first bounds.
class SearchNotes : public maxplus::SearchListener {
 public:
  SearchNotes(std::atomic<bool>& request, int shares) : request_(request), shares_(shares) {}
  explicit SearchNotes(std::atomic<bool>& request) : request_(request), ends_at_bounds_(true) {}

  void on_method(std::string_view name) override { methods.emplace_back(name); }
  void on_share(double share) override {
    valid = valid && 0 <= share && share <= 1;
    if (--shares_ == 0) request_ = true;
  }
  void on_bounds(const maxplus::Rational& lower, const maxplus::Rational& upper) override {
    lowers.push_back(lower);
    valid = valid && lower <= upper;
    if (ends_at_bounds_) request_ = true;
  }

  std::vector<std::string> methods;
  std::vector<maxplus::Rational> lowers;
  bool valid = true;

 private:
  std::atomic<bool>& request_;
  int shares_ = 0;
  bool ends_at_bounds_ = false;
};

}  // namespace takt::support
