import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

function start(...options: string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
}

test('prints its address and credentials when started by hand, answers, and stops on a signal', async () => {
  const child = start('--port', '0', '--size', 'empty', '--control');
  try {
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line.trim());
      if (line.includes('client secret')) break;
    }
    const url = /http:\/\/[\d.:]+/.exec(lines[0] ?? '')?.[0];
    const response = await fetch(`${url}/__sandbox`);
    expect(await response.json()).toMatchObject({ tenants: [{ tenantId: lines[1]?.split(/\s+/)[1] }] });
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
}, 20_000);

test.each([
  [['--port', 'many'], "--port is 'many', but must be a whole number from 0 to 65535"],
  [['--size', 'vast'], "--size is 'vast', but must be one of empty, small, medium, large"],
])(
  '%j is refused with one line that says why',
  async (options, message) => {
    const child = start(...options);
    expect(await text(child.stderr)).toContain(message);
  },
  20_000,
);
