# What programs that use Latido need of it: find_package(latido), then
#
#   target_link_libraries(program PRIVATE latido::capture)   zones, steps and values: latido/latido.h
#   latido_instrument(program)                               records each of its functions by itself
#
# Installed in the Python package: latido_DIR=$(python -c "import latido; print(latido.__path__[0])")/cmake
if(NOT TARGET latido::capture)
  get_filename_component(_latido_package ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
  add_library(latido::capture SHARED IMPORTED)
  set_target_properties(latido::capture PROPERTIES
    IMPORTED_LOCATION ${_latido_package}/liblatido_capture.so
    IMPORTED_NO_SONAME FALSE
    INTERFACE_INCLUDE_DIRECTORIES ${_latido_package}/include)
  unset(_latido_package)
endif()

# Functions of `target` call the recorder at entry and exit; outside `latido run` that is 2 ns a call. Frame
# pointers tell what an exception or longjmp has left; -g1 brings names, files and lines.
function(latido_instrument target)
  set(gnu "$<COMPILE_LANG_AND_ID:C,GNU>,$<COMPILE_LANG_AND_ID:CXX,GNU>")
  set(clang "$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>")
  set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS
    -fno-omit-frame-pointer
    $<$<NOT:$<CONFIG:Debug,RelWithDebInfo>>:-g1>
    $<$<OR:${gnu}>:-finstrument-functions>
    "$<$<OR:${gnu}>:-finstrument-functions-exclude-file-list=/usr/include,/usr/lib>"
    $<$<OR:${clang}>:-finstrument-functions-after-inlining>)
  # Not target_link_libraries(): its two signatures cannot be mixed, and this is the user's target.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES latido::capture)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "STATIC_LIBRARY" OR kind STREQUAL "OBJECT_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES latido::capture)
  endif()
endfunction()
