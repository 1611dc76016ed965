# The end of a rule of polymend_transform where the generator is not Ninja: touches STAMP, which is older than no input,
# while outputs that stay as they are keep their time. RULE is what polymend wrote for -MF; it gets the outputs OUTPUT,
# HEADER and REPORT as inputs of the stamp, so that one which is deleted is made again. CACHE, in which make adds up what
# rules said, is removed: else a header that is included no more would be a reason for ever.
set(made "")
foreach(file IN ITEMS "${OUTPUT}" "${HEADER}" "${REPORT}")
  string(REPLACE "$" "$$" file "${file}")
  string(REPLACE " " "\\ " file "${file}")
  string(APPEND made " \\\n  ${file}")
endforeach()
string(REPLACE "$" "$$" stamp "${STAMP}")
string(REPLACE " " "\\ " stamp "${stamp}")
file(APPEND "${RULE}" "\n${stamp}:${made}\n")
file(REMOVE "${CACHE}")
file(TOUCH "${STAMP}")
