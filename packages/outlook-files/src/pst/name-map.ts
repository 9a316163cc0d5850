import { FIRST_NAMED_ID, nameMap } from '../mapi/name-map.ts';
import type { NamedProperty } from '../mapi/named-properties.ts';
import { NAMED_PROPERTIES } from '../mapi/named-properties.ts';
import { PropertyBag } from '../mapi/property-bag.ts';

const BUCKETS = 251;

const IDS = new Map(NAMED_PROPERTIES.map((named, index) => [named, FIRST_NAMED_ID + index]));

/** The id a named property has in every PST written here. */
export function idOfName(named: NamedProperty): number {
  const id = IDS.get(named);
  if (id === undefined) {
    throw new TypeError(`The named property ${named.name} is not in the list of those that are written.`);
  }
  return id;
}

/** The name-to-id map, [MS-PST] 2.4.7: the same for every file, as ids are given by place in our list. */
export function nameMapProperties(): PropertyBag {
  const { sets, entries, strings, buckets } = nameMap(NAMED_PROPERTIES, BUCKETS);
  const bag = new PropertyBag()
    .integer(0x0001, BUCKETS)
    .binary(0x0002, sets)
    .binary(0x0003, entries)
    .binary(0x0004, strings);
  for (const [id, members] of buckets) {
    bag.binary(id, members);
  }
  return bag;
}
