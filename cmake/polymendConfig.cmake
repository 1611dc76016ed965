# find_package(polymend): the tool as polymend::polymend, the headers of its primitives as polymend::runtime,
# polymend_transform and polymend_add_check.
include(${CMAKE_CURRENT_LIST_DIR}/polymendTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/polymendTransform.cmake)
