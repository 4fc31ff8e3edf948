/**
 * Runs a program and records how it ended, whoever is there to see it. It takes the run upon itself by making the file `started`, which
 * only one can: however often a run is launched, its program runs once. It goes on when the signals meant for the program come, so that
 * there is somebody to record the end, and puts nothing of its own into the output.
 *
 * $1 the folder of the run, $2 what the program reads: `held` for a pipe that stays open, `task` for its task, $3 its umask; the rest is
 * the program.
 */
export const shim = `
folder=$1 input=$2 mask=$3
shift 3
umask 077
set -C
{ printf '%s\\n' "$$" > "$folder/started"; } 2>/dev/null || exit 0
set +C
exec 9>&2 2>/dev/null
trap : HUP INT QUIT TERM USR1 USR2
if [ "$input" = held ]; then
  mkfifo "$folder/input" || exit 125
  sleep 2147483647 > "$folder/input" 9>&- &
  holder=$!
  printf '%s\\n' "$holder" > "$folder/holder"
  umask "$mask"
  (exec "$@" < "$folder/input" 2>&9 9>&-)
  status=$?
  kill -KILL "$holder" 2>/dev/null
elif [ "$input" = task ]; then
  umask "$mask"
  (exec "$@" < "$folder/task.md" 2>&9 9>&-)
  status=$?
else
  umask "$mask"
  (exec "$@" 2>&9 9>&-)
  status=$?
fi
umask 077
set -C
printf '%s\\n' "$status" > "$folder/exit"
`
