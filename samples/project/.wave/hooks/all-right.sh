# The agent is sent back to work as long as a file does not parse.
for file in src/*.js test/*.js; do
  [ -f "$file" ] || continue
  node --check "$file" || exit 2
done
