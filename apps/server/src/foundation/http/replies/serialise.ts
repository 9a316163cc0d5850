import fastJson from 'fast-json-stringify';
import * as z from 'zod/mini';

type Serialise = (reply: unknown) => string;

/** Compiling takes longer than all else that a call needs at the start, and many calls have the same reply. */
const compiled = new WeakMap<z.ZodMiniType, Serialise>();

/**
 * The function that writes a call's reply, compiled once from the same schema that types it: only declared fields leave,
 * whatever the handler returned.
 */
export function serialiserOf(reply: z.ZodMiniType): Serialise {
  const serialise = compiled.get(reply) ?? compile(reply);
  compiled.set(reply, serialise);
  return serialise;
}

function compile(reply: z.ZodMiniType): Serialise {
  const schema = z.toJSONSchema(reply, { target: 'draft-7', io: 'output', unrepresentable: 'any' });
  return fastJson(withoutChecks(schema) as Parameters<typeof fastJson>[0]);
}

/** Patterns and bounds are for what comes in; on the way out they would only cost time. */
function withoutChecks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutChecks);
  if (typeof value !== 'object' || value === null) return value;
  const remaining = Object.entries(value).filter(([key]) => !DROPPED.has(key) || isPropertyMap(value));
  return Object.fromEntries(remaining.map(([key, inner]) => [key, withoutChecks(inner)]));
}

const DROPPED = new Set([
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  '$schema',
  'maxItems',
  'minItems',
]);

/** An object of properties may have one that is called `pattern`. */
function isPropertyMap(value: object): boolean {
  return !('type' in value || 'anyOf' in value || 'enum' in value || 'const' in value);
}
