// The sparse library: products by format, operation, base and order.
#ifdef __MUSACC__
#include <musparse.h>
#define SPARSE(name) musparse##name
#define SPARSE_(name) MUSPARSE_##name
#define DATA(name) MUSA##name
#else
#include <cusparse.h>
#define SPARSE(name) cusparse##name
#define SPARSE_(name) CUSPARSE_##name
#define DATA(name) CUDA##name
#endif

#include "check.h"

using std::vector;
//     1 0 2 0
// A = 0 3 0 0
//     4 0 5 6
const vector<float> dense{1, 0, 2, 0, 0, 3, 0, 0, 4, 0, 5, 6};
const auto N = SPARSE_(OPERATION_NON_TRANSPOSE), T = SPARSE_(OPERATION_TRANSPOSE);

int main() {
  SPARSE(Handle_t) handle;
  SPARSE(Create)(&handle);
  Buffer<float> values(vector<float>{1, 2, 3, 4, 5, 6}), x(vector<float>{1, 2, 3, 4}), y(vector<float>{10, 20, 30});
  Buffer<int> offsets(vector<int>{0, 2, 3, 6}), columns(vector<int>{0, 2, 1, 0, 2, 3}), rows(vector<int>{0, 0, 1, 2, 2, 2});
  Buffer<long long> from_one(vector<long long>{1, 3, 4, 7}), columns_from_one(vector<long long>{1, 3, 2, 1, 3, 4});
  SPARSE(SpMatDescr_t) csr, coo, one;
  SPARSE(CreateCsr)(&csr, 3, 4, 6, offsets, columns, values, SPARSE_(INDEX_32I), SPARSE_(INDEX_32I), SPARSE_(INDEX_BASE_ZERO), DATA(_R_32F));
  SPARSE(CreateCoo)(&coo, 3, 4, 6, rows, columns, values, SPARSE_(INDEX_32I), SPARSE_(INDEX_BASE_ZERO), DATA(_R_32F));
  SPARSE(CreateCsr)(&one, 3, 4, 6, from_one, columns_from_one, values, SPARSE_(INDEX_64I), SPARSE_(INDEX_64I), SPARSE_(INDEX_BASE_ONE), DATA(_R_32F));
  SPARSE(DnVecDescr_t) dx, dy;
  SPARSE(CreateDnVec)(&dx, 4, x, DATA(_R_32F));
  SPARSE(CreateDnVec)(&dy, 3, y, DATA(_R_32F));
  float alpha = 2, beta = 0.5f, zero = 0;
  size_t bytes = 1;
  SPARSE(SpMV_bufferSize)(handle, N, &alpha, csr, dx, &beta, dy, DATA(_R_32F), SPARSE_(SPMV_ALG_DEFAULT), &bytes);
  vector<float> wanted{2 * 7 + 5, 2 * 6 + 10, 2 * 43 + 15};
  struct { SPARSE(SpMatDescr_t) matrix; const char* name; } kinds[] = {{csr, "SpMV, by rows"}, {coo, "SpMV, by coordinates"}, {one, "SpMV, 64-bit indices from 1"}};
  for (auto& kind : kinds) {
    y = vector<float>{10, 20, 30};
    SPARSE(SpMV)(handle, N, &alpha, kind.matrix, dx, &beta, dy, DATA(_R_32F), SPARSE_(SPMV_ALG_DEFAULT), nullptr);
    check_all(kind.name, y.read(), wanted);
  }
  y = vector<float>{1, 2, 3};
  SPARSE(SpMV)(handle, T, &alpha, csr, dy, &zero, dx, DATA(_R_32F), SPARSE_(SPMV_ALG_DEFAULT), nullptr);
  check_all("SpMV, transposed", x.read(), vector<float>{26, 12, 34, 36});
  check("vectors of the wrong length", SPARSE(SpMV)(handle, N, &alpha, csr, dy, &zero, dx, DATA(_R_32F), SPARSE_(SPMV_ALG_DEFAULT),
                                                    nullptr) == SPARSE_(STATUS_INVALID_VALUE));

  auto b = made(8, [](int i) { return float(i + 1); });  // 4 by 2
  Buffer<float> db(b), dc(6);
  SPARSE(DnMatDescr_t) by_columns, by_rows, c_columns, c_rows;
  SPARSE(CreateDnMat)(&by_columns, 4, 2, 4, db, DATA(_R_32F), SPARSE_(ORDER_COL));
  SPARSE(CreateDnMat)(&by_rows, 4, 2, 2, db, DATA(_R_32F), SPARSE_(ORDER_ROW));
  SPARSE(CreateDnMat)(&c_columns, 3, 2, 3, dc, DATA(_R_32F), SPARSE_(ORDER_COL));
  SPARSE(CreateDnMat)(&c_rows, 3, 2, 2, dc, DATA(_R_32F), SPARSE_(ORDER_ROW));
  float unit = 1;
  SPARSE(SpMM)(handle, N, N, &unit, csr, by_columns, &zero, c_columns, DATA(_R_32F), SPARSE_(SPMM_ALG_DEFAULT), nullptr);
  check_all("SpMM, by columns", dc.read(), vector<float>{7, 6, 43, 19, 18, 103});
  SPARSE(SpMM)(handle, N, N, &unit, csr, by_rows, &zero, c_rows, DATA(_R_32F), SPARSE_(SPMM_ALG_DEFAULT), nullptr);
  check_all("SpMM, by rows", dc.read(), vector<float>{11, 14, 9, 12, 71, 86});

  // of a (3 by 2) times b (2 by 4) just what the sparse matrix stores
  Buffer<float> da(vector<float>{1, 2, 3, 4, 5, 6}), dd(made(8, [](int i) { return float(i); })), stored(6);
  SPARSE(DnMatDescr_t) left, right;
  SPARSE(SpMatDescr_t) mask;
  SPARSE(CreateDnMat)(&left, 3, 2, 2, da, DATA(_R_32F), SPARSE_(ORDER_ROW));
  SPARSE(CreateDnMat)(&right, 2, 4, 4, dd, DATA(_R_32F), SPARSE_(ORDER_ROW));
  SPARSE(CreateCsr)(&mask, 3, 4, 6, offsets, columns, stored, SPARSE_(INDEX_32I), SPARSE_(INDEX_32I), SPARSE_(INDEX_BASE_ZERO), DATA(_R_32F));
  SPARSE(SDDMM)(handle, N, N, &unit, left, right, &zero, mask, DATA(_R_32F), SPARSE_(SDDMM_ALG_DEFAULT), nullptr);
  check_all("SDDMM", stored.read(), vector<float>{8, 14, 23, 24, 46, 57});
  SPARSE(DestroySpMat)(csr);
  SPARSE(DestroyDnVec)(dx);
  SPARSE(DestroyDnMat)(left);
  SPARSE(Destroy)(handle);
}
