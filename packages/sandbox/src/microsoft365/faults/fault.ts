import { isObject, type JsonObject } from '../wire/json.ts';

/** What can be made to go wrong. */
export const faultKinds = [
  'throttle',
  'server-error',
  'expired-token',
  'sync-state-gone',
  'vanished',
  'corrupt',
  'cut',
  'slow',
  'hang',
  'garbage',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** A rule of what is to go wrong where, and how often. */
export interface TenantFault {
  /** Path below `/v1.0` without its query, or the whole path elsewhere; `*` matches any characters. Default: every path. */
  path?: string;
  /** Default: every method. */
  method?: string;
  kind: FaultKind;
  /** How many requests are hit; without it as many as come. */
  times?: number;
  /** Share of the matching requests that are hit, 0 to 1; the default is 1. */
  probability?: number;
  /** Settings of the kind, such as `retryAfterSeconds`; the README lists them. */
  parameters?: Readonly<Record<string, string | number>>;
}

/** A rule that cannot be obeyed. */
export class TenantFaultError extends Error {}

/**
 * Reads rules from outside: one, or a list.
 * @throws TenantFaultError that says which entry is wrong, and what would be right
 */
export function readFaults(input: unknown): TenantFault[] {
  return (Array.isArray(input) ? input : [input]).map((entry: unknown, index) =>
    readFault(entry, `Fault ${index + 1}`),
  );
}

/**
 * Reads the header x-sandbox-fault: a kind and its parameters, as in `throttle; retryAfterSeconds=2`.
 * @throws TenantFaultError
 */
export function readFaultHeader(header: string): TenantFault {
  const [kind, ...pairs] = header.split(';').map((part) => part.trim());
  const parameters = Object.fromEntries(
    pairs.filter(Boolean).map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name.trim(), value.trim()];
    }),
  );
  return readFault({ kind, parameters }, 'The header x-sandbox-fault');
}

/** A parameter as a number, or the kind's own value when it was not given. */
export function numberParameter(fault: TenantFault, name: string, standard: number): number {
  const value = Number(fault.parameters?.[name] ?? standard);
  return Number.isFinite(value) ? value : standard;
}

export function textParameter(fault: TenantFault, name: string, standard: string): string {
  return String(fault.parameters?.[name] ?? standard);
}

const fields = ['path', 'method', 'kind', 'times', 'probability', 'parameters'];

function readFault(entry: unknown, what: string): TenantFault {
  if (!isObject(entry)) throw new TenantFaultError(`${what} must be an object with a kind`);
  const kind = faultKinds.find((known) => known === entry['kind']);
  if (!kind) throw new TenantFaultError(`${what}: kind must be one of ${faultKinds.join(', ')}`);
  const unknown = Object.keys(entry).find((name) => !fields.includes(name));
  if (unknown !== undefined) throw new TenantFaultError(`${what} has the unknown field ${unknown}`);
  return {
    kind,
    ...textField(entry, 'path', what),
    ...textField(entry, 'method', what),
    ...numberField(entry, 'times', Number.MAX_SAFE_INTEGER, what),
    ...numberField(entry, 'probability', 1, what),
    parameters: readParameters(entry['parameters'] ?? {}, what),
  };
}

function textField(entry: JsonObject, name: 'path' | 'method', what: string): { [name: string]: string } {
  const value = entry[name];
  if (value === undefined) return {};
  if (typeof value !== 'string') throw new TenantFaultError(`${what}: ${name} must be a text`);
  return { [name]: value };
}

function numberField(entry: JsonObject, name: string, most: number, what: string): { [name: string]: number } {
  const value = entry[name];
  if (value === undefined) return {};
  if (typeof value === 'number' && value >= 0 && value <= most) return { [name]: value };
  throw new TenantFaultError(`${what}: ${name} must be a number from 0 to ${most}`);
}

function readParameters(value: unknown, what: string): Record<string, string | number> {
  if (!isObject(value)) throw new TenantFaultError(`${what}: parameters must be an object`);
  const entries = Object.entries(value).map(([name, entry]): [string, string | number] => {
    if (typeof entry === 'string' || typeof entry === 'number') return [name, entry];
    throw new TenantFaultError(`${what}: parameter ${name} must be a text or a number`);
  });
  return Object.fromEntries(entries);
}
