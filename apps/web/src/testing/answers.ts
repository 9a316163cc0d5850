import { type Call, type CallInput, type CallReply, isFile } from '@keepwatch/contract/wire/call';
import type { ErrorReply } from '@keepwatch/contract/wire/error';
import { decodeQuery } from '@keepwatch/contract/wire/query';
import * as z from 'zod/mini';
import { createEventSource } from './event-source.ts';

/** What a call was given, parsed by the contract as the server would. */
type Asked = Record<Part, unknown>;
type Part = (typeof PARTS)[number];
const PARTS = ['params', 'query', 'body'] as const;

type Answer = (asked: unknown) => Response | Promise<Response>;

type Handler<C extends Call> = (given: CallInput<C>) => CallReply<C> | Promise<CallReply<C>>;

/** The server of a test: a handler a call. A call without one fails the test, as does one that the contract refuses. */
export interface Answers {
  fetch: typeof fetch;
  /** Sets what the call answers from now on: always the same, or what a handler makes of what it is given, parsed. */
  on<C extends Call>(call: C, reply: CallReply<NoInfer<C>> | Handler<NoInfer<C>>): Answers;
  /** The call is refused, or fails, with this status. */
  refuse(call: Call, status: number, reply: Omit<ErrorReply, 'success'>): Answers;
  /** Every request for the call so far, oldest first. */
  asked<C extends Call>(call: C): CallInput<C>[];
  /** Whether the test has set up the call. */
  has(call: Call): boolean;
  /** Sends a live event to the page: `executions.changed`. */
  emit(event: string): void;
  /** Calls that the test did not set up. */
  readonly unexpected: readonly string[];
}

interface Expected {
  call: Call;
  answer: Answer;
}

export function createAnswers(): Answers {
  const expected = new Map<Call, Expected>();
  const log: { call: Call; asked: unknown }[] = [];
  const unexpected: string[] = [];
  const events = createEventSource();
  const answers: Answers = {
    unexpected,
    emit: events.emit,
    async fetch(input, init) {
      const address = new URL(String(input), 'http://portal.test');
      const method = init?.method ?? 'GET';
      if (address.pathname === '/api/events') return events.connect(init?.signal ?? null);
      const found = findCall([...expected.values()], method, address.pathname);
      if (found === null) {
        unexpected.push(`${method} ${address.pathname}`);
        return json(501, { success: false, code: 'NOT_SET_UP', message: `The test set up no answer for ${address}.` });
      }
      const asked = parse(found.call, { params: found.params, query: queryOf(address), body: bodyOf(init) });
      if (typeof asked === 'string') {
        unexpected.push(`${method} ${address.pathname}: ${asked}`);
        return json(422, { success: false, code: 'INVALID_INPUT', message: asked });
      }
      log.push({ call: found.call, asked });
      return orAborted(found.answer(asked), init?.signal ?? null);
    },
    on(call, reply) {
      const answer: Answer = async (asked) => {
        // What was asked has just been parsed with the call's own schemas.
        const given = isHandler(reply) ? await reply(asked as CallInput<typeof call>) : reply;
        return isFile(call.reply) ? new Response(given instanceof Blob ? given : String(given)) : json(200, given);
      };
      expected.set(call, { call, answer });
      return answers;
    },
    refuse(call, status, reply) {
      expected.set(call, { call, answer: () => json(status, { success: false, ...reply }) });
      return answers;
    },
    asked: <C extends Call>(call: C) =>
      log.filter((entry) => entry.call === call).map(({ asked }) => asked as CallInput<C>),
    has: (call) => expected.has(call),
  };
  return answers;
}

/** A request that is cancelled while it waits for its answer fails, as it does in a browser. */
function orAborted(answer: Response | Promise<Response>, signal: AbortSignal | null): Promise<Response> {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([answer, aborted]);
}

function isHandler<C extends Call>(reply: CallReply<C> | Handler<C>): reply is Handler<C> {
  return typeof reply === 'function';
}

function findCall(expected: readonly Expected[], method: string, path: string) {
  // A path without parameters goes before one that has them, as on the server.
  for (const { call, answer } of expected.toSorted(
    (one, other) => Number('params' in one.call) - Number('params' in other.call),
  )) {
    if (call.method !== method) continue;
    const pattern = `/api${call.path}`.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(path);
    if (match !== null) return { call, answer, params: { ...match.groups } };
  }
  return null;
}

function queryOf(address: URL): unknown {
  // Bare objects become ordinary ones, so that tests can compare them.
  return JSON.parse(JSON.stringify(decodeQuery(address.search.slice(1))));
}

function bodyOf(init: RequestInit | undefined): unknown {
  return typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
}

/** What was asked, parsed; or what the contract has against it. */
function parse(call: Call, asked: Asked): Asked | string {
  const accepted: Asked = { params: undefined, query: undefined, body: undefined };
  for (const part of PARTS) {
    const schema = call[part];
    if (schema === undefined) continue;
    const parsed = z.safeParse(schema, asked[part]);
    if (!parsed.success) return `${part}: ${z.prettifyError(parsed.error)}`;
    accepted[part] = parsed.data;
  }
  return accepted;
}

function json(status: number, reply: unknown): Response {
  return new Response(JSON.stringify(reply), { status, headers: { 'content-type': 'application/json' } });
}
