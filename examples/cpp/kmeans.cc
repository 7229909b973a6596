// K-means on points that it makes itself, with zones: latido run -- ./kmeans [points] [rounds]
//
// Each round is a step of the program, so Latido shows where a round goes as it does for a training:
// `assign` and `update` read all points, `save` writes the centres to a file.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "latido/latido.h"

namespace {

constexpr std::size_t kDimensions = 16;
constexpr std::size_t kClusters = 12;

using Point = std::array<float, kDimensions>;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::vector<Point> load(std::size_t count) {
  LATIDO_ZONE("load");
  std::mt19937 random(7);
  std::uniform_int_distribution<int> cluster(0, kClusters - 1);
  std::normal_distribution<float> noise(0.0F, 0.6F);
  std::vector<Point> points(count);
  for (Point& point : points) {
    const auto centre = static_cast<float>(cluster(random));
    for (float& value : point) value = centre + noise(random);
  }
  return points;
}

float squared_distance(const Point& a, const Point& b) {
  float sum = 0;
  for (std::size_t i = 0; i < kDimensions; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// Fills `nearest` with the index of each point's nearest centre; returns the mean squared distance.
double assign(const std::vector<Point>& points, const std::vector<Point>& centres,
              std::vector<std::size_t>& nearest) {
  LATIDO_ZONE("assign");
  double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    float best = squared_distance(points[i], centres[0]);
    nearest[i] = 0;
    for (std::size_t k = 1; k < centres.size(); ++k) {
      const float distance = squared_distance(points[i], centres[k]);
      if (distance >= best) continue;
      best = distance;
      nearest[i] = k;
    }
    total += static_cast<double>(best);
  }
  return total / static_cast<double>(points.size());
}

// Moves each centre to the mean of its points; a centre without points stays where it is.
void update(const std::vector<Point>& points, const std::vector<std::size_t>& nearest,
            std::vector<Point>& centres) {
  LATIDO_ZONE("update");
  std::vector<Point> sums(centres.size(), Point{});
  std::vector<float> counts(centres.size(), 0.0F);
  for (std::size_t i = 0; i < points.size(); ++i) {
    counts[nearest[i]] += 1;
    for (std::size_t d = 0; d < kDimensions; ++d) sums[nearest[i]][d] += points[i][d];
  }
  for (std::size_t k = 0; k < centres.size(); ++k) {
    if (counts[k] == 0) continue;
    for (std::size_t d = 0; d < kDimensions; ++d) centres[k][d] = sums[k][d] / counts[k];
  }
}

void save(const std::vector<Point>& centres, std::FILE* file) {
  LATIDO_ZONE("save");
  std::rewind(file);
  std::fwrite(centres.data(), sizeof(Point), centres.size(), file);
  std::fflush(file);
}

std::size_t count_argument(int argc, char** argv, int index, std::size_t otherwise) {
  return argc > index ? std::strtoul(argv[index], nullptr, 10) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = count_argument(argc, argv, 1, 200'000);
  const std::size_t rounds = count_argument(argc, argv, 2, 200);
  if (count < kClusters || rounds == 0) {
    std::fprintf(stderr, "usage: kmeans [points, at least %zu] [rounds]\n", kClusters);
    return 2;
  }

  const std::vector<Point> points = load(count);
  std::vector<Point> centres(points.begin(), points.begin() + kClusters);
  std::vector<std::size_t> nearest(points.size());
  const File file(std::tmpfile(), &std::fclose);
  if (file == nullptr) {
    std::perror("kmeans: no temporary file");
    return 1;
  }
  double distance = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    distance = assign(points, centres, nearest);
    update(points, nearest, centres);
    save(centres, file.get());
    latido_log("mean_squared_distance", distance);
    latido_step();
  }
  std::printf("mean squared distance after %zu rounds: %.4f\n", rounds, distance);
  return 0;
}
