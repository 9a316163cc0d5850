/** What can be made to go wrong. */
export const faultKinds = [
  'throttle',
  'server-error',
  'async',
  'cut',
  'slow',
  'hang',
  'garbage',
  'wrong-shape',
  'same-page',
  'expired-token',
  'half-page',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** A rule of what is to go wrong where, and how often. */
export interface Fault {
  /** Path below /api/v3; `*` matches any characters. The default is every path. */
  path?: string;
  kind: FaultKind;
  /** How many requests are hit; the default is one for expired-token, and every one for all others. */
  times?: number;
  /** Share of the matching requests that are hit, 0 to 1; the default is 1. */
  probability?: number;
  /** Settings of the kind, such as `retryAfterSeconds`; the README lists them. */
  parameters?: Readonly<Record<string, string | number>>;
}

/** A rule that cannot be obeyed. */
export class FaultError extends Error {}

/**
 * Reads rules from outside: one, or a list.
 * @throws FaultError that says which entry is wrong, and what would be right
 */
export function readFaults(input: unknown): Fault[] {
  return (Array.isArray(input) ? input : [input]).map((entry: unknown, index) =>
    readFault(entry, `Fault ${index + 1}`),
  );
}

/**
 * Reads the header x-sandbox-fault: a kind and its parameters, as in `throttle; retryAfterSeconds=2`.
 * @throws FaultError
 */
export function readFaultHeader(header: string): Fault {
  const [kind, ...pairs] = header.split(';').map((part) => part.trim());
  const parameters = Object.fromEntries(pairs.filter(Boolean).map((pair) => splitPair(pair)));
  return readFault({ kind, parameters }, 'The header x-sandbox-fault');
}

/** A parameter as a number, or the kind's own value when it was not given. */
export function numberParameter(fault: Fault, name: string, standard: number): number {
  const value = Number(fault.parameters?.[name] ?? standard);
  return Number.isFinite(value) ? value : standard;
}

export function textParameter(fault: Fault, name: string, standard: string): string {
  return String(fault.parameters?.[name] ?? standard);
}

function splitPair(pair: string): [string, string] {
  const [name = '', value = ''] = pair.split('=', 2);
  return [name.trim(), value.trim()];
}

function readFault(entry: unknown, what: string): Fault {
  if (typeof entry !== 'object' || entry === null) throw new FaultError(`${what} must be an object with a kind`);
  const fields = new Map<string, unknown>(Object.entries(entry));
  const kind = faultKinds.find((known) => known === fields.get('kind'));
  if (!kind) throw new FaultError(`${what}: kind must be one of ${faultKinds.join(', ')}`);
  const unknown = [...fields.keys()].find(
    (name) => !['path', 'kind', 'times', 'probability', 'parameters'].includes(name),
  );
  if (unknown !== undefined) throw new FaultError(`${what} has the unknown field ${unknown}`);
  const path = fields.get('path') ?? '*';
  if (typeof path !== 'string') throw new FaultError(`${what}: path must be a text`);
  const times = readNumber(fields.get('times'), `${what}: times`, Number.MAX_SAFE_INTEGER);
  const probability = readNumber(fields.get('probability'), `${what}: probability`, 1);
  return {
    kind,
    path,
    ...(times === undefined ? {} : { times }),
    ...(probability === undefined ? {} : { probability }),
    parameters: readParameters(fields.get('parameters') ?? {}, what),
  };
}

function readNumber(value: unknown, what: string, most: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !(value >= 0 && value <= most)) {
    throw new FaultError(`${what} must be a number from 0 to ${most}`);
  }
  return value;
}

function readParameters(value: unknown, what: string): Record<string, string | number> {
  if (typeof value !== 'object' || value === null) throw new FaultError(`${what}: parameters must be an object`);
  const entries = Object.entries(value).map(([name, entry]: [string, unknown]): [string, string | number] => {
    if (typeof entry === 'string' || typeof entry === 'number') return [name, entry];
    throw new FaultError(`${what}: parameter ${name} must be a text or a number`);
  });
  return Object.fromEntries(entries);
}
