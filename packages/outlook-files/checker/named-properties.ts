import { checksum, hex } from './binary.ts';
import type { Database } from './database.ts';
import type { Findings } from './findings.ts';
import { type PropertyContext, propertyName } from './heap/property-context.ts';
import { openProperties } from './objects.ts';

/** Node id of the name-to-id map. */
const nameMap = 0x61;
/** Its properties: bucket count, the three streams, the first bucket. */
const property = { count: 0x0001, guids: 0x0002, entries: 0x0003, strings: 0x0004, firstBucket: 0x1000 } as const;

interface NameId {
  key: number;
  isString: boolean;
  guid: number;
  /** What the hash is made of in addition to the key: GUID index and string bit. */
  kind: number;
  index: number;
}

function readNameId(record: Buffer): NameId {
  const kind = record.readUInt16LE(4);
  return {
    key: record.readUInt32LE(0),
    isString: kind % 2 === 1,
    guid: kind >> 1,
    kind,
    index: record.readUInt16LE(6),
  };
}

function readNameIds(stream: Buffer): NameId[] {
  return Array.from({ length: Math.floor(stream.length / 8) }, (_, index) =>
    readNameId(stream.subarray(8 * index, 8 * index + 8)),
  );
}

/** Checks the Name-to-ID Map ([MS-PST] 2.4.7) and returns the property ids it names. */
export async function checkNamedProperties(database: Database): Promise<Set<number>> {
  const map = await openProperties(database, nameMap);
  if (!map) return new Set();
  const { findings } = database;
  const entries = await readEntries(map, findings);
  const streams = {
    guids: (await map.bytes(property.guids)) ?? Buffer.alloc(0),
    strings: (await map.bytes(property.strings)) ?? Buffer.alloc(0),
  };
  if (streams.guids.length % 16 !== 0)
    findings.add('names-guid', map.node.where, `the GUID stream has ${streams.guids.length} bytes`);
  const expected = entries.map((entry) => checkEntry(entry, streams, map.node.where, findings));
  await checkBuckets(map, expected, findings);
  return new Set(entries.map(({ index }) => 0x8000 + index));
}

async function readEntries(map: PropertyContext, findings: Findings): Promise<NameId[]> {
  const stream = (await map.bytes(property.entries)) ?? Buffer.alloc(0);
  if (stream.length % 8 !== 0)
    findings.add('names-entries', map.node.where, `the entry stream has ${stream.length} bytes, a NAMEID has 8`);
  const entries = readNameIds(stream);
  if (new Set(entries.map(({ index }) => index)).size !== entries.length)
    findings.add('names-entries', map.node.where, 'two names have the same property index');
  if (entries.some(({ index }) => index >= entries.length))
    findings.add('names-entries', map.node.where, 'property indexes are given one after the other, from zero');
  return entries;
}

/** Checks the GUID and the string of an entry; returns the record as its hash bucket must have it. */
function checkEntry(
  entry: NameId,
  streams: { guids: Buffer; strings: Buffer },
  where: string,
  findings: Findings,
): NameId {
  const label = `name of ${propertyName(0x8000 + entry.index)}`;
  if (entry.guid > 2 && 16 * (entry.guid - 2) > streams.guids.length)
    findings.add('names-guid', where, `${label} refers to GUID ${entry.guid}, beyond the GUID stream`);
  if (!entry.isString) {
    if (entry.guid === 0) findings.add('names-guid', where, `${label} is a number without a GUID`);
    return entry;
  }
  const at = entry.key;
  const length = at + 4 <= streams.strings.length ? streams.strings.readUInt32LE(at) : -1;
  if (at % 4 !== 0 || length <= 0 || length % 2 !== 0 || at + 4 + length > streams.strings.length) {
    findings.add('names-string', where, `${label} refers to no string at ${at} of the string stream`);
    return entry;
  }
  return { ...entry, key: checksum(streams.strings.subarray(at + 4, at + 4 + length)) };
}

/**
 * Each name must have its record in the bucket of its hash. The document's formula uses "any NAMEID"; for strings that
 * is the record with the checksum, as the buckets have it (some old files took the one with the offset).
 */
async function checkBuckets(map: PropertyContext, expected: NameId[], findings: Findings): Promise<void> {
  const count = await map.integer(property.count);
  if (count !== 251)
    findings.add(
      'names-bucket-count',
      map.node.where,
      `PidTagNameidBucketCount is ${count ?? 'missing'}, it should be 251`,
    );
  if (!count) return;
  const expectedBuckets = new Map(expected.map((entry) => [describe(entry), ((entry.key ^ entry.kind) >>> 0) % count]));
  for (const [id] of map.properties) {
    if (id < property.firstBucket) continue;
    const bucket = id - property.firstBucket;
    for (const entry of readNameIds((await map.bytes(id)) ?? Buffer.alloc(0))) {
      if (expectedBuckets.get(describe(entry)) !== bucket)
        findings.add(
          'names-bucket',
          map.node.where,
          `bucket ${bucket} has a record for ${propertyName(0x8000 + entry.index)} that does not belong there`,
        );
      expectedBuckets.delete(describe(entry));
    }
  }
  for (const [name, bucket] of expectedBuckets)
    findings.add('names-bucket', map.node.where, `bucket ${bucket} lacks the record ${name}`);
}

function describe({ key, kind, index }: NameId): string {
  return `${hex(key)} ${hex(kind)} for ${propertyName(0x8000 + index)}`;
}
