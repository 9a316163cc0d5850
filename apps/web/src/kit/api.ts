import type { Call, CallReply, CallRequest, FileReply } from '@keepwatch/contract/wire/call';
import { CallFailed, type Endpoint, failureOf, request, send, type Transport } from '@keepwatch/contract/wire/client';
import { type DownloadOptions, download } from '@keepwatch/contract/wire/download';

/** The server as screens see it. All calls of the contract go through it. */
export interface Api {
  /** Makes the call. Throws `CallFailed`; its message is for the person. */
  request<C extends Call>(call: C | Endpoint<C>, input: CallRequest<C>, signal?: AbortSignal): Promise<CallReply<C>>;
  /** Makes a call that answers a file and gives its bytes as they come; see `download` of the contract. */
  download<C extends Call & { reply: FileReply<'text/csv'> }>(
    call: C,
    input: CallRequest<C>,
    options?: DownloadOptions,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Makes a call that answers a file, and gives the response; with more headers, such as a range. */
  open<C extends Call & { reply: FileReply }>(
    call: C,
    input: CallRequest<C>,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response>;
}

/**
 * The calls over `transport`. `onExpired` runs when a call is refused because the session has ended
 * (specification "portal", part 4: status 401 whose message contains "expired", while signed in).
 */
export function createApi(transport: Transport, onExpired: () => void): Api {
  const watch = async <T>(make: () => Promise<T>): Promise<T> => {
    const token = transport.token();
    try {
      return await make();
    } catch (error) {
      // A late refusal of an earlier session must not end the one that has begun since.
      if (isExpired(error) && token !== null && token === transport.token()) onExpired();
      throw error;
    }
  };
  return {
    request: (call, input, signal) => watch(() => request(transport, call, input, signal)),
    download: (call, input, options) => watch(() => download(transport, call, input, options)),
    open: (call, input, headers, signal) =>
      watch(async () => {
        const response = await send(transport, call, input, signal, headers);
        if (!response.ok) throw await failureOf(response, call);
        return response;
      }),
  };
}

function isExpired(error: unknown): boolean {
  return error instanceof CallFailed && error.status === 401 && /expired/i.test(error.message);
}

/** What a list without the one entry that was asked for means: there is none, or not for this user. */
export function notFound(noun: string): CallFailed {
  const message = `The ${noun} was not found. It may have been removed.`;
  return new CallFailed(404, { success: false, code: 'NOT_FOUND', message });
}

/** That the browser made or proved no passkey, as a failure that says so. */
export function passkeyNotUsed(message: string, cause: unknown): CallFailed {
  return new CallFailed(0, { success: false, code: 'PASSKEY_NOT_USED', message }, cause);
}

/** Returns the message that explains a failure to the user. */
export function messageOf(error: unknown): string {
  if (error instanceof CallFailed) return error.message;
  return 'Something went wrong in the portal itself. Reload the page; if it happens again, contact your support.';
}
