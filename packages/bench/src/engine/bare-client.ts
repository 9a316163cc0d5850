import { Readable } from 'node:stream';
import { heldText } from '@keepwatch/engine/source/graph/requests/held-text';
import {
  type HttpReply,
  type HttpRequest,
  openTransport,
  type Send,
} from '@keepwatch/engine/source/graph/requests/transport';
import { workloadOf } from '@keepwatch/engine/source/graph/requests/workload';

/** A request of the engine, to be sent again. */
export interface RecordedRequest {
  request: HttpRequest;
  /** The status of its reply. */
  status: number;
}

interface BatchPart {
  url: string;
  dependsOn?: string[];
}

/** As many as the vendor serves of one mailbox at a time. */
const MAILBOX_REQUESTS_AT_ONCE = 4;

/** Remembers what is asked of Graph, in its order; what is asked of the identity platform is none of it. */
export class RequestRecord {
  readonly requests: RecordedRequest[] = [];
  /** Whose mailboxes are those that have ids of their own for the export. */
  private readonly owners = new Map<string, string>();
  private readonly transport = openTransport();

  readonly send: Send = async (request) => {
    const { url } = request;
    const reply = await this.transport(request);
    if (isOfIdentity(request)) return reply;
    this.requests.push({ request, status: reply.status });
    return url.endsWith('/settings/exchange') ? this.learn(url, reply) : reply;
  };

  /**
   * The mailbox that a request counts for, or the workload of what concerns none, and how many of its requests are under way by it: a batch is of one
   * mailbox, and those of its parts that depend on nothing run beside each other.
   */
  costOf({ request: { url, body } }: RecordedRequest): { budget: string; places: number } {
    const parts: BatchPart[] = url.endsWith('/$batch') ? JSON.parse(String(body)).requests : [{ url: pathOf(url) }];
    const { key, kind } = workloadOf(String(parts[0]?.url));
    const sideBySide = parts.filter(({ dependsOn }) => dependsOn === undefined).length;
    const places = kind === 'mailbox' ? Math.min(sideBySide, MAILBOX_REQUESTS_AT_ONCE) : 1;
    return { budget: this.owners.get(key) ?? key, places };
  }

  /** @returns the reply, to be read once more */
  private async learn(url: string, reply: HttpReply): Promise<HttpReply> {
    const text = await heldText(reply);
    const { primaryMailboxId } = JSON.parse(text);
    const exported = workloadOf(`/admin/exchange/mailboxes/${encodeURIComponent(primaryMailboxId)}/exportItems`);
    this.owners.set(exported.key, workloadOf(pathOf(url)).key);
    return { ...reply, body: Readable.from([Buffer.from(text)]) };
  }
}

/** Whether it is asked of the identity platform, and not of Graph. */
export const isOfIdentity = ({ url }: HttpRequest) => url.includes('/oauth2/');

const pathOf = (url: string) => url.slice(url.indexOf('/v1.0') + '/v1.0'.length);

/**
 * Sends all that was recorded once more, as fast as can be within the same limits (so many at a time of one mailbox, and in all), reads
 * every reply to its last byte and throws it away. Nothing waits for an answer to know the next question.
 * @throws Error for a reply of another status than the engine got
 */
export async function sendAgain(record: RequestRecord, atOnce: number): Promise<void> {
  const send = openTransport();
  const waiting = record.requests.map((recorded) => ({ recorded, ...record.costOf(recorded) }));
  const under = new Map<string, number>();
  const sending = new Set<Promise<void>>();
  while (waiting.length > 0 || sending.size > 0) {
    const isFree = ({ budget, places }: { budget: string; places: number }) =>
      (under.get(budget) ?? 0) + places <= MAILBOX_REQUESTS_AT_ONCE;
    const at = waiting.findIndex(isFree);
    const next = sending.size < atOnce ? waiting[at] : undefined;
    if (next === undefined) {
      await Promise.race(sending);
      continue;
    }
    waiting.splice(at, 1);
    const { recorded, budget, places } = next;
    under.set(budget, (under.get(budget) ?? 0) + places);
    const one = readReply(send, recorded).finally(() => {
      under.set(budget, (under.get(budget) ?? 0) - places);
      sending.delete(one);
    });
    sending.add(one);
  }
}

async function readReply(send: Send, { request, status }: RecordedRequest): Promise<void> {
  // The engine's time limits and its way of stopping are its own.
  const reply = await send({ ...request, signal: new AbortController().signal });
  for await (const chunk of reply.body) void chunk;
  if (reply.status !== status)
    throw new Error(`${request.url}: the engine got ${status}, the bare client ${reply.status}.`);
}
