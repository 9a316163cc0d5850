/** The names of the fields of `V` that are a `T`; those of an object within it as `settings.url`. */
export type FieldName<V, T> = {
  [K in keyof V & string]: V[K] extends T
    ? K
    : V[K] extends Readonly<Record<string, unknown>>
      ? `${K}.${FieldName<V[K], T>}`
      : never;
}[keyof V & string];

/** The value of a field; `undefined` where there is none of that name. */
export function valueAt(values: unknown, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (within, key) => (isObject(within) ? Object.entries(within).find(([k]) => k === key)?.[1] : undefined),
      values,
    );
}

/** Every field's name: `name`, `settings.url`. */
export function fieldNames(values: object): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isObject(value) ? fieldNames(value).map((name) => `${key}.${name}`) : [key],
  );
}

/** Lists and files are values of one field. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
