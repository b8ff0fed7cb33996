// The colors of drawings and pages.
#pragma once

#include <array>
#include <string_view>

namespace takt::tools {

/// A color in both schemes, "#rrggbb" or "#rgb".
struct SchemeColor {
  std::string_view light;
  std::string_view dark;
};

/// What drawings of their own have in common.
inline constexpr SchemeColor kPageColor{"#fff", "#14171b"};
inline constexpr SchemeColor kInkColor{"#1c2127", "#e7e9ec"};
inline constexpr SchemeColor kDimColor{"#5f6873", "#a2abb6"};
inline constexpr SchemeColor kRuleColor{"#eceef0", "#262c33"};
inline constexpr SchemeColor kAccentColor{"#c2410c", "#ff9a5c"};
inline constexpr SchemeColor kComputeColor{"#2f5f8f", "#5b9bd5"};
inline constexpr SchemeColor kReceiveColor{"#9fc2dd", "#2c4a66"};
inline constexpr SchemeColor kSendColor{"#5b92bf", "#3e75a6"};
inline constexpr SchemeColor kEdgeColor{"#8a94a0", "#76818d"};

/// Tints of the Okabe-Ito hues; what stands on them, and their edges, is legible and visible in both schemes.
inline constexpr std::array kTints = {SchemeColor{"#a8d3f0", "#7fb4d6"}, SchemeColor{"#f4c877", "#d8ab58"},
                                      SchemeColor{"#93d3b6", "#74b798"}, SchemeColor{"#e9b3d3", "#cb93b5"},
                                      SchemeColor{"#efe493", "#cfc574"}, SchemeColor{"#b9b8ea", "#9c9bd3"}};
inline constexpr SchemeColor kOnHue{"#1c2127", "#101316"};

/// Colors of lines on white, which people with any color vision tell apart: Okabe and Ito's, then Paul Tol's.
namespace hue {
inline constexpr const char* kBlue = "#0072b2";
inline constexpr const char* kOrange = "#e69f00";
inline constexpr const char* kGreen = "#009e73";
inline constexpr const char* kVermilion = "#d55e00";
inline constexpr const char* kPink = "#cc79a7";
inline constexpr const char* kSky = "#56b4e9";
inline constexpr const char* kBlack = "#000000";
inline constexpr const char* kWine = "#882255";
inline constexpr const char* kOlive = "#999933";
inline constexpr const char* kForest = "#117733";
inline constexpr const char* kIndigo = "#332288";
}  // namespace hue

}  // namespace takt::tools
