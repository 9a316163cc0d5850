import { type ChildProcess, spawn } from 'node:child_process';
import { NODE_FLAGS as ENGINE_FLAGS } from '@keepwatch/engine/node-flags';

/** A program of ours in a Node process of its own; `name` is for messages. */
export type Command = { name: string; file: string; args: string[] };

/** What every child needs: its environment, and the two ways in which it can be asked to end. */
export type ChildContext = {
  environment: NodeJS.ProcessEnv;
  /** Aborted once: end in good order, within `stopLimitMs`. */
  ending: AbortSignal;
  /** Aborted once: end now. */
  killing: AbortSignal;
  stopLimitMs: number;
};

/** How a child ended: its exit code, or the name of the signal. */
export type ChildEnd = { exitCode: number } | { signal: NodeJS.Signals };

/**
 * How a role's Node is started. Left alone, V8 lets young objects grow to three times 16 MB and more before it cleans up; these
 * processes allocate much for a short time, and the smaller space saves about 60 MB of memory each. With 8 MB
 * the api spends a tenth more of the processor on single reports.
 */
const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=16'];

/** A worker is the engine, many times at once: what saves memory there saves it here. */
export function nodeFlagsOf(name: string): readonly string[] {
  return name === 'worker' ? ENGINE_FLAGS : NODE_FLAGS;
}

const OWN_GROUP = process.platform !== 'win32';

/**
 * Runs a child to its end. It shares our terminal for output and leads a process group of its own: Ctrl-C reaches
 * us alone, and we end the children in the right order. `onMessage` gets what it sends with `process.send`.
 */
export function runChild(
  command: Command,
  context: ChildContext,
  onMessage: (message: unknown) => void,
): Promise<ChildEnd> {
  const child = spawn(process.execPath, [...nodeFlagsOf(command.name), command.file, ...command.args], {
    env: context.environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: OWN_GROUP,
  });
  child.on('message', onMessage);
  const forget = obey(child, context);
  return new Promise<ChildEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => {
      resolve(signal === null ? { exitCode: exitCode ?? 1 } : { signal });
    });
  }).finally(forget);
}

/** In words, for messages. */
export function describeEnd(end: ChildEnd): string {
  return 'signal' in end ? `signal ${end.signal}` : `exit code ${end.exitCode}`;
}

/** Carries out the requests to end; the result stops listening for them. */
function obey(child: ChildProcess, { ending, killing, stopLimitMs }: ChildContext): () => void {
  let limit: NodeJS.Timeout | undefined;
  const kill = () => killGroup(child);
  const end = () => {
    child.kill('SIGTERM');
    limit = setTimeout(kill, stopLimitMs);
  };
  ending.addEventListener('abort', end, { once: true });
  killing.addEventListener('abort', kill, { once: true });
  return () => {
    clearTimeout(limit);
    ending.removeEventListener('abort', end);
    killing.removeEventListener('abort', kill);
  };
}

/** The child with whatever it has started itself. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (OWN_GROUP) process.kill(-child.pid, 'SIGKILL');
  else child.kill('SIGKILL');
}
