import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { S3ServerAccess } from './s3-place.fixture.ts';

const run = promisify(execFile);
const PORT = '17480';

/**
 * A script that starts a real S3 server: `<script> start <folder> <port>` prints `endpoint=… accessKeyId=… secretAccessKey=…`, and
 * `<script> stop <folder>` ends it.
 */
export const S3_SERVER_SCRIPT = process.env.KEEPWATCH_S3_SERVER ?? '';

export async function startS3Server(): Promise<S3ServerAccess & { folder: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-s3-'));
  const environment = { ...process.env, S3_STORE: 'memstore', S3_SIZE: '2147483648' };
  const { stdout } = await run(S3_SERVER_SCRIPT, ['start', folder, PORT], { env: environment });
  return { ...readAccess(stdout), folder, stop: () => stop(folder) };
}

async function stop(folder: string): Promise<void> {
  await run(S3_SERVER_SCRIPT, ['stop', folder]);
  await rm(folder, { recursive: true, force: true });
}

function readAccess(line: string): S3ServerAccess {
  const of = (name: string) => {
    const value = new RegExp(`\\b${name}=(\\S+)`).exec(line)?.[1];
    if (value === undefined) throw new Error(`The S3 server was started, but it does not say its ${name}: ${line}`);
    return value;
  };
  return { endpoint: of('endpoint'), accessKeyId: of('accessKeyId'), secretAccessKey: of('secretAccessKey') };
}
