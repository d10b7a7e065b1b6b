// ---- streams and events: everything is done when the call returns
inline @rt@Error_t @rt@StreamCreate(@rt@Stream_t* s) { return EMU_ERROR(::emu::host::create_stream(s, 0, 0)); }
inline @rt@Error_t @rt@StreamCreateWithFlags(@rt@Stream_t* s, unsigned flags) {
  return EMU_ERROR(::emu::host::create_stream(s, flags, 0));
}
inline @rt@Error_t @rt@StreamCreateWithPriority(@rt@Stream_t* s, unsigned flags, int priority) {
  return EMU_ERROR(::emu::host::create_stream(s, flags, priority));
}
inline @rt@Error_t @rt@StreamDestroy(@rt@Stream_t s) { return EMU_ERROR(::emu::host::destroy_stream(s)); }
inline @rt@Error_t @rt@StreamSynchronize(@rt@Stream_t) { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@StreamQuery(@rt@Stream_t) { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@StreamWaitEvent(@rt@Stream_t, @rt@Event_t, unsigned = 0) { return @rt@Success; }
@cuda
inline cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) {
  *device = 0;
  return cudaSuccess;
}
@end
inline @rt@Error_t @rt@StreamGetPriority(@rt@Stream_t s, int* priority) {
  *priority = (size_t)s > 2 ? s->priority : 0;
  return @rt@Success;
}
inline @rt@Error_t @rt@LaunchHostFunc(@rt@Stream_t, @rt@HostFn_t function, void* data) {
  function(data);
  return @rt@Success;
}
inline @rt@Error_t @rt@StreamAddCallback(@rt@Stream_t s, @rt@StreamCallback_t function, void* data, unsigned) {
  function(s, EMU_ERROR(::emu::host::synchronize()), data);
  return @rt@Success;
}
inline @rt@Error_t @rt@EventCreate(@rt@Event_t* e) { return EMU_ERROR(::emu::host::create_event(e)); }
inline @rt@Error_t @rt@EventCreate(@rt@Event_t* e, unsigned) { return EMU_ERROR(::emu::host::create_event(e)); }
inline @rt@Error_t @rt@EventCreateWithFlags(@rt@Event_t* e, unsigned) { return EMU_ERROR(::emu::host::create_event(e)); }
inline @rt@Error_t @rt@EventDestroy(@rt@Event_t e) { return EMU_ERROR(::emu::host::destroy_event(e)); }
inline @rt@Error_t @rt@EventRecord(@rt@Event_t e, @rt@Stream_t = 0) { return EMU_ERROR(::emu::host::record_event(e)); }
inline @rt@Error_t @rt@EventSynchronize(@rt@Event_t) { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@EventQuery(@rt@Event_t) { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@EventElapsedTime(float* ms, @rt@Event_t from, @rt@Event_t to) {
  return EMU_ERROR(::emu::host::elapsed(ms, from, to));
}

