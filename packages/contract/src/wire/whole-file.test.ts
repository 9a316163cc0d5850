import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type WholeFileOptions, wholeFile } from './whole-file.ts';

const FILE = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
const AT_ONCE = { sizeBytes: FILE.length, pause: async () => undefined };
let stop = () => {};
afterEach(() => stop());

/** A server whose connections break after so many bytes. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return (headers: Record<string, string>) => fetch(`http://127.0.0.1:${address.port}`, { headers });
}

/** Sends the rest of the file from what is asked for, and breaks off after so many bytes. */
function sendPart(request: IncomingMessage, response: ServerResponse, breakAfter: number, etag = '"one"') {
  const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const rest = FILE.subarray(start);
  response.writeHead(start > 0 ? 206 : 200, { 'content-length': rest.length, etag });
  if (rest.length <= breakAfter) response.end(rest);
  else response.write(rest.subarray(0, breakAfter), () => response.destroy());
}

const bytesOf = async (open: Awaited<ReturnType<typeof serve>>, options: WholeFileOptions = AT_ONCE) =>
  Buffer.from(await new Response(wholeFile(open, options)).arrayBuffer());

test('a file whose connection breaks again and again arrives whole, each byte once', async () => {
  const ranges: (string | undefined)[] = [];
  const open = await serve((request, response) => {
    ranges.push(request.headers.range);
    sendPart(request, response, 30_000);
  });
  const seen: number[] = [];
  expect((await bytesOf(open, { ...AT_ONCE, onProgress: (bytes) => void seen.push(bytes) })).equals(FILE)).toBe(true);
  expect(ranges).toEqual([undefined, 'bytes=30000-', 'bytes=60000-', 'bytes=90000-']);
  expect(seen.at(-1)).toBe(FILE.length);
});

test('a file that was made again meanwhile is not joined with its beginning', async () => {
  let made = 0;
  const open = await serve((request, response) => {
    made += 1;
    sendPart(request, response, 30_000, `"${made}"`);
  });
  await expect(bytesOf(open)).rejects.toThrow(/has changed since it began to arrive/);
});

test('a server that breaks off without a byte is given up, and a shorter file is no whole one', async () => {
  let asked = 0;
  const open = await serve((request, response) => {
    asked += 1;
    if (asked === 1) sendPart(request, response, 30_000);
    else response.destroy();
  });
  await expect(bytesOf(open)).rejects.toThrow(/broke off before all of it had arrived/);
  expect(asked).toBe(6);
});

test('what is stopped ends with the reason of its signal', async () => {
  const open = await serve((request, response) => sendPart(request, response, 30_000));
  const stopping = new AbortController();
  const reason = new Error('The person has seen enough.');
  const onProgress = () => stopping.abort(reason);
  await expect(bytesOf(open, { ...AT_ONCE, signal: stopping.signal, onProgress })).rejects.toBe(reason);
});
