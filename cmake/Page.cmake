# The parts of the page that `polymend deps --format=html` writes: real files under src/page/assets, embedded in the tool.
set(page_assets ${PROJECT_SOURCE_DIR}/src/page/assets)
set(page_table ${PROJECT_BINARY_DIR}/page_assets.cpp)
file(GLOB page_files CONFIGURE_DEPENDS ${page_assets}/*)
add_custom_command(
  OUTPUT ${page_table}
  DEPENDS ${page_files} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  COMMAND ${CMAKE_COMMAND} -DFROM=${page_assets} -DTABLE=${page_table} -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  COMMENT "Embedding the page" VERBATIM)
target_sources(polymend_page PRIVATE ${page_table})
target_include_directories(polymend_page PRIVATE ${PROJECT_SOURCE_DIR}/src/page)
