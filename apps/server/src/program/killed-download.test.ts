import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { backgroundDownloadReply, readDownload } from '@keepwatch/contract/restore/downloads';
import { downloadDrive } from '@keepwatch/contract/restore/drives';
import { openRestoreSession } from '@keepwatch/contract/restore/sessions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDownloadJob } from '../restore/downloads/make-download.job.ts';
import type { Caller } from '../testing/test-portal.ts';
import { ProcessBed } from './testing/process-bed.ts';

/** More than the buffers of a connection take, so that the api is in the middle of it while the client does not read. */
const LARGE_BYTES = 48 * 2 ** 20;
const READ_BEFORE_KILL = 3_000_000;

let bed: ProcessBed;
let caller: Caller;
beforeAll(async () => {
  bed = await ProcessBed.start();
  caller = await bed.administrator();
});
afterAll(() => bed.stop());

/** A port that is free, which the api gets before and after its end. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

/** Backs up a OneDrive with a large file, and has its ZIP made by a worker. @returns the download when it is finished */
async function madeDownload() {
  const { directory, drives } = bed.tenant.tenant;
  // The OneDrive of the first one has a large file of its own.
  const [, user] = directory.users.filter(({ id }) => drives.ofUser(id) !== undefined);
  const userId = user?.id ?? '';
  const body = randomBytes(LARGE_BYTES);
  await bed.connection.ask({ method: 'PUT', path: `/users/${userId}/drive/root:/large.bin:/content`, body });
  await bed.backUp(userId, ['drive']);
  const onedriveId = String((await bed.connection.ask({ path: `/users/${userId}/drive` }))['id']);
  const { id: organizationId, companyId } = bed.organization;
  const datetime = new Date(Date.now() + 60_000).toISOString();
  const opened = await caller.call(openRestoreSession, {
    body: { companyId, organizationId, datetime, sessionType: 'veod' },
  });
  const params = { restoreSessionId: opened.data.id, onedriveId };
  const begun = await caller.send(downloadDrive, { params, body: { downloadInBackground: true } });
  const { id } = backgroundDownloadReply.parse(await begun.json()).download;
  const worker = await bed.startRole('worker');
  await bed.sendToWorkers(makeDownloadJob, { providerId: 1, downloadId: id });
  const read = async () => (await caller.call(readDownload, { params: { id } })).download;
  await expect.poll(async () => (await read()).status).toBe('finished');
  await bed.kill(worker);
  return read();
}

/** Reads a body until it has so many bytes, or until the connection breaks. */
async function readSome(reader: ReadableStreamDefaultReader<Uint8Array>, into: Uint8Array[], atLeast: number) {
  let count = 0;
  while (count < atLeast) {
    const { done, value } = await reader.read();
    if (done) break;
    into.push(value);
    count += value.length;
  }
}

it('a download whose api is killed goes on by a range at the next one, and has the SHA-256 that was said', async () => {
  const { url, sha256, sizeBytes } = await madeDownload();
  const port = await freePort();
  const environment = { PORT: String(port), HOST: '127.0.0.1' };
  const fetched = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/api/o365/restore/downloads/proxy?url=${encodeURIComponent(url ?? '')}`, {
      headers: { authorization: `Bearer ${caller.token}`, ...headers },
    });

  const first = await bed.startRole('api', environment);
  const response = await fetched({});
  const etag = response.headers.get('etag') ?? '';
  const parts: Uint8Array[] = [];
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error('The download has no body.');
  await readSome(reader, parts, READ_BEFORE_KILL);
  await bed.kill(first);
  await expect(readSome(reader, parts, Number.POSITIVE_INFINITY)).rejects.toThrow();
  const before = Buffer.concat(parts);
  expect(before.length).toBeLessThan(sizeBytes ?? 0);

  await bed.startRole('api', environment);
  const rest = await fetched({ range: `bytes=${before.length}-`, 'if-range': etag });
  expect(rest.status).toBe(206);
  const whole = Buffer.concat([before, Buffer.from(await rest.arrayBuffer())]);
  expect(whole.length).toBe(sizeBytes);
  expect(createHash('sha256').update(whole).digest('hex')).toBe(sha256);
}, 300_000);
