import type { Call, CallRequest, FileReply } from './call.ts';
import { cutShort, failureOf, send, type Transport } from './client.ts';
import { createCsvRecords } from './csv-records.ts';

/** What has come of a download so far. */
export interface DownloadProgress {
  bytes: number;
  /** Whole lines of the table, without its heading. */
  rows: number;
}

export interface DownloadOptions {
  signal?: AbortSignal;
  onProgress?: (progress: DownloadProgress) => void;
}

/**
 * Makes a call that answers CSV and gives its bytes as they come. It buffers only the piece that is being read.
 * Throws `CallFailed` where the server refuses. The stream fails with `CallFailed` (status 0, code `CUT_SHORT`) where the
 * file does not arrive whole, so that a part is never stored as the whole file. Two things must be right:
 * - The transfer ends as announced. The server breaks the connection off where its query fails midway, and both HTTP/1.1
 *   (last chunk) and HTTP/2 (end of stream) let the browser distinguish that from an end.
 * - The text ends with the end of a line, outside quotes. That catches what comes through a proxy that closes a broken
 *   transfer as if it were a finished one, except where it broke exactly between two lines: `rows` is there to be shown.
 * A cancelled `signal` fails it with the signal's own reason.
 */
export async function download<C extends Call & { reply: FileReply<'text/csv'> }>(
  transport: Transport,
  call: C,
  input: CallRequest<C>,
  { signal, onProgress }: DownloadOptions = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await send(transport, call, input, signal);
  if (!response.ok) throw await failureOf(response, call);
  if (response.body === null) throw cutShort();
  return wholeOrFailed(response.body.getReader(), signal, onProgress);
}

function wholeOrFailed(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal | undefined,
  onProgress: DownloadOptions['onProgress'],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const records = createCsvRecords();
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw signal?.aborted ? cause : cutShort(cause);
      });
      if (done) {
        if (!records.isAtEnd()) throw cutShort();
        return controller.close();
      }
      records.push(value);
      bytes += value.length;
      onProgress?.({ bytes, rows: Math.max(0, records.count() - 1) });
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
