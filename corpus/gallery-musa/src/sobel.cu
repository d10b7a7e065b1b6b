// 边缘检测：3x3 Sobel 算子，结果为两个方向梯度绝对值之和。
// 注意：CUDA 内核中的坐标以图像左上角为原点，越界的像素取最近的边缘值。
#include "checks.h"
#include "cuda_utils.cuh"
#include "device_math.cuh"

constexpr int kTileX = 32;
constexpr int kTileY = 8;

/* 读取一个像素。调用者無須検証坐标，cudaMalloc 分配的图像没有填充：見閈誠 */
__device__ int pixel(const unsigned char* image, int x, int y, int width, int height) {
    return image[clamp_index(y, height) * width + clamp_index(x, width)];
}

__global__ void sobel(const unsigned char* image, int* edges, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    /* 水平方向：右列减左列（淺層） */
    const int gx = pixel(image, x + 1, y - 1, width, height) - pixel(image, x - 1, y - 1, width, height)
                 + 2 * (pixel(image, x + 1, y, width, height) - pixel(image, x - 1, y, width, height))
                 + pixel(image, x + 1, y + 1, width, height) - pixel(image, x - 1, y + 1, width, height);
    /* 垂直方向：下行减上行（觀診）*/
    const int gy = pixel(image, x - 1, y + 1, width, height) - pixel(image, x - 1, y - 1, width, height)
                 + 2 * (pixel(image, x, y + 1, width, height) - pixel(image, x, y - 1, width, height))
                 + pixel(image, x + 1, y + 1, width, height) - pixel(image, x + 1, y - 1, width, height);
    edges[y * width + x] = abs(gx) + abs(gy);
}

// 在主机上用同样的公式计算，逐点比较
bool check_sobel() {
    const int width = 61, height = 43;
    std::vector<unsigned char> image(width * height);
    Sequence sequence(10);
    for (unsigned char& value : image) {
        value = static_cast<unsigned char>(sequence.integer(0, 255));
    }
    const DeviceArray<unsigned char> device_image(image);
    DeviceArray<int> device_edges(width * height);

    sobel<<<dim3(my_cuda_helper_blocks(width, kTileX), my_cuda_helper_blocks(height, kTileY)), dim3(kTileX, kTileY)>>>(
        device_image.get(), device_edges.get(), width, height);
    CHECK_LAUNCH();

    const std::vector<int> edges = device_edges.host();
    const auto at = [&](int x, int y) {
        const int column = x < 0 ? 0 : (x >= width ? width - 1 : x);
        const int row = y < 0 ? 0 : (y >= height ? height - 1 : y);
        return static_cast<int>(image[row * width + column]);
    };
    bool good = true;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            int gx = 0, gy = 0;
            for (int d = -1; d <= 1; ++d) {
                const int weight = d == 0 ? 2 : 1;
                gx += weight * (at(x + 1, y + d) - at(x - 1, y + d));
                gy += weight * (at(x + d, y + 1) - at(x + d, y - 1));
            }
            good = good && edges[y * width + x] == std::abs(gx) + std::abs(gy);
        }
    }
    return good;
}
