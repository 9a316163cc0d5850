import { spawn } from 'node:child_process';
import type { Account } from './unprivileged-account.ts';

/** How a program ended. `output` is everything it printed on both streams, in the order of arrival. */
export type ProgramResult = { exitCode: number; output: string };

/**
 * The environment PostgreSQL's programs get. Not ours: PGPORT, PGDATA and the like would change what they do, and
 * with LC_ALL=C their messages stay in the language this folder reads.
 */
export function nativeEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return { PATH, LC_ALL: 'C', TZ: 'UTC', ...(SystemRoot ? { SystemRoot } : {}), ...(TEMP ? { TEMP } : {}) };
}

/** The spawn options that run a program under `account`; none for the account of this process. */
export function accountOptions(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

/**
 * Runs a program to its end under `account`. An exit code other than 0 is a result, not an error. `input` is what it
 * reads; without it there is nothing to read.
 * @throws the system error when it cannot be started at all (ENOENT, EACCES)
 */
export function runNativeProgram(
  file: string,
  args: string[],
  account: Account | undefined,
  input = '',
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...accountOptions(account),
      cwd: '/',
      env: nativeEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: string) => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('error', reject);
    child.stdin.on('error', () => undefined); // it ended without reading: its exit code says more
    child.stdin.end(input);
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
