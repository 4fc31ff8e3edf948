import { spawnSync } from 'node:child_process'

const bpf = ['--seccomp-bpf', '-f', '-e', 'trace=fsync', '-o', '/dev/null', 'true']

/**
 * Stops a program at the calls that are asked for, where it can; else at all of them, which takes twice as long. Calls can be made to
 * fail in this way; a signal does not reach the program.
 */
export const strace = spawnSync('strace', bpf).status === 0 ? ['strace', '--seccomp-bpf', '-f'] : ['strace', '-f']
