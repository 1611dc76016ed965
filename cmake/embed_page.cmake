# cmake -DFROM=DIR -DTABLE=FILE.cpp -P embed_page.cmake: writes the files of DIR, each as it stands, as the table that
# src/page looks them up in.
file(GLOB files RELATIVE ${FROM} ${FROM}/*)
list(SORT files)
set(table "#include \"assets.h\"\n\nnamespace polymend::page_room {\n\nconst std::vector<Asset> assets{\n")
foreach(file IN LISTS files)
  file(READ ${FROM}/${file} text)
  string(APPEND table "    {\"${file}\", R\"page(${text})page\"},\n")
endforeach()
file(WRITE ${TABLE} "${table}};\n\n} // namespace polymend::page_room\n")
