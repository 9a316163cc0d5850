import { isObject, objectOf, objectsOf, textOf } from '../json.ts';

/** `Display <address>` of a recipient. */
export function personOf(recipient: unknown): string | undefined {
  const { name, address } = objectOf(objectOf(recipient)['emailAddress']);
  const [shown, mail] = [textOf(name), textOf(address)];
  if (mail === undefined || shown === mail) return shown;
  return shown === undefined ? mail : `${shown} <${mail}>`;
}

export function peopleOf(recipients: unknown): string[] {
  return objectsOf(recipients).flatMap((one) => personOf(one) ?? []);
}

/** Replaces an empty list by nothing: lists and search show nothing for what is not there. */
export function nonEmptyOrUndefined<T>(values: readonly T[]): T[] | undefined {
  return values.length > 0 ? [...values] : undefined;
}

/** Drops the fields that are undefined. */
export function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) defined[key] = value as Exclude<T[typeof key], undefined>;
  }
  return defined;
}

/** Reads a date with its zone, as Graph gives those of events and tasks; zones other than UTC are not asked for. */
export function zonedInstantOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const text = textOf(value['dateTime']);
  const ms = text === undefined ? Number.NaN : Date.parse(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
