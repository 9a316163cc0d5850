import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { exportJobExecutions } from '../executions/job-executions.ts';
import { CallFailed, type Transport } from './client.ts';
import { type DownloadOptions, type DownloadProgress, download } from './download.ts';

const body = { source: 'JOBS', format: 'csv' } as const;
const HEADING = 'Company,Message\r\n';

/** A real server on this machine, whose one answer is the test's. */
async function serve(answer: RequestListener): Promise<Transport> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server of the test has no port.');
  return { fetch, origin: `http://127.0.0.1:${address.port}`, token: () => 'a' };
}

const open = (transport: Transport, options?: DownloadOptions) =>
  download(transport, exportJobExecutions, { body }, options);

async function textOf(transport: Transport, options?: DownloadOptions): Promise<string> {
  return new Response(await open(transport, options)).text();
}

/** Writes and waits until it is on its way, so that what follows comes as a piece of its own. */
const write = (reply: ServerResponse, text: string) => new Promise((resolve) => reply.write(text, resolve));

test('gives the bytes of the file, and says how many rows have come', async () => {
  const text = `${HEADING}Acme,"two\r\nlines"\r\nMüller,x\r\n`;
  const transport = await serve((_, reply) => reply.end(text));
  const seen: DownloadProgress[] = [];
  expect(await textOf(transport, { onProgress: (progress) => seen.push(progress) })).toBe(text);
  expect(seen.at(-1)).toEqual({ bytes: new TextEncoder().encode(text).length, rows: 2 });
});

test('a file with a heading alone is whole', async () => {
  const transport = await serve((_, reply) => reply.end(HEADING));
  expect(await textOf(transport)).toBe(HEADING);
});

test("a refusal is thrown with the server's own words, before there is a stream", async () => {
  const refusal = { success: false, code: 'TOO_MANY_EXPORTS', message: 'Other exports are still running.' };
  const transport = await serve((_, reply) => reply.writeHead(429).end(JSON.stringify(refusal)));
  const error = await open(transport).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallFailed);
  expect(error).toMatchObject({ status: 429, code: 'TOO_MANY_EXPORTS', message: 'Other exports are still running.' });
});

// The server destroys the connection where its query fails midway: the rows that did arrive look like a finished file.
test('a transfer that is broken off fails, even after a whole line', async () => {
  const transport = await serve(async (_, reply) => {
    await write(reply, `${HEADING}Acme,x\r\n`);
    reply.destroy();
  });
  await expect(textOf(transport)).rejects.toMatchObject({ name: 'CallFailed', code: 'CUT_SHORT', status: 0 });
});

test.each([
  ['half a line', `${HEADING}Acme,`],
  ['an open quote', `${HEADING}Acme,"two\r\n`],
  ['nothing at all', ''],
])('a transfer that ends in good order after %s fails: something between has cut it', async (_, text) => {
  const transport = await serve((__, reply) => reply.end(text));
  await expect(textOf(transport)).rejects.toMatchObject({ code: 'CUT_SHORT' });
});

test('a server that cannot be reached is said to be so', async () => {
  const transport: Transport = { fetch, origin: 'http://127.0.0.1:1', token: () => null };
  await expect(open(transport)).rejects.toMatchObject({ code: 'NO_CONNECTION' });
});

test('cancelling ends the transfer at the server, and is no failure of the call', async () => {
  let gone: Promise<unknown> | undefined;
  const transport = await serve((_, reply) => {
    gone = once(reply, 'close');
    reply.write(HEADING);
  });
  const cancelling = new AbortController();
  const stream = await open(transport, { signal: cancelling.signal });
  const reading = new Response(stream).text();
  cancelling.abort();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  await gone;
});

test('who stops reading ends the transfer at the server', async () => {
  let gone: Promise<unknown> | undefined;
  const transport = await serve((_, reply) => {
    gone = once(reply, 'close');
    reply.write(HEADING);
  });
  await (await open(transport)).cancel();
  await gone;
});
