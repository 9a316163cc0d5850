import { Readable } from 'node:stream';
import type { FileReply } from '@keepwatch/contract/wire/call';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import { type ByteRange, requestedRange } from './byte-range.ts';

/** A file as a handler answers it: streamed, never whole in memory. */
export interface StreamedFile {
  name: string;
  stream: Readable;
  /** In bytes, where it is known before the end. */
  length?: number;
  /** Its address has these bytes for ever, and everybody may have them: browsers and proxies keep it, and need not ask again. */
  isLasting?: boolean;
}

/** A file of which a client may ask for a part. `open` gives its bytes, all of them or those of a range, both ends included. */
export interface RangedFile {
  name: string;
  length: number;
  /** Other bytes have another tag: a client continues a download only of the same file. */
  etag: string;
  open(range: ByteRange | null): Readable | Promise<Readable>;
}

/** What the handler of a call that answers a file returns. */
export type FileAnswer<F extends FileReply> = (F['ranges'] extends true ? RangedFile : StreamedFile) &
  TypeOf<F['types'][number]>;

/** Which type it has, where the declaration leaves a choice. */
type TypeOf<T extends string, All = T> = [T extends unknown ? ([All] extends [T] ? true : false) : never] extends [true]
  ? unknown
  : { type: T };

/** The part of a file that is about to be sent. */
export interface OpenedFile {
  name: string;
  type: string;
  stream: Readable;
  length: number | undefined;
  /** Of a file of which parts may be asked. */
  part: { etag: string; range: ByteRange | null; total: number } | null;
  isLasting: boolean;
}

/** Of a file that a browser opens by its address: nothing in it is loaded or run, and no page shows it in a frame. */
const LASTING_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
};

/** Opens what was asked of a file. Throws 416 for a range beyond its end. */
export async function openFile(
  { types }: FileReply,
  answer: (StreamedFile | RangedFile) & { type?: string },
  { headers, method }: Pick<FastifyRequest, 'headers' | 'method'>,
): Promise<OpenedFile> {
  const { name, type = types[0] ?? 'application/octet-stream', length } = answer;
  if ('stream' in answer) {
    const { stream, isLasting = false } = answer;
    return { name, type, length, stream, part: null, isLasting };
  }
  const { etag, length: total } = answer;
  const range = requestedRange(headers, { total, etag: quoted(etag) });
  if (range === 'none of it') throw new RangeRefusal(total);
  // A HEAD asks for the headers alone.
  const stream = method === 'HEAD' ? Readable.from([]) : await answer.open(range);
  const size = range === null ? total : range.end - range.start + 1;
  return { name, type, length: size, stream, part: { etag: quoted(etag), range, total }, isLasting: false };
}

/** The 416, which says how long the file is. */
export class RangeRefusal extends Refusal {
  readonly contentRange: string;

  constructor(total: number) {
    super(416, 'RANGE_NOT_SATISFIABLE', `The file has ${total} bytes; the requested range is past its end.`);
    this.contentRange = `bytes */${total}`;
  }
}

export function sendFile(reply: FastifyReply, file: OpenedFile): FastifyReply {
  const { name, type, length, stream, part, isLasting } = file;
  reply.type(type.startsWith('text/') ? `${type}; charset=utf-8` : type);
  reply.header('content-disposition', attachmentOf(name));
  if (isLasting) reply.headers(LASTING_HEADERS);
  if (length !== undefined) reply.header('content-length', length);
  if (part !== null) reply.headers({ 'accept-ranges': 'bytes', etag: part.etag });
  if (part !== null && part.range !== null)
    reply.code(206).header('content-range', `bytes ${part.range.start}-${part.range.end}/${part.total}`);
  return reply.send(stream);
}

/** RFC 6266: a name that every client can read, and for other names the true one beside it, written as RFC 8187 has it. */
export function attachmentOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escaped);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function quoted(etag: string): string {
  return `"${etag.replace(/[^\x21\x23-\x7e]/g, '_')}"`;
}
