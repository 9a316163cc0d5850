import { type ChildProcess, spawn } from 'node:child_process';
import { accountOptions, nativeEnvironment } from './native-program.ts';
import type { ClusterPrograms } from './postmaster.ts';

/**
 * Waits for the end of its input, then asks the server to stop (SIGINT: fast shutdown), if that process number is still
 * the server of the cluster.
 */
const SCRIPT = 'read -r _; read -r pid < "$1/postmaster.pid" && [ "$pid" = "$2" ] && kill -INT "$2"';

/**
 * Stops the server when this process has ended, also when it was killed: a shell waits at a pipe that the operating
 * system closes then. Without it PostgreSQL would run on without a program that uses it. Windows has no such shell: there the
 * next start stops what was left.
 */
export function guardPostmaster({ cluster, account }: ClusterPrograms, postmaster: ChildProcess): void {
  if (process.platform === 'win32') return;
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'keepwatch-guard', cluster, String(postmaster.pid)], {
    ...accountOptions(account),
    cwd: '/',
    env: nativeEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined); // no shell: as on Windows
  guard.stdin?.on('error', () => undefined);
  postmaster.once('exit', () => guard.kill('SIGKILL'));
}
