# The manual page and completion for shells, which the tool makes from its table of options.
set(manual ${PROJECT_BINARY_DIR}/share/man/man1/polymend.1)
set(completion ${PROJECT_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/man/man1 ${completion}/bash-completion/completions
                    ${completion}/zsh/site-functions ${completion}/fish/vendor_completions.d)
set(completion_bash ${completion}/bash-completion/completions/polymend)
set(completion_zsh ${completion}/zsh/site-functions/_polymend)
set(completion_fish ${completion}/fish/vendor_completions.d/polymend.fish)
add_custom_command(
  TARGET polymend POST_BUILD
  COMMAND polymend --print=man -o ${manual}
  COMMAND polymend --print=bash -o ${completion_bash}
  COMMAND polymend --print=zsh -o ${completion_zsh}
  COMMAND polymend --print=fish -o ${completion_fish}
  VERBATIM)
