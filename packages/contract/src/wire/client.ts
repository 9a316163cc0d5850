import { type Call, type CallReply, type CallRequest, isFile } from './call.ts';
import type { ErrorReply } from './error.ts';
import { encodeQuery, type QueryObject } from './query.ts';
import type { RefusalCode } from './refusal-codes.ts';

/** A refusal or failure that the server answered, or a server that did not answer (`status` 0, code `NO_CONNECTION`). */
export class CallFailed extends Error {
  readonly status: number;
  /** A newer server may have others. */
  readonly code: RefusalCode;
  readonly errors: readonly { path: string; message: string }[];
  readonly requestId: string | null;

  constructor(status: number, reply: ErrorReply, cause?: unknown) {
    super(reply.message, { cause });
    this.name = 'CallFailed';
    this.status = status;
    this.code = reply.code;
    this.errors = reply.errors ?? [];
    this.requestId = reply.requestId ?? null;
  }
}

/** How requests travel: `fetch`, with an address in front and a token behind. */
export interface Transport {
  fetch: typeof fetch;
  /** `http://127.0.0.1:8080` or empty for the page's own origin. */
  origin: string;
  token(): string | null;
}

/**
 * Where a call is made. A page that is there before everything else names it itself and does without the declaration, whose schemas are
 * a tenth of its code; the type limits it to what is declared.
 */
export type Endpoint<C extends Call = Call> = Pick<C, 'method' | 'path' | 'failure'> & { reply?: C['reply'] };

interface Parts {
  params?: Record<string, unknown>;
  query?: QueryObject;
  body?: unknown;
  /** Instead of a body, for a call that accepts a text. */
  text?: string;
}

/** Makes a call as declared. Throws `CallFailed` for everything but a reply with status 2xx. */
export async function request<C extends Call>(
  transport: Transport,
  call: C | Endpoint<C>,
  input: CallRequest<C>,
  signal?: AbortSignal,
): Promise<CallReply<C>> {
  const response = await send(transport, call, input, signal);
  if (!response.ok) throw await failureOf(response, call);
  return (await read(response, call)) as CallReply<C>;
}

/** A JSON reply was serialised from the same schema; parsing it a second time would only cost the reader. */
function read(response: Response, { reply }: Endpoint): Promise<unknown> {
  if (reply === 'empty' || reply === 'redirect') return Promise.resolve(undefined);
  if (reply === undefined || !isFile(reply)) return response.json();
  return reply.types.every((type) => type.startsWith('text/')) ? response.text() : response.blob();
}

/** As `request`, but gives the response itself, whatever its status. @param given more headers */
export async function send<C extends Call>(
  transport: Transport,
  call: C | Endpoint<C>,
  input: CallRequest<C>,
  signal?: AbortSignal,
  given: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const parts = input as Parts;
  const headers: Record<string, string> = { ...given };
  const token = transport.token();
  if (token !== null) headers['authorization'] = `Bearer ${token}`;
  if (parts.body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await transport.fetch(transport.origin + addressOf(call, parts), {
      method: call.method,
      headers,
      ...(parts.body === undefined && parts.text === undefined
        ? {}
        : { body: parts.text ?? JSON.stringify(parts.body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new CallFailed(
      0,
      {
        success: false,
        code: 'NO_CONNECTION',
        message: 'The portal could not be reached. Check your connection and try again.',
      },
      cause,
    );
  }
}

/** The address of a call below the origin. */
export function addressOf(call: Endpoint, parts: Parts): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parts.params?.[name] ?? '')),
  );
  const query = parts.query === undefined ? '' : encodeQuery(parts.query);
  return `/api${path}${query === '' ? '' : `?${query}`}`;
}

/** What a refusal says, or the call's own words where it says nothing that can be read. */
export async function failureOf(response: Response, call: Endpoint): Promise<CallFailed> {
  const reply: unknown = await response.json().catch(() => null);
  if (isErrorReply(reply)) return new CallFailed(response.status, reply);
  return new CallFailed(response.status, { success: false, code: 'UNREADABLE_REPLY', message: call.failure });
}

/** That a file did not arrive whole. */
export function cutShort(cause?: unknown): CallFailed {
  const message = 'The file broke off before all of it had arrived, so it was not saved. Try again.';
  return new CallFailed(0, { success: false, code: 'CUT_SHORT', message }, cause);
}

function isErrorReply(reply: unknown): reply is ErrorReply {
  return typeof reply === 'object' && reply !== null && 'code' in reply && 'message' in reply;
}
