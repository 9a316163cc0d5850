import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { drain } from '../suites/backup-source-subject.ts';
import type { Console, Resource } from '../testing/console.ts';
import { startConsole, uidOf } from '../testing/console.ts';
import { quiet } from '../testing/context.ts';
import { buildServerJob } from '../testing/entities.ts';
import { answerJson } from '../testing/vendor.ts';
import { companies } from './companies.ts';
import { amount, instant, optionalInstant, text, uid } from './fields.ts';
import { backupServerJobSchema, toJob } from './jobs/backup-server-job.ts';
import { BadValueError, list, readEntity } from './listing.ts';

let running: Console;
afterEach(() => running?.stop());

const schema = z.object({ instanceUid: uid, name: text, at: optionalInstant, sizeBytes: amount });

async function read(things: Resource, signal = quiet()) {
  running = await startConsole({ things });
  const listing = { entity: 'thing', path: 'things', read: (raw: unknown) => schema.parse(raw) };
  return drain(list(running.client, listing, signal));
}

describe('a list', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a date of year 1', { at: '0001-01-01T00:00:00Z' }, /^at: 0001.*not a date that can be true/],
    ['a date of year 9999', { at: '9999-12-31T23:59:59.9999999Z' }, /^at: 9999/],
    ['a date that is none', { at: '2026-02-30T00:00:00Z' }, /^at: /],
    ['a date without offset', { at: '2026-02-03T00:00:00' }, /^at: /],
    ['a negative size', { sizeBytes: -1 }, /^sizeBytes: must not be negative/],
    ['half a byte', { sizeBytes: 0.5 }, /^sizeBytes: /],
    ['a size no number can hold', { sizeBytes: 1e300 }, /^sizeBytes: /],
    ['a number for a name', { name: 7 }, /^name: /],
  ])('lists an entity with %s by its id and goes on with the rest', async (_, wrong, reason) => {
    const { values, failed } = await read([{ instanceUid: uidOf(1), ...wrong }, { instanceUid: uidOf(2) }]);
    expect(failed).toEqual([{ entity: 'thing', externalId: uidOf(1), reason: expect.stringMatching(reason) }]);
    expect(values.map((value) => value.instanceUid)).toEqual([uidOf(2)]);
  });

  it.each([null, 7, 'text', [], {}, { instanceUid: 'not an id' }])('lists %j as unreadable', async (raw) => {
    const { values, failed } = await read([raw, { instanceUid: uidOf(2) }]);
    expect(failed).toHaveLength(1);
    expect(values).toHaveLength(1);
  });

  it('yields an entity once that shifting pages show twice', async () => {
    expect((await read([{ instanceUid: uidOf(1) }, { instanceUid: uidOf(1) }])).values).toHaveLength(1);
  });

  it('lists what the vendor says is missing, so that half a list never looks whole', async () => {
    const { failed } = await read((_, reply) =>
      answerJson(reply, { data: [], errors: [{ message: 'Server B did not answer' }] }),
    );
    expect(failed).toEqual([{ entity: 'thing', externalId: null, reason: 'Server B did not answer' }]);
  });

  it('lets mistakes of our own through instead of listing them as the vendor’s', async () => {
    running = await startConsole({ things: [1] });
    const listing = { entity: 'thing', path: 'things', read: () => JSON.parse('{') };
    await expect(drain(list(running.client, listing, quiet()))).rejects.toThrow(SyntaxError);
  });

  it('reports the reason of a value that cannot be true as it is worded', async () => {
    running = await startConsole({ things: [{ instanceUid: uidOf(1) }] });
    const read = () => {
      throw new BadValueError('runs backwards');
    };
    const { failed } = await drain(list(running.client, { entity: 'thing', path: 'things', read }, quiet()));
    expect(failed).toEqual([{ entity: 'thing', externalId: uidOf(1), reason: 'runs backwards' }]);
  });
});

describe('whatever a vendor sends', () => {
  const place = { group: 'managed-servers', serverName: null } as const;
  const job = {
    entity: 'job',
    read: (raw: unknown) => toJob(backupServerJobSchema.parse(raw), place, new Date('2026-03-10T12:00:00Z')),
  };

  it('is read or listed as unreadable, and never ends the list', () => {
    const anything = fc.jsonValue({ maxDepth: 3 });
    const field = fc.constantFrom(...Object.keys(buildServerJob()));
    fc.assert(
      fc.property(field, anything, (name, value) => {
        for (const raw of [value, buildServerJob({ [name]: value })]) {
          for (const read of [readEntity(job, raw, null), readEntity(companies, raw, null)]) {
            expect(read && ('failed' in read ? read.failed.reason : read.value.externalId)).toMatch(/./);
          }
        }
      }),
    );
  });
});

describe('fields', () => {
  it('read the seven digits and the offset of the vendor’s own example', () => {
    expect(instant.parse('2016-11-01T10:35:28.0000000-07:00')).toEqual(new Date('2016-11-01T17:35:28Z'));
  });

  it('read what is not said as null, never as nothing or 0', () => {
    expect([text.parse(''), text.parse('  '), text.parse(undefined), amount.parse(null)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(text.parse(' one\r\ntwo ')).toBe('one\ntwo');
    expect(amount.parse(0)).toBe(0);
  });
});
