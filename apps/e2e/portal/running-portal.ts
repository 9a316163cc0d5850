import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
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
    env: {
      ...process.env,
      LOG_LEVEL: 'error',
      SANDBOX_PORT: '0',
      SANDBOX_TENANT_PORT: '0',
      SANDBOX_SMS_PORT: '0',
      ...environment,
      PORT: String(port),
    },
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

/**
 * Not one that the system gives away: between our choice and the portal's listening seconds pass, in which the portal itself opens
 * connections, and each uses a port of the system's range (from 32,768 on).
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port was found between 20,000 and 32,000. End programs that listen there.');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
