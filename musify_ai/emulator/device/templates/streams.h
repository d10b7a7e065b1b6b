// ---- streams and events: everything is done when the call returns, or as late as may be
inline @rt@Error_t @rt@StreamCreate(@rt@Stream_t* s) { return EMU_ERROR(::emu::host::create_stream(s, 0, 0)); }
inline @rt@Error_t @rt@StreamCreateWithFlags(@rt@Stream_t* s, unsigned flags) {
  return EMU_ERROR(::emu::host::create_stream(s, flags, 0));
}
inline @rt@Error_t @rt@StreamCreateWithPriority(@rt@Stream_t* s, unsigned flags, int priority) {
  return EMU_ERROR(::emu::host::create_stream(s, flags, priority));
}
inline @rt@Error_t @rt@StreamDestroy(@rt@Stream_t s) { return EMU_ERROR(::emu::host::destroy_stream(s)); }
inline @rt@Error_t @rt@StreamSynchronize(@rt@Stream_t s) { return EMU_ERROR(::emu::host::synchronize_stream(s)); }
inline @rt@Error_t @rt@StreamQuery(@rt@Stream_t s) { return EMU_ERROR(::emu::host::query_stream(s)); }
inline @rt@Error_t @rt@StreamWaitEvent(@rt@Stream_t s, @rt@Event_t e, unsigned flags = 0) {
  return EMU_ERROR(::emu::host::wait_for_event(s, e, flags));
}
inline @rt@Error_t @rt@StreamGetFlags(@rt@Stream_t s, unsigned* flags) {
  *flags = ::emu::host::stream_flags(s);
  return @rt@Success;
}
@cuda
inline cudaError_t cudaStreamGetDevice(cudaStream_t s, int* device) {
  if (!device) return EMU_ERROR(::emu::raise(cudaErrorInvalidValue));
  *device = ::emu::host::stream_device(s);
  return cudaSuccess;
}
@end
inline @rt@Error_t @rt@StreamGetPriority(@rt@Stream_t s, int* priority) {
  *priority = ::emu::host::stream_priority(s);
  return @rt@Success;
}
inline @rt@Error_t @rt@LaunchHostFunc(@rt@Stream_t s, @rt@HostFn_t function, void* data) {
  return EMU_ERROR(::emu::host::in_stream(s, ::emu::host::host_work, [=] {
    function(data);
    return 0;
  }));
}
inline @rt@Error_t @rt@StreamAddCallback(@rt@Stream_t s, @rt@StreamCallback_t function, void* data, unsigned) {
  return EMU_ERROR(::emu::host::in_stream(s, ::emu::host::host_work, [=] {
    function(s, EMU_ERROR(::emu::asynchronous_error()), data);
    return 0;
  }));
}
inline @rt@Error_t @rt@EventCreate(@rt@Event_t* e) { return EMU_ERROR(::emu::host::create_event(e)); }
inline @rt@Error_t @rt@EventCreate(@rt@Event_t* e, unsigned flags) { return EMU_ERROR(::emu::host::create_event(e, flags)); }
inline @rt@Error_t @rt@EventCreateWithFlags(@rt@Event_t* e, unsigned flags) { return EMU_ERROR(::emu::host::create_event(e, flags)); }
inline @rt@Error_t @rt@EventDestroy(@rt@Event_t e) { return EMU_ERROR(::emu::host::destroy_event(e)); }
inline @rt@Error_t @rt@EventRecord(@rt@Event_t e, @rt@Stream_t s = 0) { return EMU_ERROR(::emu::host::record_event(e, s)); }
inline @rt@Error_t @rt@EventRecordWithFlags(@rt@Event_t e, @rt@Stream_t s = 0, unsigned flags = 0) {
  return EMU_ERROR(::emu::host::record_event(e, s, flags));
}
inline @rt@Error_t @rt@EventSynchronize(@rt@Event_t e) { return EMU_ERROR(::emu::host::synchronize_event(e)); }
inline @rt@Error_t @rt@EventQuery(@rt@Event_t e) { return EMU_ERROR(::emu::host::query_event(e)); }
inline @rt@Error_t @rt@EventElapsedTime(float* ms, @rt@Event_t from, @rt@Event_t to) {
  return EMU_ERROR(::emu::host::elapsed(ms, from, to));
}

