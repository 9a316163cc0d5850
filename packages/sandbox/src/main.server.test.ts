import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

function start(...options: string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The lines a program prints until one begins with a word. */
async function linesUntil(output: Readable, beginning: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: output })) {
    lines.push(line.trim());
    if (line.trim().startsWith(beginning)) break;
  }
  return lines;
}

test('prints its address and credentials when started by hand, answers, and stops on a signal', async () => {
  const child = start('--port', '0', '--http', '--companies', '2');
  try {
    const lines = await linesUntil(child.stdout, 'password');
    const url = lines[0]?.split(' ').at(-1);
    const key = lines[1]?.split(' ').at(-1);
    const response = await fetch(`${url}/about`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
}, 20_000);

test.each([
  [['--port', 'many'], "--port is 'many', but must be a whole number from 0 to 65535"],
  [['--portt', '0'], "Unknown option '--portt'"],
  [['--port', '0', '--companies', '5x'], "--companies is '5x'"],
])(
  'with %j it says what is wrong in one line',
  async (options, message) => {
    const child = start(...options);
    const lines = await linesUntil(child.stderr, 'The sandbox cannot start');
    expect(lines.at(-1)).toContain(message);
  },
  20_000,
);
