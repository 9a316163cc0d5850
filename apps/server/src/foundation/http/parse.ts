import type { Call } from '@keepwatch/contract/wire/call';
import { decodeQuery, MalformedQuery } from '@keepwatch/contract/wire/query';
import { locales } from 'zod';
import * as z from 'zod/mini';
import { FAULTS_MAX, type FieldError, invalid } from '../errors.ts';

z.config({
  ...locales.en(),
  customError: ({ code, input }) => (code === 'invalid_type' && input === undefined ? 'is missing' : undefined),
});

/** What arrived, before it is checked. */
export interface RawInput {
  params: unknown;
  queryText: string;
  body: unknown;
}

/** Checks what arrived against the call's schemas. Throws the 422 that names every field that is wrong. */
export function parseInput(call: Call, raw: RawInput): { params: unknown; query: unknown; body: unknown } {
  const errors: FieldError[] = [];
  const params = parsePart(call.params, raw.params, 'path', errors);
  const query = parsePart(call.query ?? NOTHING, queryOf(raw.queryText), 'query', errors);
  const takesBody = call.textBodyBytesMax === undefined && call.rawBody === undefined;
  const body = takesBody ? parsePart(call.body ?? NO_BODY, raw.body ?? undefined, 'body', errors) : undefined;
  if (errors.length > 0) throw invalid(errors);
  return { params, query, body };
}

const NOTHING = z.strictObject({});
const NO_BODY = z.optional(z.strictObject({}));

function queryOf(text: string): unknown {
  try {
    return decodeQuery(text);
  } catch (error) {
    if (error instanceof MalformedQuery) throw invalid([{ path: 'query', message: error.message }]);
    throw error;
  }
}

function parsePart(schema: z.ZodMiniType | undefined, value: unknown, part: string, errors: FieldError[]): unknown {
  if (schema === undefined) return undefined;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  for (const issue of read.error.issues.slice(0, FAULTS_MAX)) {
    const { path, message } = nearestOf(issue);
    errors.push({ path: [part, ...path.map(String)].join('.'), message });
  }
  return undefined;
}

/** Of something that may be one thing or another, what is wrong with what comes nearest: one value of many, or the single one. */
function nearestOf(issue: z.core.$ZodIssue): Pick<z.core.$ZodIssue, 'path' | 'message'> {
  if (issue.code !== 'invalid_union' || issue.message !== INVALID_UNION) return issue;
  const depthOf = (issues: readonly z.core.$ZodIssue[]) => issues[0]?.path.length ?? 0;
  const [nearest] = issue.errors.toReversed().toSorted((one, other) => depthOf(other) - depthOf(one))[0] ?? [];
  if (nearest === undefined) return issue;
  const { path, message } = nearestOf(nearest);
  return { path: [...issue.path, ...path], message };
}

/** What the library says where the schema has no text of its own. */
const INVALID_UNION = 'Invalid input';
