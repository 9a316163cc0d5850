import type * as z from 'zod/mini';
import { isObject, valueAt } from './field-name.ts';

/** What the contract says about one field of a body. */
export interface FieldLimits {
  isRequired: boolean;
  isNumber: boolean;
  /** Of a text, in characters; of a number, its bounds. */
  min: number | undefined;
  max: number | undefined;
}

type Schema = z.core.$ZodType;

/** Returns the limits of the field with this name: `name`, `settings.url`. */
export function limitsOf(body: Schema, name: string): FieldLimits {
  const field = name.split('.').reduce<Schema | undefined>(memberOf, body);
  if (field === undefined) return { isRequired: false, isNumber: false, min: undefined, max: undefined };
  const inner = unwrapped(field);
  const bounds = boundsOf(inner);
  const isBlankRefused = inner._zod.def.type !== 'string' || bounds.min !== undefined || hasPattern(inner);
  return { isRequired: field._zod.optin !== 'optional' && isBlankRefused, isNumber: isNumber(inner), ...bounds };
}

/**
 * Returns the body for what was typed: texts without spaces around them, secrets exactly as typed, numbers as numbers,
 * and without optional fields that were left empty.
 */
export function bodyOf(body: Schema, values: object, secrets: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const field = memberOf(body, name);
    const typed = typeof value === 'string' && !secrets.includes(name) ? value.trim() : value;
    const isEmpty = typed === '' || typed === null;
    if (isEmpty && field?._zod.optin === 'optional') return [];
    if (typed === '' && field !== undefined && !isText(unwrapped(field))) return [[name, null]];
    if (isObject(typed)) return [[name, trimmed(typed, name, secrets)]];
    return [[name, field !== undefined && isNumber(unwrapped(field)) ? numberOf(typed) : typed]];
  });
  return Object.fromEntries(entries);
}

/** Returns what is wrong with a body, by field; the first problem of each. */
export function problemsOf(body: z.ZodMiniType, given: unknown): Record<string, string> {
  const read = body.safeParse(given);
  const issues = read.success ? [] : read.error.issues.toReversed();
  return Object.fromEntries(issues.map((issue) => [issue.path.join('.'), textOf(issue, body, given)]));
}

/** `Enter 1 to 1440 minutes.` */
export function rangeText({ min, max }: Pick<FieldLimits, 'min' | 'max'>, unit = ''): string {
  const words = unit === '' ? '' : ` ${unit}`;
  if (min === undefined && max === undefined) return 'Enter a number.';
  if (max === undefined) return `Enter at least ${min}${words}.`;
  return min === undefined ? `Enter at most ${max}${words}.` : `Enter ${min} to ${max}${words}.`;
}

/** What the schema library says where the contract says nothing. */
const WITHOUT_WORDS = 'Invalid input';

function textOf(issue: z.core.$ZodIssue, body: Schema, given: unknown): string {
  const name = issue.path.join('.');
  // What the contract says in words of its own is more than that something is missing.
  if (valueAt(given, name) === '' && issue.code !== 'custom') return 'Required';
  const limits = limitsOf(body, name);
  if (limits.isNumber) return rangeText(limits);
  if (issue.code === 'invalid_type') return 'Required';
  if (issue.code === 'too_small' && issue.origin === 'string') return `Enter at least ${issue.minimum} characters.`;
  if (issue.code === 'too_big' && issue.origin === 'string') return `Enter at most ${issue.maximum} characters.`;
  return issue.message === WITHOUT_WORDS ? 'Not valid' : issue.message;
}

function numberOf(typed: unknown): unknown {
  return typeof typed === 'string' ? Number(typed) : typed;
}

function trimmed(values: Record<string, unknown>, within: string, secrets: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'string' && !secrets.includes(`${within}.${key}`) ? value.trim() : value,
    ]),
  );
}

function memberOf(schema: Schema | undefined, name: string): Schema | undefined {
  const { def } = unwrapped(schema)?._zod ?? {};
  if (def?.type === 'object') return def.shape[name];
  return def?.type === 'record' ? def.valueType : undefined;
}

/** Without what makes it optional, and before it is transformed. */
function unwrapped(schema: Schema): z.core.$ZodTypes;
function unwrapped(schema: Schema | undefined): z.core.$ZodTypes | undefined;
function unwrapped(schema: Schema | undefined): z.core.$ZodTypes | undefined {
  // Every schema is one of these; `def.type` says which.
  const known = schema as z.core.$ZodTypes | undefined;
  const def = known?._zod.def;
  if (def?.type === 'optional' || def?.type === 'default' || def?.type === 'nullable') return unwrapped(def.innerType);
  return def?.type === 'pipe' ? unwrapped(def.in) : known;
}

function isText({ _zod: { def } }: z.core.$ZodTypes): boolean {
  return def.type === 'string';
}

function isNumber({ _zod: { def } }: z.core.$ZodTypes): boolean {
  return def.type === 'number';
}

function checksOf({ _zod: { def } }: z.core.$ZodTypes): z.core.$ZodChecks['_zod']['def'][] {
  // Every check is one of these; `check` says which.
  return (def.checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def);
}

function boundsOf(schema: z.core.$ZodTypes): Pick<FieldLimits, 'min' | 'max'> {
  let min: number | undefined;
  let max: number | undefined;
  for (const check of checksOf(schema)) {
    if (check.check === 'min_length') min = check.minimum;
    if (check.check === 'max_length') max = check.maximum;
    if (check.check === 'greater_than') min = Number(check.value);
    if (check.check === 'less_than') max = Number(check.value);
  }
  return { min, max };
}

/** A pattern that an empty text does not fit: an id, an address. */
function hasPattern(schema: z.core.$ZodTypes): boolean {
  return checksOf(schema).some(
    (check) => check.check === 'string_format' && 'pattern' in check && check.pattern?.test('') === false,
  );
}
