import { CallFailed, cutShort } from './client.ts';

export interface WholeFileOptions {
  sizeBytes: number;
  signal?: AbortSignal | undefined;
  /** Called with how many bytes have come so far. */
  onProgress?: (bytes: number) => void;
  /** Before an attempt to go on; for tests. */
  pause?: (ms: number) => Promise<void>;
}

/** Sends the request of a file with these headers. @throws CallFailed for a refusal */
export type OpenFile = (headers: Record<string, string>) => Promise<Response>;

/** Breaks without a byte between them, after which the file is given up: half a minute. */
const BREAKS_MAX = 5;
const FIRST_PAUSE_MS = 1_000;

/**
 * A file of known size as its bytes come. After a break it goes on where it was, by a range (RFC 9110, section 14), as long as the server still has
 * the same file by its ETag. The stream fails with what the server refuses, with `CallFailed` (code `CUT_SHORT`) where the file does not arrive whole, and
 * with the signal's own reason.
 */
export function wholeFile(open: OpenFile, options: WholeFileOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { sizeBytes, signal, onProgress, pause = wait } = options;
  const place: Place = { bytes: 0, tag: null, reader: null };
  let breaks = 0;
  const next = async () => {
    for (;;) {
      try {
        const value = await read(open, place);
        breaks = 0;
        if (value !== null) return value;
        if (place.bytes === sizeBytes) return null;
        throw cutShort();
      } catch (cause) {
        signal?.throwIfAborted();
        if (cause instanceof CallFailed && cause.status !== 0) throw cause;
        place.reader = null;
        breaks += 1;
        if (breaks > BREAKS_MAX) throw cutShort(cause);
        await pause(FIRST_PAUSE_MS * 2 ** (breaks - 1));
      }
    }
  };
  return new ReadableStream({
    async pull(controller) {
      const value = await next();
      if (value === null) return controller.close();
      onProgress?.(place.bytes);
      controller.enqueue(value);
    },
    cancel: (reason) => place.reader?.cancel(reason),
  });
}

interface Place {
  bytes: number;
  tag: string | null;
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null;
}

/** @returns the next bytes, or `null` at the end of a reply */
async function read(open: OpenFile, place: Place): Promise<Uint8Array<ArrayBuffer> | null> {
  place.reader ??= await opened(open, place);
  const { done, value } = await place.reader.read();
  if (done) return null;
  place.bytes += value.length;
  return value;
}

async function opened(open: OpenFile, place: Place) {
  const response = await open(place.bytes === 0 ? {} : { range: `bytes=${place.bytes}-` });
  const tag = response.headers.get('etag');
  const isSame = place.bytes === 0 || (response.status === 206 && tag === place.tag);
  if (!isSame) throw changed();
  place.tag = tag;
  if (response.body === null) throw cutShort();
  return response.body.getReader();
}

function changed(): CallFailed {
  const message = 'The file has changed since it began to arrive, so it was not saved. Begin again.';
  return new CallFailed(409, { success: false, code: 'CUT_SHORT', message });
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
