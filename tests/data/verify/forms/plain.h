#ifdef __cplusplus
extern "C" {
#endif
int *plain_numbers(int n);
int *on_device(const int *values, int n);
#ifdef __cplusplus
}
#endif
