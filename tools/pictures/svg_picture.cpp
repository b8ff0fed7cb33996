// PNG and PDF by librsvg and Cairo.
//
// The libraries are loaded when a picture is asked for: they bring some forty others, with which every start of takt
// would take 8 ms longer, which is three times as long.
#include "tools/pictures/svg_picture.hpp"

#include <cairo-pdf.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <librsvg/rsvg.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>

#include "tools/command.hpp"
#include "tools/pictures/svg.hpp"

namespace takt::tools {

namespace {

constexpr double kPixels = 2;     // of a PNG, per coordinate
constexpr double kPoints = 0.75;  // of a PDF, per coordinate: 72 an inch, 96 of CSS
constexpr const char* kLibrary = "librsvg-2.so.2";

// Those of their functions that are called; names in a library are found in those that it needs as well.
class Librsvg {
 public:
  static const Librsvg& loaded() {
    static const Librsvg kLoaded;
    return kLoaded;
  }

 private:
  void* library_ = open();

  static void* open() {
    void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw FileError(fmt::format(
          "PNG and PDF need {} (Debian's librsvg2-2), which cannot be loaded; .svg needs nothing", kLibrary));
    }
    return library;
  }

  template <typename Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(dlsym(library_, name));  // NOLINT(*-reinterpret-cast): as POSIX has it
    if (function == nullptr)
      throw FileError(fmt::format("PNG and PDF need {}, and this one has no {}", kLibrary, name));
  }

  Librsvg() {
    find(memory_stream, "g_memory_input_stream_new_from_data");
    find(unref, "g_object_unref");
    find(free_error, "g_error_free");
    find(new_handle, "rsvg_handle_new_from_stream_sync");
    find(size, "rsvg_handle_get_intrinsic_size_in_pixels");
    find(set_dpi, "rsvg_handle_set_dpi");
    find(draw, "rsvg_handle_render_document");
    find(image, "cairo_image_surface_create");
    find(pdf, "cairo_pdf_surface_create_for_stream");
    find(pdf_metadata, "cairo_pdf_surface_set_metadata");
    find(write_png, "cairo_surface_write_to_png_stream");
    find(create, "cairo_create");
    find(destroy, "cairo_destroy");
    find(scale, "cairo_scale");
    find(finish, "cairo_surface_finish");
    find(status, "cairo_surface_status");
    find(status_text, "cairo_status_to_string");
    find(destroy_surface, "cairo_surface_destroy");
  }

 public:
  decltype(&g_memory_input_stream_new_from_data) memory_stream = nullptr;
  decltype(&g_object_unref) unref = nullptr;
  decltype(&g_error_free) free_error = nullptr;
  decltype(&rsvg_handle_new_from_stream_sync) new_handle = nullptr;
  decltype(&rsvg_handle_get_intrinsic_size_in_pixels) size = nullptr;
  decltype(&rsvg_handle_set_dpi) set_dpi = nullptr;
  decltype(&rsvg_handle_render_document) draw = nullptr;
  decltype(&cairo_image_surface_create) image = nullptr;
  decltype(&cairo_pdf_surface_create_for_stream) pdf = nullptr;
  decltype(&cairo_pdf_surface_set_metadata) pdf_metadata = nullptr;
  decltype(&cairo_surface_write_to_png_stream) write_png = nullptr;
  decltype(&cairo_create) create = nullptr;
  decltype(&cairo_destroy) destroy = nullptr;
  decltype(&cairo_scale) scale = nullptr;
  decltype(&cairo_surface_finish) finish = nullptr;
  decltype(&cairo_surface_status) status = nullptr;
  decltype(&cairo_status_to_string) status_text = nullptr;
  decltype(&cairo_surface_destroy) destroy_surface = nullptr;
};

cairo_status_t append(void* text, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);  // NOLINT(*-reinterpret-cast)
  return CAIRO_STATUS_SUCCESS;
}

class SvgPicture {
 public:
  explicit SvgPicture(const std::string& svg) {
    const Held<GInputStream> stream(library_.memory_stream(svg.data(), static_cast<gssize>(svg.size()), nullptr),
                                    library_.unref);
    GError* error = nullptr;
    handle_ = {library_.new_handle(stream.get(), nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, &error), library_.unref};
    require(handle_ != nullptr, error);
    constexpr double kDots = 96;
    library_.set_dpi(handle_.get(), kDots);
    if (library_.size(handle_.get(), &width_, &height_) == FALSE) throw FileError("librsvg finds no size in a drawing");
  }

  std::string png() const {
    const double longer = std::ceil(std::max(width_, height_) * kPixels);
    if (longer > kMostPixels) {
      throw FileError(
          fmt::format("the drawing would have {} pixels on a side, and a PNG can have {}: write .svg or .pdf", longer,
                      kMostPixels));
    }
    const auto pixels = [](double coordinates) { return static_cast<int>(std::ceil(coordinates * kPixels)); };
    const Surface surface(library_.image(CAIRO_FORMAT_ARGB32, pixels(width_), pixels(height_)),
                          library_.destroy_surface);
    draw_on(surface.get(), kPixels);
    std::string bytes;
    require(library_.write_png(surface.get(), append, &bytes));
    return bytes;
  }

  std::string pdf() const {
    std::string bytes;
    const Surface surface(library_.pdf(append, &bytes, width_ * kPoints, height_ * kPoints), library_.destroy_surface);
    // Not the time of day: the same drawing, the same bytes.
    library_.pdf_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    draw_on(surface.get(), kPoints);
    library_.finish(surface.get());
    require(library_.status(surface.get()));
    return bytes;
  }

 private:
  template <typename Object>
  using Held = std::unique_ptr<Object, decltype(&g_object_unref)>;
  using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

  void require(bool is_done, GError* error) const {
    if (is_done) return;
    const std::unique_ptr<GError, decltype(&g_error_free)> held(error, library_.free_error);
    throw FileError(fmt::format("librsvg cannot draw: {}", held ? held->message : "it does not say why"));
  }

  void require(cairo_status_t status) const {
    if (status == CAIRO_STATUS_SUCCESS) return;
    throw FileError(fmt::format("Cairo cannot draw: {}", library_.status_text(status)));
  }

  void draw_on(cairo_surface_t* surface, double scale) const {
    require(library_.status(surface));
    const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context(library_.create(surface), library_.destroy);
    library_.scale(context.get(), scale, scale);
    const RsvgRectangle page{0, 0, width_, height_};
    GError* error = nullptr;
    const bool is_done = library_.draw(handle_.get(), context.get(), &page, &error) != FALSE;
    require(is_done, error);
  }

  const Librsvg& library_ = Librsvg::loaded();
  Held<RsvgHandle> handle_{nullptr, nullptr};
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

bool names_picture(std::string_view path) {
  constexpr std::array<std::string_view, 3> kEndings = {".svg", ".png", ".pdf"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

std::string picture_bytes(const std::string& svg, std::string_view path) {
  if (path.ends_with(".svg")) return svg;
  static std::mutex mutex;
  const std::lock_guard alone(mutex);
  const SvgPicture picture(svg);
  return path.ends_with(".png") ? picture.png() : picture.pdf();
}

}  // namespace takt::tools
