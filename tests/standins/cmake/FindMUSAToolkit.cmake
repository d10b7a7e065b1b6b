# A stand-in for the module of this name in MUSA's SDK: the libraries as imported targets, by the names that public
# builds use. A name that none uses is no target here, so a build that names it does not configure.

find_path(MUSAToolkit_INCLUDE_DIR musa_runtime.h PATHS "$ENV{MUSA_HOME}/include" /usr/local/musa/include NO_DEFAULT_PATH)
get_filename_component(_musa_home "${MUSAToolkit_INCLUDE_DIR}" DIRECTORY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MUSAToolkit REQUIRED_VARS MUSAToolkit_INCLUDE_DIR)

foreach(_name IN ITEMS musart musart_static mublas mublas_static mublasLt mufft musolver mupti)
  if(NOT TARGET MUSA::${_name})
    add_library(MUSA::${_name} INTERFACE IMPORTED)
    set_target_properties(MUSA::${_name} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${MUSAToolkit_INCLUDE_DIR}"
      INTERFACE_COMPILE_OPTIONS -DMUSIFY_EMU_ARCH=220
      INTERFACE_LINK_LIBRARIES "${_musa_home}/lib/lib${_name}.a")
  endif()
endforeach()
if(NOT TARGET MUSA::musa_driver)
  add_library(MUSA::musa_driver INTERFACE IMPORTED)
  set_target_properties(MUSA::musa_driver PROPERTIES INTERFACE_LINK_LIBRARIES "${_musa_home}/lib/libmusa.a")
endif()
