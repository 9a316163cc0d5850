import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clusterName } from './orphaned-postmaster.ts';
import {
  databaseFolder,
  killHard,
  postmasterPid,
  processesNaming,
  query,
  startForTest,
  startOtherProgram,
  testFolder,
} from './test-folder.fixture.ts';

test('keeps the write-ahead log of a small database below 128 MB, however much is written', async () => {
  const database = await startForTest(await testFolder(), { durable: true });
  await query(database.url, 'create table filled (n int, text text)');
  const written = `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes, (select sum(size) from pg_ls_waldir()) as log`;
  const figures = async () => {
    const [row] = await query(database.superuserUrl, written);
    return { bytes: Number(row?.['bytes']), log: Number(row?.['log']) };
  };
  const { bytes: before } = await figures();
  let most = 0;
  for (let now = before; now - before < 200 * 2 ** 20; ) {
    await query(database.url, `insert into filled select n, repeat(md5(n::text), 30) from generate_series(1, 5000) n`);
    const { bytes, log } = await figures();
    now = bytes;
    most = Math.max(most, log);
    await query(database.url, 'truncate filled');
  }
  expect(most).toBeLessThan(128 * 2 ** 20);
}, 180_000);

describe('the first start', () => {
  test('makes an empty database that speaks UTF-8 and sorts the same on every system', async () => {
    const database = await startForTest(await testFolder(), { durable: true });
    const [row] = await query(
      database.url,
      `select current_database() as name, current_user as role, pg_encoding_to_char(encoding) as encoding,
        datlocprovider as provider, datlocale as locale, current_setting('data_checksums') as checksums,
        current_setting('fsync') as fsync, current_setting('listen_addresses') as addresses
       from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({
      name: 'keepwatch',
      role: 'keepwatch_program',
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
      checksums: 'on',
      fsync: 'on',
      addresses: '127.0.0.1',
    });
  });

  test('keeps the password to itself and refuses any other', async () => {
    const folder = await testFolder();
    const database = await startForTest(folder);
    const file = join(folder, 'database-password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const password = (await readFile(file, 'utf8')).trim();
    expect(database.superuserUrl).toContain(password);
    expect(database.url).not.toContain(password);
    for (const url of [database.url, database.superuserUrl]) {
      const wrong = url.replace(/:[0-9a-f]{64}@/, ':wrong@');
      await expect(query(wrong, 'select 1')).rejects.toThrow(/password authentication failed/);
    }
  });

  test('starts over when an earlier first start was interrupted', async () => {
    const folder = await testFolder();
    const first = await startForTest(folder);
    await first.stop();
    await rm(join(folder, 'postgres'), { recursive: true });
    await writeFile(join(folder, 'postgres.unfinished'), 'half a cluster');
    const database = await startForTest(folder);
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('trades safety for speed where a test asks for it', async () => {
    const database = await startForTest(await testFolder(), { durable: false });
    const [row] = await query(
      database.url,
      `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums`,
    );
    expect(row).toEqual({ fsync: 'off', checksums: 'off' });
  });
});

describe('the role of the program', () => {
  test('owns the database and may do nothing else on the server', async () => {
    const database = await startForTest(await databaseFolder());
    const [role] = await query(
      database.url,
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
        pg_has_role(current_user, 'pg_read_server_files', 'member') as reads_files,
        (select pg_get_userbyid(datdba) = current_user from pg_database where datname = current_database()) as owns
       from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      reads_files: false,
      owns: true,
    });
    await query(database.url, 'create schema own; create table own.some as select 1 as one');
    await expect(query(database.url, `copy own.some to program 'cat'`)).rejects.toThrow(/permission denied/);
    await expect(query(database.url, `select pg_read_file('PG_VERSION')`)).rejects.toThrow(/permission denied/);
  });

  test('has another password after each start', async () => {
    const folder = await databaseFolder();
    const first = await startForTest(folder);
    await first.stop();
    const second = await startForTest(folder);
    expect(new URL(second.url).password).not.toBe(new URL(first.url).password);
    await expect(
      query(second.url.replace(/:[0-9a-f]{64}@/, `:${new URL(first.url).password}@`), 'select 1'),
    ).rejects.toThrow(/password authentication failed/);
  });

  test('is given what an earlier version, which worked as superuser, has made', async () => {
    const folder = await databaseFolder();
    const first = await startForTest(folder);
    await query(
      first.superuserUrl,
      `alter database keepwatch owner to keepwatch;
       create schema engine;
       create type engine.mood as enum ('well', 'ill');
       create domain engine.grade as int check (value > 0);
       create type engine.pair as (a int, b int);
       create table engine.parts (id int generated always as identity, number serial, day date, mood engine.mood)
         partition by range (day);
       create table engine.parts_2026 partition of engine.parts for values from ('2026-01-01') to ('2027-01-01');
       create index on engine.parts (day);
       create view "Of Parts" as select * from engine.parts;
       create materialized view engine.counted as select count(*) from engine.parts;
       create sequence public.alone;
       create function public.one(int, text default 'x') returns int language sql as 'select 1';
       create procedure engine.nothing() language sql as 'select 1';
       insert into engine.parts (day, mood) values ('2026-02-01', 'well');`,
    );
    await first.stop();
    const { url } = await startForTest(folder);
    expect(
      await query(
        url,
        `select 'class' as kind, relname as name from pg_class where relowner <> current_user::regrole
           and relnamespace in ('public'::regnamespace, 'engine'::regnamespace)
         union all select 'type', typname from pg_type where typowner <> current_user::regrole
           and typnamespace in ('public'::regnamespace, 'engine'::regnamespace)
         union all select 'routine', proname from pg_proc where proowner <> current_user::regrole
           and pronamespace in ('public'::regnamespace, 'engine'::regnamespace)
         union all select 'schema', nspname from pg_namespace where nspname = 'engine' and nspowner <> current_user::regrole
         union all select 'database', datname from pg_database
           where datname = current_database() and datdba <> current_user::regrole`,
      ),
    ).toEqual([]);
    await query(url, `alter table engine.parts add column more int; drop materialized view engine.counted`);
    expect(await query(url, 'select id, mood from engine.parts')).toEqual([{ id: 1, mood: 'well' }]);
  });
});

describe('a server that has ended unexpectedly', () => {
  test('is started again at the same address, with all that was committed', async () => {
    const folder = await testFolder();
    const ends: string[] = [];
    const database = await startForTest(folder, { durable: true, onExit: (how) => ends.push(how) });
    await query(database.url, 'create table stored as select 42 as answer');
    for (const times of [1, 2]) {
      process.kill(await postmasterPid(folder), 'SIGKILL');
      await expect.poll(() => ends).toHaveLength(times);
      await database.restart();
      expect(await query(database.url, 'select answer from stored')).toEqual([{ answer: 42 }]);
    }
    await database.stop();
    expect(processesNaming(clusterName(join(folder, 'postgres')))).toEqual([]);
    expect(ends).toEqual(['signal SIGKILL', 'signal SIGKILL']);
  }, 60_000);

  test('leaves nothing running when it is stopped while it starts again', async () => {
    const folder = await databaseFolder();
    const ended = Promise.withResolvers<string>();
    const database = await startForTest(folder, { onExit: ended.resolve });
    process.kill(await postmasterPid(folder), 'SIGKILL');
    await ended.promise;
    const restarted = database.restart();
    await database.stop();
    await restarted.catch(() => undefined);
    expect(processesNaming(clusterName(join(folder, 'postgres')))).toEqual([]);
    const again = await startForTest(folder);
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a later start', () => {
  test('finds everything that was there before', async () => {
    const folder = await databaseFolder();
    const first = await startForTest(folder);
    await query(first.url, 'create table stored as select 42 as answer');
    await first.stop();
    const second = await startForTest(folder);
    expect(await query(second.url, 'select answer from stored')).toEqual([{ answer: 42 }]);
  });

  test('refuses a database of another major version, and says which', async () => {
    const folder = await databaseFolder();
    await (await startForTest(folder)).stop();
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), '16\n');
    await expect(startForTest(folder)).rejects.toThrow(/made by PostgreSQL 16, this program carries 18/);
  });

  test('does not treat a folder with other things in it as a database', async () => {
    const folder = await databaseFolder();
    await (await startForTest(folder)).stop();
    await rm(join(folder, 'postgres', 'PG_VERSION'));
    await expect(startForTest(folder)).rejects.toThrow(/is not a PostgreSQL database/);
  });

  test('says what is missing when the password is gone, and never begins an empty database instead', async () => {
    const folder = await databaseFolder();
    await (await startForTest(folder)).stop();
    await rm(join(folder, 'database-password'));
    await expect(startForTest(folder)).rejects.toThrow(/database-password is missing.*Bring it back/);
  });

  test('says so when the password is that of another database, and leaves nothing running', async () => {
    const folder = await databaseFolder();
    await (await startForTest(folder)).stop();
    await writeFile(join(folder, 'database-password'), 'a'.repeat(64));
    await expect(startForTest(folder)).rejects.toThrow(/is not that of the database beside it/);
    expect(processesNaming(clusterName(join(folder, 'postgres')))).toEqual([]);
  });
});

describe('the end', () => {
  test('leaves no process and frees the folder', async () => {
    const folder = await databaseFolder();
    const database = await startForTest(folder);
    const name = clusterName(join(folder, 'postgres'));
    if (process.platform === 'linux') expect(processesNaming(name).length).toBeGreaterThan(0);
    await Promise.all([database.stop(), database.stop()]);
    expect(processesNaming(name)).toEqual([]);
    const again = await startForTest(folder);
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('is reported to the caller when the server ends unexpectedly, and only then', async () => {
    const folder = await databaseFolder();
    const { promise, resolve } = Promise.withResolvers<string>();
    await startForTest(folder, { onExit: resolve });
    process.kill(await postmasterPid(folder), 'SIGKILL');
    expect(await promise).toBe('signal SIGKILL');

    const other = await databaseFolder();
    const reported: string[] = [];
    const database = await startForTest(other, { onExit: (how) => reported.push(how) });
    await database.stop();
    expect(reported).toEqual([]);
  });
});

describe('a second program on the same folder', () => {
  test('is refused with a line that names the first one and since when it runs', async () => {
    const folder = await databaseFolder();
    const { program } = await startOtherProgram(folder);
    const refused = startForTest(folder);
    await expect(refused).rejects.toThrow(new RegExp(`process ${program.pid}, running since \\d{4}-`));
    await expect(refused).rejects.toThrow(/Stop it first, or set DATA_DIR/);
  });

  test('does not disturb the first one', async () => {
    const folder = await databaseFolder();
    const first = await startForTest(folder);
    const { line } = await startOtherProgram(folder);
    expect(line).toContain('Another Keepwatch');
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('after kill -9', () => {
  test('of the program, its server stops automatically and in good order', async () => {
    const folder = await databaseFolder();
    const { program, line: url } = await startOtherProgram(folder);
    await query(url, 'create table stored as select 42 as answer');
    await killHard(program);
    await expect.poll(() => processesNaming(folder)).toEqual([]);
    const lines: string[] = [];
    const database = await startForTest(folder, { log: (line) => lines.push(line) });
    expect(await query(database.url, 'select answer from stored')).toEqual([{ answer: 42 }]);
    expect(lines.join('\n')).toContain('database system was shut down at');
  });

  test('of the program and the guard of its server, the orphaned server is stopped and nothing committed is lost', async () => {
    const folder = await databaseFolder();
    const { program, line: url } = await startOtherProgram(folder);
    await query(url, 'create table stored as select 42 as answer');
    const orphan = await postmasterPid(folder);
    for (const pid of processesNaming(`keepwatch-guard\0${folder}`)) process.kill(pid, 'SIGKILL');
    await killHard(program);
    expect(() => process.kill(orphan, 0)).not.toThrow();

    const lines: string[] = [];
    const database = await startForTest(folder, { log: (line) => lines.push(line) });
    expect(await query(database.url, 'select answer from stored')).toEqual([{ answer: 42 }]);
    expect(lines[0]).toContain(`still runs (process ${orphan})`);
    await expect(query(url, 'select 1')).rejects.toThrow();
  });

  test('of program and server, the next start recovers', async () => {
    const folder = await databaseFolder();
    const { program, line: url } = await startOtherProgram(folder);
    await query(url, 'create table stored as select 42 as answer');
    const server = await postmasterPid(folder);
    await killHard(program);
    process.kill(server, 'SIGKILL');
    const database = await startForTest(folder);
    expect(await query(database.url, 'select answer from stored')).toEqual([{ answer: 42 }]);
  });

  test('of the server while one of its sessions works on, the session is ended before a new server starts', async () => {
    const folder = await databaseFolder();
    const { program, line: url } = await startOtherProgram(folder);
    const busy = query(url, 'select count(*) from generate_series(1, 1e12::bigint)').catch(() => 'ended');
    await expect
      .poll(() => query(url, `select 1 from pg_stat_activity where query like '%1e12%' and state = 'active'`))
      .toHaveLength(2);
    const server = await postmasterPid(folder);
    await killHard(program);
    process.kill(server, 'SIGKILL');
    const database = await startForTest(folder);
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await busy).toBe('ended');
  }, 90_000);

  test('a left process number that now belongs to a stranger does not block the start', async () => {
    const folder = await databaseFolder();
    await (await startForTest(folder)).stop();
    await writeFile(join(folder, 'postgres', 'postmaster.pid'), `${process.ppid}\n/nowhere\n1\n5432\n\n\n\nready\n`);
    const database = await startForTest(folder);
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
