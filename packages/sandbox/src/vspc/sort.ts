import { type Collation, compareValues } from './collation.ts';
import { badParameter, VendorError } from './errors.ts';
import { type Entity, isKnownProperty, propertyAt } from './property.ts';

interface SortKey {
  property: string;
  factor: 1 | -1;
  collation: Collation;
}

/**
 * Orders entities by a `sort` parameter: a list of `{property, direction: ascending | descending, collation}`. Null
 * comes first, as it does in the vendor's database.
 * @throws VendorError 400 when the parameter is no such list, or names a property the entities do not have
 */
export function applySort<T extends Entity>(entities: readonly T[], parameter: string): T[] {
  const keys = readKeys(parameter);
  for (const { property } of keys) {
    if (!isKnownProperty(entities, property)) {
      throw new VendorError(400, 'logical', `Property '${property}' was not found in the resource.`, {
        propertyName: property,
      });
    }
  }
  return [...entities].sort((one, other) => {
    for (const key of keys) {
      const difference =
        key.factor * compareWithNull(propertyAt(one, key.property), propertyAt(other, key.property), key);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

function compareWithNull(one: unknown, other: unknown, key: SortKey): number {
  const isNone = (value: unknown) => value === null || value === undefined;
  if (isNone(one) || isNone(other)) return Number(isNone(other)) - Number(isNone(one));
  return compareValues(one, other, key.collation) ?? 0;
}

function readKeys(parameter: string): SortKey[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(parameter);
  } catch {
    throw badParameter('sort', 'Sort expression is not valid JSON.');
  }
  return (Array.isArray(parsed) ? parsed : [parsed]).map(readKey);
}

function readKey(entry: unknown): SortKey {
  const property = propertyAt(entry, 'property');
  const direction = propertyAt(entry, 'direction') ?? 'ascending';
  const collation = propertyAt(entry, 'collation') ?? 'ordinal';
  if (typeof property !== 'string' || (direction !== 'ascending' && direction !== 'descending')) {
    throw badParameter('sort', 'Sort expression needs a property, and a direction of ascending or descending.');
  }
  const isText = collation === 'ignorecase' || collation === 'lexicographic';
  return { property, factor: direction === 'ascending' ? 1 : -1, collation: isText ? collation : 'ordinal' };
}
