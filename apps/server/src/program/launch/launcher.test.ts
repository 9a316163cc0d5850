import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDatabaseError } from '@keepwatch/embedded-database/embedded-database-error';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Command } from './child-run.ts';
import { type LaunchPlan, launch } from './launcher.ts';
import type { LaunchedDatabase } from './supervised-database.ts';

const FIXTURE = join(import.meta.dirname, 'child.fixture.ts');

function child(name: string, ...args: string[]): Command {
  return { name, file: FIXTURE, args };
}

const MIGRATE = child('The migration', 'note:migrated', 'exit:0');

/** A launcher over fixture children; what they and it do is recorded. */
async function launched(plan: Partial<LaunchPlan> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-launch-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const notes = join(folder, 'notes');
  await writeFile(notes, '');
  const signals = new EventEmitter();
  const clock = { nowMs: 0 };
  const printed: string[] = [];
  const reported: string[] = [];
  const stops: string[] = [];
  const database: LaunchedDatabase = {
    url: 'postgres://test',
    restart: async () => undefined,
    stop: async () => void stops.push('database'),
  };
  const exitCode = launch(
    {
      openDatabase: async () => database,
      migrate: MIGRATE,
      roles: [],
      environment: { ...process.env, NOTES: notes },
      restart: { firstPauseMs: 1, quickDeathMs: 1000, quickDeathsMax: 5 },
      stopLimitMs: 10_000,
      ...plan,
    },
    { signals, now: () => clock.nowMs, print: (line) => printed.push(line), report: (line) => reported.push(line) },
  );
  onTestFinished(async () => {
    signals.emit('SIGTERM');
    await exitCode;
  });
  const noted = async () => (await readFile(notes, 'utf8')).split('\n').filter((line) => line !== '');
  return { folder, signals, clock, printed, reported, stops, exitCode, noted };
}

/** The texts of the notes, without the process numbers. */
function texts(notes: string[]): string[] {
  return notes.map((note) => note.slice(0, note.lastIndexOf(' ')));
}

