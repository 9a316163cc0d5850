/** An entity or part of one as it goes over the wire. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** The value as an object; an empty one for anything else. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The members of a list that are objects; none for what is no list. */
export const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const booleanOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export const textsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined;

/** The value at a path such as `from/emailAddress/address`. */
export function valueAt(entity: unknown, path: string): unknown {
  let value = entity;
  for (const name of path.split('/')) {
    if (!isObject(value)) return undefined;
    value = value[name];
  }
  return value;
}
