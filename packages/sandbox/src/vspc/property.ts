/** An entity of the wire: its properties are read by path, as `filter`, `sort` and `select` name them. */
export type Entity = Readonly<Record<string, unknown>>;

/** The value at a path such as `info.hostName`; undefined where an entity has no such property. */
export function propertyAt(entity: unknown, path: string): unknown {
  let value: unknown = entity;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
  }
  return value;
}

/** Whether any entity has the property; every entity of an empty collection has every one. */
export function isKnownProperty(entities: readonly Entity[], path: string): boolean {
  return entities.length === 0 || entities.some((entity) => propertyAt(entity, path) !== undefined);
}