function pidOf(text: string, notes: string[]): number {
  return Number(
    notes
      .find((note) => note.startsWith(`${text} `))
      ?.split(' ')
      .at(-1),
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('starting', () => {
  test('migrates, then starts the roles one after the other, and shows their lines when all are ready', async () => {
    const run = await launched({
      roles: [
        child('sandbox', 'note:sandbox', 'stay', 'ready'),
        child('api', 'note:api', 'stay', 'ready:http://127.0.0.1:8080'),
        child('worker', 'note:worker', 'database', 'stay', 'ready:done'),
      ],
    });
    await expect.poll(() => run.printed).toEqual(['http://127.0.0.1:8080', 'done']);
    expect(texts(await run.noted())).toEqual(['migrated', 'sandbox', 'api', 'worker', 'postgres://test']);
    expect(run.reported).toEqual([]);
  });

  test('ends with 1 and starts no role when the migration fails', async () => {
    const run = await launched({
      migrate: child('The migration', 'exit:1'),
      roles: [child('api', 'note:api', 'stay')],
    });
    expect(await run.exitCode).toBe(1);
    expect(await run.noted()).toEqual([]);
    expect(run.stops).toEqual(['database']);
  });

  test('ends with 1 when a role cannot start, adds nothing to its own line, and stops those before it', async () => {
    const run = await launched({
      roles: [child('sandbox', 'stay', 'ready'), child('api', 'note:api', 'exit:1'), child('worker', 'note:worker')],
    });
    expect(await run.exitCode).toBe(1);
    expect(texts(await run.noted())).toEqual(['migrated', 'api', 'stopped']);
    expect(run.reported).toEqual([]);
    expect(run.stops).toEqual(['database']);
  });

  test('speaks for a role that was killed before it could say anything', async () => {
    const run = await launched({ roles: [child('api', 'abort')] });
    expect(await run.exitCode).toBe(1);
    expect(run.reported).toEqual(['The role "api" ended with signal SIGKILL before it was ready.']);
  });

  test('says in one line why the database cannot be opened', async () => {
    const run = await launched({ openDatabase: () => Promise.reject(new EmbeddedDatabaseError('The disk is full.')) });
    expect(await run.exitCode).toBe(1);
    expect(run.reported).toEqual(['The disk is full.']);
  });

  test('shows where a fault of ours comes from', async () => {
    const run = await launched({ openDatabase: () => Promise.reject(new TypeError('no such thing')) });
    expect(await run.exitCode).toBe(1);
    expect(run.reported.join()).toMatch(/TypeError: no such thing\n\s+at /);
  });
});

describe('running', () => {
  test('starts a role again that has ended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keepwatch-once-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const dies = child('worker', 'note:worker', 'ready:up', `once:${join(folder, 'died')}`, 'exit:3');
    const run = await launched({ roles: [dies] });
    await expect.poll(async () => texts(await run.noted())).toEqual(['migrated', 'worker', 'worker']);
    expect(run.reported).toEqual(['The role "worker" ended with exit code 3; starting it again in 0.001 s.']);
    expect(run.printed).toEqual(['up']);
  });

  test('gives up after five quick deaths, says so, and ends everything', async () => {
    const run = await launched({
      roles: [child('api', 'stay', 'ready'), child('worker', 'note:worker', 'ready', 'exit:3')],
    });
    expect(await run.exitCode).toBe(1);
    expect(texts(await run.noted()).filter((text) => text === 'worker')).toHaveLength(5);
    expect(run.reported.at(-1)).toMatch(/^The role "worker" ended 5 times in quick succession.*giving up/);
    expect(texts(await run.noted()).at(-1)).toBe('stopped');
    expect(run.stops).toEqual(['database']);
  });

  /** A database that can be made to end; `restarts` says how each start after that goes. */
  function mortalDatabase(restarts: Array<() => Promise<void>>) {
    const { promise: opened, resolve } = Promise.withResolvers<(how: string) => void>();
    let started = 0;
    const openDatabase = async (onExit: (how: string) => void): Promise<LaunchedDatabase> => {
      resolve(onExit);
      const restart = () => restarts[started++]?.() ?? Promise.resolve();
      return { url: 'postgres://test', restart, stop: async () => undefined };
    };
    return { openDatabase, end: async (how: string) => (await opened)(how), starts: () => started };
  }

  test('starts the database again when it ends unexpectedly, and leaves the roles running', async () => {
    const database = mortalDatabase([() => Promise.reject(new EmbeddedDatabaseError('The port is in use.'))]);
    const run = await launched({ openDatabase: database.openDatabase, roles: [child('api', 'stay', 'ready:up')] });
    await expect.poll(() => run.printed).toEqual(['up']);
    await database.end('signal SIGKILL');
    await expect.poll(database.starts).toBe(2);
    expect(run.reported).toEqual([
      'PostgreSQL ended with signal SIGKILL; starting it again in 0.001 s.',
      'PostgreSQL could not be started again: The port is in use; starting it again in 0.002 s.',
    ]);
    expect(await run.noted()).toHaveLength(1);
    run.clock.nowMs += 1000;
    await database.end('exit code 2');
    await expect.poll(database.starts).toBe(3);
    expect(run.reported.at(-1)).toBe('PostgreSQL ended with exit code 2; starting it again in 0.001 s.');
  });

  test('gives the database up after five quick deaths, says so, and ends everything', async () => {
    const database = mortalDatabase([]);
    const run = await launched({ openDatabase: database.openDatabase, roles: [child('api', 'stay', 'ready:up')] });
    await expect.poll(() => run.printed).toEqual(['up']);
    for (const death of [1, 2, 3, 4]) {
      await database.end('signal SIGKILL');
      await expect.poll(database.starts).toBe(death);
    }
    await database.end('signal SIGKILL');
    expect(await run.exitCode).toBe(1);
    expect(run.reported.at(-1)).toMatch(/^PostgreSQL ended 5 times in quick succession.*giving up/);
    expect(database.starts()).toBe(4);
    expect(texts(await run.noted()).at(-1)).toBe('stopped');
  });

  test('starts the database no more when the program is to end', async () => {
    const database = mortalDatabase([]);
    const restart = { firstPauseMs: 60_000, quickDeathMs: 1000, quickDeathsMax: 5 };
    const run = await launched({ ...database, restart, roles: [child('api', 'stay', 'ready:up')] });
    await expect.poll(() => run.printed).toEqual(['up']);
    await database.end('signal SIGKILL');
    run.signals.emit('SIGTERM');
    expect(await run.exitCode).toBe(0);
    expect(database.starts()).toBe(0);
  });
});

describe('ending', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    'ends the roles in good order on %s, then the database',
    async (signal) => {
      const run = await launched({
        roles: [child('api', 'note:api', 'stay', 'ready'), child('worker', 'stay', 'ready:up')],
      });
      await expect.poll(() => run.printed).toEqual(['up']);
      run.signals.emit(signal);
      expect(await run.exitCode).toBe(0);
      expect(texts(await run.noted())).toEqual(['migrated', 'api', 'stopped', 'stopped']);
      expect(run.stops).toEqual(['database']);
      for (const note of await run.noted()) expect(isAlive(Number(note.split(' ').at(-1)))).toBe(false);
    },
  );

  test('ends the role that the others read from when they have ended, however long they take', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keepwatch-hold-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const mayStop = join(folder, 'may stop');
    const run = await launched({
      roles: [
        { ...child('sandbox', 'note:sandbox', 'stay', 'ready'), outlivesOthers: true },
        child('worker', 'note:worker', `hold:${mayStop}`, 'ready:up'),
      ],
    });
    await expect.poll(() => run.printed).toEqual(['up']);
    run.signals.emit('SIGTERM');
    await expect.poll(async () => texts(await run.noted())).toContain('asked to stop');
    expect(isAlive(pidOf('sandbox', await run.noted()))).toBe(true);
    await writeFile(mayStop, '');
    expect(await run.exitCode).toBe(0);
    const notes = await run.noted();
    const stopped = notes.filter((note) => note.startsWith('stopped ')).map((note) => Number(note.split(' ').at(-1)));
    expect(stopped).toEqual([pidOf('worker', notes), pidOf('sandbox', notes)]);
    expect(run.stops).toEqual(['database']);
  });

  test('ends a role that outlives the others also when it is the only one', async () => {
    const run = await launched({ roles: [{ ...child('sandbox', 'stay', 'ready:up'), outlivesOthers: true }] });
    await expect.poll(() => run.printed).toEqual(['up']);
    run.signals.emit('SIGTERM');
    expect(await run.exitCode).toBe(0);
    expect(texts(await run.noted()).at(-1)).toBe('stopped');
  });

  test('treats Ctrl-C, which arrives from the terminal and from npm, as one request to end', async () => {
    const run = await launched({ roles: [child('api', 'stay', 'ready:up')] });
    await expect.poll(() => run.printed).toEqual(['up']);
    run.signals.emit('SIGINT');
    run.signals.emit('SIGINT');
    expect(await run.exitCode).toBe(0);
    expect(texts(await run.noted()).at(-1)).toBe('stopped');
  });

  test('ends at once on a second signal', async () => {
    const run = await launched({ roles: [child('api', 'note:api', 'deaf', 'ready:up')] });
    await expect.poll(() => run.printed).toEqual(['up']);
    run.signals.emit('SIGINT');
    run.clock.nowMs = 1000;
    run.signals.emit('SIGINT');
    expect(await run.exitCode).toBe(130);
    await expect.poll(async () => isAlive(pidOf('api', await run.noted()))).toBe(false);
  });

  test('does not wait longer than the limit for a role that does not end', async () => {
    const run = await launched({ stopLimitMs: 50, roles: [child('api', 'note:api', 'deaf', 'ready:up')] });
    await expect.poll(() => run.printed).toEqual(['up']);
    run.signals.emit('SIGTERM');
    expect(await run.exitCode).toBe(0);
    const pid = Number(
      (await run.noted())
        .find((note) => note.startsWith('api'))
        ?.split(' ')
        .at(-1),
    );
    expect(isAlive(pid)).toBe(false);
    expect(run.stops).toEqual(['database']);
  });

  test('a signal during the start ends what has been started and starts nothing more', async () => {
    const run = await launched({
      roles: [{ ...child('sandbox', 'note:sandbox', 'stay'), outlivesOthers: true }, child('api', 'note:api', 'stay')],
    });
    await expect.poll(async () => texts(await run.noted())).toEqual(['migrated', 'sandbox']);
    run.signals.emit('SIGTERM');
    expect(await run.exitCode).toBe(0);
    expect(texts(await run.noted())).not.toContain('api');
    expect(run.reported).toEqual([]);
  });
});
