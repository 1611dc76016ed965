# To be sourced by a script of scripts/ before it does anything: where --help or -h is among the words, prints the comment at the script's
# head and ends.
for word in "$@"; do
  case $word in
    -h | --help)
      awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
      exit 0
      ;;
  esac
done
unset word
