# A stand-in for the module of this name in MUSA's SDK, for machines without one. It does what public builds for MUSA
# rely on, and nothing else: MUSA_FOUND, MUSA_INCLUDE_DIRS, MUSA_MCC_FLAGS and the OPTIONS of a call, as they are when a
# target is added; .cu and .mu files, and those with MUSA_SOURCE_PROPERTY_FORMAT OBJ, compiled by mcc; the target's
# include directories and definitions; MUSA_LINK_LIBRARIES_KEYWORD for linking the runtime. A target's compile options
# and standard, and CUDA's properties, do not reach mcc.

find_program(MUSA_MCC_EXECUTABLE mcc PATHS "$ENV{MUSA_HOME}/bin" /usr/local/musa/bin NO_DEFAULT_PATH)
get_filename_component(_musa_bin "${MUSA_MCC_EXECUTABLE}" DIRECTORY)
get_filename_component(MUSA_TOOLKIT_ROOT_DIR "${_musa_bin}" DIRECTORY)
set(MUSA_INCLUDE_DIRS "${MUSA_TOOLKIT_ROOT_DIR}/include")
find_library(MUSA_MUSART_LIBRARY musart PATHS "${MUSA_TOOLKIT_ROOT_DIR}/lib" NO_DEFAULT_PATH)
set(MUSA_LIBRARIES "${MUSA_MUSART_LIBRARY}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MUSA REQUIRED_VARS MUSA_MCC_EXECUTABLE MUSA_MUSART_LIBRARY)

macro(musa_include_directories)
  list(APPEND _MUSA_INCLUDE_DIRECTORIES ${ARGN})
endmacro()

function(_musa_objects target result)
  cmake_parse_arguments(_ "" "" "OPTIONS" ${ARGN})
  separate_arguments(_flags UNIX_COMMAND "${MUSA_MCC_FLAGS}")
  set(_folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(_definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(_files)
  foreach(_source IN LISTS __UNPARSED_ARGUMENTS)
    get_source_file_property(_format "${_source}" MUSA_SOURCE_PROPERTY_FORMAT)
    if(_source MATCHES "\\.(cu|mu)$" OR _format STREQUAL "OBJ")
      get_filename_component(_absolute "${_source}" ABSOLUTE)
      string(MAKE_C_IDENTIFIER "${_source}" _name)
      set(_object "${CMAKE_CURRENT_BINARY_DIR}/${target}_${_name}.o")
      add_custom_command(
        OUTPUT "${_object}"
        COMMAND
          "${MUSA_MCC_EXECUTABLE}" -x musa -c "${_absolute}" -o "${_object}" ${_flags} ${__OPTIONS}
          "-I$<JOIN:${_folders},;-I>" "$<$<BOOL:${_definitions}>:-D$<JOIN:${_definitions},;-D>>"
        DEPENDS "${_absolute}"
        COMMAND_EXPAND_LISTS VERBATIM)
      list(APPEND _files "${_object}")
    elseif(NOT _source MATCHES "^(STATIC|SHARED|MODULE|OBJECT|EXCLUDE_FROM_ALL|WIN32|MACOSX_BUNDLE)$")
      list(APPEND _files "${_source}")
    endif()
  endforeach()
  set(${result} ${_files} PARENT_SCOPE)
endfunction()

macro(_musa_link target)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${target} PRIVATE ${MUSA_INCLUDE_DIRS} ${_MUSA_INCLUDE_DIRECTORIES})
  target_compile_options(${target} PRIVATE -DMUSIFY_EMU_ARCH=220) # what the CPU device's headers ask of a host compiler
  target_link_libraries(${target} ${MUSA_LINK_LIBRARIES_KEYWORD} ${MUSA_LIBRARIES} pthread)
endmacro()

macro(musa_add_executable target)
  _musa_objects(${target} _objects ${ARGN})
  add_executable(${target} ${_objects})
  _musa_link(${target})
endmacro()

macro(musa_add_library target)
  _musa_objects(${target} _objects ${ARGN})
  set(_kind)
  foreach(_word ${ARGN})
    if(_word MATCHES "^(STATIC|SHARED|MODULE|OBJECT)$")
      set(_kind ${_word})
    endif()
  endforeach()
  add_library(${target} ${_kind} ${_objects})
  _musa_link(${target})
endmacro()
