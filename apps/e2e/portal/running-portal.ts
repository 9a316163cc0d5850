import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

const LAUNCHER = join(import.meta.dirname, '../../server/src/program/launch/main.ts');

export interface RunningPortal {
  url: string;
  stop(): Promise<void>;
}

/** The whole program, started as a person starts it; resolves when it has said that it is ready. */
export async function startPortal(
  mode: 'start' | 'serve',
  environment: Record<string, string>,
): Promise<RunningPortal> {
  const port = await freePort();
  const child = spawn(process.execPath, [LAUNCHER, mode], {
    env: { ...process.env, LOG_LEVEL: 'error', SANDBOX_PORT: '0', ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await ready(child);
  return {
    url: `http://localhost:${port}`,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  let said = '';
  const line = new Promise<boolean>((resolve) => {
    child.stdout?.on('data', (data: Buffer) => {
      said += data.toString();
      if (/Keepwatch is ready/.test(said)) resolve(true);
    });
    child.on('exit', () => resolve(false));
  });
  if (!(await line)) throw new Error(`The portal ended before it was ready. It said:\n${said}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}
