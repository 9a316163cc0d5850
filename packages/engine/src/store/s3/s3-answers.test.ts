import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { ObjectStore } from '../object-store.ts';
import { openS3Store } from './open-s3-store.ts';
import type { S3Settings } from './s3-settings.ts';

/** For servers that say nothing. All others have the time that a busy machine takes to answer. */
const IMPATIENCE = { connectMs: 1_000, idleMs: 1_000 };
const VERSIONING = '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>';

function settings(endpoint: string): S3Settings {
  const credentials = { accessKeyId: 'id', secretAccessKey: 'top-secret' };
  return { bucket: 'bucket', prefix: '', endpoint, region: 'us-east-1', isPathStyle: true, credentials };
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test got no port');
  return `http://127.0.0.1:${address.port}`;
}

/** A store on a server that opens well and then answers as given. */
async function storeWith(answer: RequestListener, patience?: typeof IMPATIENCE): Promise<ObjectStore> {
  const endpoint = await serve((request, response) => {
    if (request.url?.includes('versioning') === true) response.end(VERSIONING);
    else answer(request, response);
  });
  const store = await openS3Store(settings(endpoint), patience);
  onTestFinished(() => store.close());
  return store;
}

function failing(status: number, code: string): RequestListener {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>said by the server</Message></Error>`;
  return (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/xml' }).end(text);
  };
}

test.each([
  [404, 'NoSuchKey', 'not-found', false, /is not there/],
  [404, 'NoSuchBucket', 'store-refused', false, /create it, or correct its name/],
  [403, 'AccessDenied', 'store-refused', false, /allow them to list, read, write and delete/],
  [403, 'SomethingNew', 'store-refused', false, /allow them to list, read, write and delete/],
  [403, 'InvalidAccessKeyId', 'store-refused', false, /AWS_ACCESS_KEY_ID/],
  [403, 'SignatureDoesNotMatch', 'store-refused', false, /AWS_SECRET_ACCESS_KEY/],
  [400, 'ExpiredToken', 'store-refused', false, /get new keys/],
  [403, 'RequestTimeTooSkewed', 'store-refused', false, /clock/],
  [400, 'AuthorizationHeaderMalformed', 'store-refused', false, /region/],
  [403, 'QuotaExceeded', 'store-full', false, /Raise the quota or prune/],
  [507, 'XMinioStorageFull', 'store-full', false, /Raise the quota or prune/],
  [503, 'SlowDown', 'store-unreachable', true, /Try again later/],
  [500, 'InternalError', 'store-unreachable', true, /Try again later/],
  [409, 'ConditionalRequestConflict', 'store-unreachable', true, /Try again later/],
  [429, 'Whatever', 'store-unreachable', true, /Try again later/],
  [501, 'NotImplemented', 'store-refused', false, /said by the server/],
  [418, 'Teapot', 'store-refused', false, /said by the server/],
])('reports %d %s as %s', async (status, name, code, isRetryable, message) => {
  const store = await storeWith(failing(status, name));
  const expected = { name: 'EngineError', code, isRetryable, message: expect.stringMatching(message) };
  await expect(store.read('packs/a')).rejects.toMatchObject(expected);
  await expect(store.read('packs/a')).rejects.toThrow(/object packs\/a.*\(\d+ \w+\)/);
  await expect(firstOf(store)).rejects.toMatchObject(expected);
});

test('says which bucket could not be opened, and reveals no secret', async () => {
  const endpoint = await serve(failing(403, 'SignatureDoesNotMatch'));
  const error = await openS3Store(settings(endpoint)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'store-refused', message: expect.stringContaining('s3 bucket at 127.0.0.1') });
  expect(String(error)).not.toContain('top-secret');
});

test('opens a bucket on a server that knows no versioning', async () => {
  const endpoint = await serve(failing(501, 'NotImplemented'));
  await (await openS3Store(settings(endpoint))).close();
});

test('says store-unreachable where no server listens, none answers, or another protocol is spoken', async () => {
  const unreachable = {
    code: 'store-unreachable',
    isRetryable: true,
    message: expect.stringMatching(/Check network and endpoint/),
  };
  await expect(openS3Store(settings('http://127.0.0.1:9'))).rejects.toMatchObject(unreachable);
  const silent = await serve((request) => void request.resume());
  await expect(openS3Store(settings(silent), IMPATIENCE)).rejects.toMatchObject(unreachable);
  const tls = silent.replace('http:', 'https:');
  await expect(openS3Store(settings(tls))).rejects.toMatchObject({
    code: 'store-refused',
    message: expect.stringMatching(/TLS/),
  });
});

test('says damaged when a server answers a range with fewer bytes', async () => {
  const store = await storeWith((_, response) => void response.writeHead(206).end('short'));
  await expect(store.readRange('a', 0, 10)).rejects.toMatchObject({ code: 'damaged' });
});

test('says store-unreachable, never a short answer, when the line breaks or falls silent within an object', async () => {
  const broken = await storeWith((_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy());
  });
  await expect(broken.read('a')).rejects.toMatchObject({ code: 'store-unreachable', isRetryable: true });
  const silent = await storeWith(
    (_, response) => void response.writeHead(200, { 'content-length': '1000' }).write('half'),
    IMPATIENCE,
  );
  await expect(silent.read('a')).rejects.toMatchObject({ code: 'store-unreachable', isRetryable: true });
});

test('does not take a list that was cut for a whole one', async () => {
  const cut = '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>';
  const store = await storeWith((_, response) => void response.end(cut));
  await expect(firstOf(store)).rejects.toThrow(/does not say where it goes on/);
});

async function firstOf(store: ObjectStore) {
  for await (const facts of store.list('')) return facts;
  return null;
}

test('an answer that is not from an S3 server but from a proxy is reported by its status', async () => {
  const store = await storeWith((_, response) => {
    response.writeHead(413, { 'content-type': 'text/html' }).end('<html><body>Too large');
  });
  await expect(store.create('a', Buffer.from('x'))).rejects.toMatchObject({
    code: 'store-refused',
    isRetryable: false,
    message: expect.stringContaining('413'),
  });
});
