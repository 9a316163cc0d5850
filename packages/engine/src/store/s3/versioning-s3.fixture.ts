import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

interface Version {
  id: string;
  bytes: Buffer | null;
  at: string;
  retainUntil: string | undefined;
}

interface Reply {
  status: number;
  headers: Readonly<Record<string, string | number>>;
  body: string | Buffer;
}

interface VersioningOptions {
  aheadMs: number;
  /** What is written has the version `null` and takes the place of an earlier one of that name. */
  isSuspended?: boolean;
  /** The server refuses to overwrite an object when the request says so. */
  heedsConditions?: boolean;
  /** Keys of another id are refused; without: any keys. It may change, as when keys are renewed. */
  accessKeyId?: string;
}

/** Short, so that the versions of a key are often on two pages. */
const PAGE = 7;

/**
 * What a bucket with versions and object lock does on a server that ignores `If-None-Match` there, as Ceph does: as much of it as the store
 * asks for. In memory, any bucket, no signatures.
 *
 * @param clock how far that of the server is ahead of this machine's; it may change
 */
export async function startVersioningS3(clock: VersioningOptions = { aheadMs: 0 }) {
  const now = () => new Date(Date.now() + clock.aheadMs);
  const server = new VersioningS3(now, clock);
  const http = createServer((request, response) => {
    server.answer(request).then(
      ({ status, headers, body }) => response.writeHead(status, { date: now().toUTCString(), ...headers }).end(body),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the test server got no port');
  const stop = async () => {
    http.closeAllConnections();
    http.close();
  };
  return { endpoint: `http://127.0.0.1:${address.port}`, keys: server.keys, stop };
}

class VersioningS3 {
  /** Versions of each key, the newest first; a delete marker has no bytes. */
  readonly keys = new Map<string, Version[]>();
  private readonly now: () => Date;
  private readonly uploads = new Map<string, Map<number, Buffer>>();

  private readonly options: VersioningOptions;

  constructor(now: () => Date, options: VersioningOptions) {
    this.now = now;
    this.options = options;
  }

  async answer(request: IncomingMessage): Promise<Reply> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [, , ...names] = decodeURIComponent(pathname).split('/');
    const key = names.join('/');
    const body = await buffer(request);
    const { accessKeyId } = this.options;
    if (accessKeyId !== undefined && !request.headers.authorization?.includes(`Credential=${accessKeyId}/`))
      return reply('<Error><Code>InvalidAccessKeyId</Code><Message>The key does not exist.</Message></Error>', 403);
    if (searchParams.has('versioning'))
      return reply(`<R><Status>${this.options.isSuspended ? 'Suspended' : 'Enabled'}</Status></R>`);
    if (searchParams.has('versions')) return reply(this.list(searchParams));
    if (key === '') return reply('<R/>');
    if (searchParams.has('retention')) return this.retain(key, searchParams, body);
    if (searchParams.has('uploads') || searchParams.has('uploadId'))
      return this.upload(key, request, searchParams, body);
    const isThere = (this.keys.get(key)?.[0]?.bytes ?? null) !== null;
    if (request.method === 'PUT' && this.options.heedsConditions && isThere && request.headers['if-none-match'] === '*')
      return reply('<Error><Code>PreconditionFailed</Code></Error>', 412);
    if (request.method === 'PUT') return this.put(key, body, request.headers['x-amz-object-lock-retain-until-date']);
    if (request.method === 'DELETE') return this.delete(key, searchParams.get('versionId'));
    return this.get(key, request, searchParams.get('versionId'));
  }

  private put(key: string, bytes: Buffer | null, retainUntil: unknown, body = ''): Reply {
    const until = typeof retainUntil === 'string' ? retainUntil : undefined;
    const id = this.options.isSuspended ? 'null' : randomUUID();
    const version = { id, bytes, at: this.now().toISOString(), retainUntil: until };
    const others = (this.keys.get(key) ?? []).filter((other) => other.id !== id);
    this.keys.set(key, [version, ...others]);
    return reply(body, 200, { 'x-amz-version-id': version.id });
  }

  private delete(key: string, id: string | null): Reply {
    if (id === null) return this.put(key, null, undefined);
    const versions = this.keys.get(key) ?? [];
    const isLocked = versions.some(
      (version) =>
        version.id === id &&
        version.retainUntil !== undefined &&
        Date.parse(version.retainUntil) > this.now().getTime(),
    );
    if (isLocked) return reply('<Error><Code>AccessDenied</Code></Error>', 403);
    const left = versions.filter((version) => version.id !== id);
    if (left.length > 0) this.keys.set(key, left);
    else this.keys.delete(key);
    return reply('', 204);
  }

  private get(key: string, { method, headers }: IncomingMessage, id: string | null): Reply {
    const versions = this.keys.get(key) ?? [];
    const { bytes, retainUntil } = (id === null ? versions[0] : versions.find((version) => version.id === id)) ?? {};
    if (!bytes) return reply('<Error><Code>NoSuchKey</Code></Error>', 404);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (Number(first) >= bytes.length) return reply('<Error><Code>InvalidRange</Code></Error>', 416);
    const part = first === undefined ? bytes : bytes.subarray(Number(first), Number(last) + 1);
    const sent = method === 'HEAD' ? '' : part;
    const sentHeaders: Record<string, string | number> = { 'content-length': part.length };
    if (retainUntil !== undefined) sentHeaders['x-amz-object-lock-retain-until-date'] = retainUntil;
    return reply(sent, first === undefined ? 200 : 206, sentHeaders);
  }

  private list(asked: URLSearchParams): string {
    const all = [...this.keys]
      .filter(([key]) => key.startsWith(asked.get('prefix') ?? ''))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([key, versions]) => versions.map((version) => ({ key, ...version })));
    const marker = [asked.get('key-marker') ?? '', asked.get('version-id-marker')] as const;
    const last = all.findIndex(({ key, id }) => key === marker[0] && id === marker[1]);
    const after = last >= 0 ? all.slice(last + 1) : all.filter(({ key }) => key > marker[0]);
    const page = after.slice(0, PAGE);
    const next = page.at(-1);
    const cut = after.length > PAGE && next !== undefined;
    const where = cut
      ? `<NextKeyMarker>${next.key}</NextKeyMarker><NextVersionIdMarker>${next.id}</NextVersionIdMarker>`
      : '';
    const entries = page.map(({ key, id, bytes, at }) => {
      const kind = bytes === null ? 'DeleteMarker' : 'Version';
      return `<${kind}><Key>${key}</Key><VersionId>${id}</VersionId><Size>${bytes?.length ?? 0}</Size><LastModified>${at}</LastModified></${kind}>`;
    });
    return `<R><IsTruncated>${cut}</IsTruncated>${where}${entries.join('')}</R>`;
  }

  private upload(key: string, { method }: IncomingMessage, asked: URLSearchParams, body: Buffer): Reply {
    const id = asked.get('uploadId') ?? randomUUID();
    const parts = this.uploads.get(id) ?? new Map<number, Buffer>();
    this.uploads.set(id, parts);
    if (asked.has('uploads')) return reply(`<R><UploadId>${id}</UploadId></R>`);
    if (method === 'PUT') {
      parts.set(Number(asked.get('partNumber')), body);
      return reply('', 200, { etag: `"${randomUUID()}"` });
    }
    this.uploads.delete(id);
    if (method === 'DELETE') return reply('', 204);
    const ordered = [...parts].sort(([one], [other]) => one - other).map(([, bytes]) => bytes);
    return this.put(key, Buffer.concat(ordered), undefined, '<R/>');
  }

  private retain(key: string, asked: URLSearchParams, body: Buffer): Reply {
    const version = this.keys.get(key)?.find(({ id }) => id === asked.get('versionId'));
    if (version !== undefined) version.retainUntil = /<RetainUntilDate>(.*?)</.exec(String(body))?.[1];
    return reply('', version === undefined ? 404 : 200);
  }
}

function reply(body: string | Buffer, status = 200, headers: Reply['headers'] = {}): Reply {
  return { body, status, headers };
}
