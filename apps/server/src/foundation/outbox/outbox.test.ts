import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { type Connection, execute, row, rows, transaction } from '../database.ts';
import { openLog } from '../log.ts';
import { openMetrics } from '../metrics.ts';
import { announce, declareEvent, declareSubject, type Subject, type Subscriber, subscribe } from './domain-events.ts';
import { deliverEvents, deliverNext, measureEvents, type OutboxParts, removeOldEvents } from './outbox.ts';

const lamp = declareSubject('lamp');
const lampSwitched = declareEvent({
  name: 'lamp.switched',
  subject: lamp.kind,
  payload: z.object({ state: z.string() }),
});
const kitchen: Subject = { providerId: 1, id: 'kitchen' };
const hall: Subject = { providerId: 1, id: 'hall' };

let portal: TestPortal;
let log: string[];

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.database.query('create table seen (number serial, subscriber text, subject text, state text)');
});
afterAll(() => portal.stop());
beforeEach(async () => {
  log = [];
  await portal.database.query('truncate outbox, seen');
});

function partsOf(...subscribers: Subscriber[]): OutboxParts {
  const line = new Writable({
    write(text, _encoding, done) {
      log.push(JSON.parse(String(text)).msg);
      done();
    },
  });
  const queue = { send: async () => {}, isAnswering: async () => true };
  return { database: portal.database, queue, subscribers, log: openLog('warn', 'test', line) };
}

/** A subscriber that writes down what it received, and then does `more`. */
function seer(name: string, more: (state: string) => void = () => {}): Subscriber {
  return subscribe(lampSwitched, name, async (connection, { id }, { state }) => {
    await execute(connection, sql`insert into seen (subscriber, subject, state) values (${name}, ${id}, ${state})`);
    more(state);
  });
}

const say = (subject: Subject, state: string, connection: Connection = portal.database) =>
  announce(connection, lampSwitched, subject, { state });

/** What was seen, in its order: `subscriber subject state`. */
async function seen(): Promise<string[]> {
  const found = await rows<{ line: string }>(
    portal.database,
    sql`select concat_ws(' ', subscriber, subject, state) as line from seen order by number`,
  );
  return found.map(({ line }) => line);
}

async function deliverAll(parts: OutboxParts): Promise<void> {
  while (await deliverNext(parts));
}

/** Makes what waits for its next attempt due. */
const passTime = () => execute(portal.database, sql`update outbox set next_attempt_at = now()`);

describe('a domain event', () => {
  it('reaches its subscribers once, if the change that announced it commits', async () => {
    const undone = transaction(portal.database, async (connection) => {
      await say(kitchen, 'undone', connection);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await say(kitchen, 'on');
    const parts = partsOf(seer('one'), seer('two'));
    await Promise.all([deliverAll(parts), deliverAll(parts), deliverAll(parts)]);
    expect(await seen()).toEqual(['one kitchen on', 'two kitchen on']);
  });

  it('comes in the order of the commits of its subject', async () => {
    const [first, second] = [await portal.database.connect(), await portal.database.connect()];
    await first.query('begin');
    await second.query('begin');
    await say(kitchen, 'on', first);
    const saying = say(kitchen, 'off', second).then(() => second.query('commit'));
    await say(hall, 'on');
    await deliverAll(partsOf(seer('one')));
    await first.query('commit');
    await saying;
    await deliverAll(partsOf(seer('one')));
    expect(await seen()).toEqual(['one hall on', 'one kitchen on', 'one kitchen off']);
    first.release();
    second.release();
  });

  it('is repeated only for the subscriber that failed, which undoes what this one wrote, and later ones of its subject wait', async () => {
    let isBroken = true;
    const parts = partsOf(
      seer('sound'),
      seer('broken', () => {
        if (isBroken) throw new Error('broken');
      }),
    );
    for (const [subject, state] of [
      [kitchen, 'on'],
      [kitchen, 'off'],
      [hall, 'on'],
    ] as const)
      await say(subject, state);
    await deliverAll(parts);
    expect(await seen()).toEqual(['sound kitchen on', 'sound hall on']);
    isBroken = false;
    await deliverAll(parts);
    expect(await seen()).toHaveLength(2);
    await passTime();
    await deliverAll(parts);
    expect((await seen()).slice(2)).toEqual([
      'broken kitchen on',
      'sound kitchen off',
      'broken kitchen off',
      'broken hall on',
    ]);
  });

  it('is given up after its last attempt, visibly, and those after it are delivered', async () => {
    const parts = partsOf(
      seer('one', (state) => {
        if (state === 'on') throw new Error('broken');
      }),
    );
    await say(kitchen, 'on');
    await say(kitchen, 'off');
    const metrics = openMetrics('test');
    measureEvents(metrics, portal.database);
    for (let attempt = 1; attempt <= 15; attempt += 1) {
      expect(await metrics.registry.metrics()).toContain('keepwatch_events{state="waiting",role="test"} 2');
      expect(await deliverNext(parts)).toBe(true);
      await passTime();
    }
    expect(log.filter((message) => message === 'an event was not delivered')).toHaveLength(15);
    expect(log.filter((message) => message === 'an event was given up')).toHaveLength(1);
    expect(await metrics.registry.metrics()).toContain('keepwatch_events{state="dead",role="test"} 1');
    await deliverAll(parts);
    expect(await seen()).toEqual(['one kitchen off']);
  });

  it('is not delivered at all where two of its subscribers have one name, as the second would never get it', () => {
    expect(() => deliverEvents(partsOf(seer('one'), seer('two'), seer('one')))).toThrow(
      'Two subscribers of lamp.switched are named one. Give one of them another name.',
    );
  });

  it('waits longer after each failure', async () => {
    const parts = partsOf(
      seer('one', () => {
        throw new Error('broken');
      }),
    );
    await say(kitchen, 'on');
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await deliverNext(parts);
      const next = await row<{ seconds: number }>(
        portal.database,
        sql`select round(extract(epoch from next_attempt_at - now()))::int as seconds from outbox`,
      );
      pauses.push(next?.seconds ?? 0);
      await passTime();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
  });

  it('is deleted a week after it was delivered, and three months after it was given up', async () => {
    for (const state of ['delivered', 'dead', 'waiting']) await say({ ...kitchen, id: state }, state);
    await deliverAll(partsOf());
    const ended = new Date(TEST_NOW.getTime() - 8 * 86_400_000);
    await execute(
      portal.database,
      sql`update outbox set ended_at = case when subject_id <> 'waiting' then ${ended}::timestamptz end, is_dead = subject_id = 'dead'`,
    );
    const left = () => rows(portal.database, sql`select subject_id as id from outbox order by id`);
    await removeOldEvents(portal.database, TEST_NOW);
    expect(await left()).toEqual([{ id: 'dead' }, { id: 'waiting' }]);
    await removeOldEvents(portal.database, new Date(TEST_NOW.getTime() + 90 * 86_400_000));
    expect(await left()).toEqual([{ id: 'waiting' }]);
  });
});
