# The input is one JSON object on stdin; exit code 2 shows stderr to the agent.
file=$(sed -n 's/.*"file_path": *"\([^"]*\)".*/\1/p' | head -n 1)
case $file in
  *.js|*.mjs) node --check "$file" || exit 2 ;;
esac
