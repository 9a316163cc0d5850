import { cutText } from './cut-text.ts';

/** Longest text in a line of the log; the stack of an error has more, as it is what a fault is found by. */
const TEXT_LENGTH_MAX = 500;
const STACK_LENGTH_MAX = 4_000;
const KEY_LENGTH_MAX = 60;
/** Fields of an object and values of a list that are logged, and how deep. */
const FIELDS_MAX = 20;
const VALUES_MAX = 10;
const DEPTH_MAX = 4;

export function boundedText(text: string): string {
  return cutText(text, TEXT_LENGTH_MAX);
}

/** The fields of a line with every text cut, and only the first of many. Errors become what is known of them. */
export function boundedFields(fields: object): Record<string, unknown> {
  return boundedObject(fields, 0);
}

function boundedObject(fields: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(fields).slice(0, FIELDS_MAX);
  return Object.fromEntries(entries.map(([key, value]) => [cutText(key, KEY_LENGTH_MAX), bounded(value, depth)]));
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return boundedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '…';
  if (value instanceof Error) return boundedError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (Array.isArray(value)) return value.slice(0, VALUES_MAX).map((one) => bounded(one, depth + 1));
  return boundedObject(value, depth + 1);
}

/** What an error says, its causes included: PostgreSQL's errors repeat the values that they are about in fields of their own. */
function boundedError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  return {
    type: cutText(name, KEY_LENGTH_MAX),
    message: boundedText(message),
    // The stack begins with the message, which is said already.
    stack: cutText(framesOf(stack ?? ''), STACK_LENGTH_MAX),
    ...boundedObject(error, depth + 1),
    ...(cause === undefined ? {} : { cause: bounded(cause, depth + 1) }),
  };
}

function framesOf(stack: string): string {
  const first = stack.search(/\n {4}at /);
  return first === -1 ? '' : stack.slice(first + 1);
}
