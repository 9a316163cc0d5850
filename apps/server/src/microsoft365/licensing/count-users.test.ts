import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { readDirectories } from '../people/read-directories.ts';
import { WorkerBed } from '../sessions/testing/worker-bed.ts';
import { countUsers } from './count-users.ts';
import { partOf } from './counted-part.ts';

const bed = new WorkerBed();
const never = new AbortController().signal;

const countedUsers = () =>
  rows<{ name: string; mailbox: number | null; drive: number | null; bytes: number; began: string; last: string }>(
    bed.database.pool,
    sql`select u.name, u.mailbox_bytes as mailbox, u.drive_bytes as drive, u.bytes, p.began_on as began, p.last_backup_on as last
        from m365_protected_users u join m365_license_periods p on p.provider_id = u.provider_id and p.user_id = u.id order by u.name, p.began_on`,
  );

/** Midnight may pass between a run and what is asked of it. */
async function dayOfLastRun(): Promise<string | undefined> {
  const [last] = await rows<{ day: string }>(
    bed.database.pool,
    sql`select (max(ended_at) at time zone 'UTC')::date::text as day from m365_job_sessions`,
  );
  return last?.day;
}

/** Moves the end of all runs, as if they had been made so many days before, and has them counted again. */
const movedBy = (days: number) =>
  execute(
    bed.database.pool,
    sql`update m365_job_sessions set started_at = started_at - make_interval(days => ${days}), ended_at = ended_at - make_interval(days => ${days}),
          count_users_at = '-infinity'`,
  );

// Each test makes whole backups of a tenant.
describe('the users of a restore point', { timeout: 120_000 }, () => {
  it('are counted once each, with the sizes of what is backed up of them', async () => {
    const { buildJob } = await bed.place();
    const services = await bed.worker();
    const session = await bed.begin(await buildJob(bed.ofPeople(3)));
    await bed.ended(session);
    await countUsers(services, never);
    const day = await dayOfLastRun();
    const counted = await countedUsers();
    // The first is the administrator, who has nothing to back up and needs no licence.
    const [administrator, ...people] = bed.tenant.tenant.directory.users.slice(0, 3);
    expect(administrator?.mailbox).toBeNull();
    const names = people.map(({ displayName }) => displayName).sort();
    expect(counted.map(({ name }) => name)).toEqual(names);
    for (const { mailbox, drive, bytes, began, last } of counted) {
      expect(bytes).toBe((mailbox ?? 0) + (drive ?? 0));
      expect(bytes).toBeGreaterThan(0);
      expect([began, last]).toEqual([day, day]);
    }
    const complete = await rows<{ kind: string }>(
      bed.database.pool,
      sql`select kind from m365_object_points where complete_at is not null and seen_at = complete_at order by kind`,
    );
    expect(new Set(complete.map(({ kind }) => kind))).toEqual(new Set(['drive', 'mailbox']));
    // Nothing is left to count, and to count twice changes nothing.
    await countUsers(services, never);
    await execute(bed.database.pool, sql`update m365_job_sessions set count_users_at = '-infinity'`);
    await countUsers(services, never);
    expect(await countedUsers()).toEqual(counted);

    // A licence goes on over 31 days without a backup and ends after them, in whichever order runs are counted.
    await movedBy(31);
    await countUsers(services, never);
    expect((await countedUsers()).filter(({ name }) => name === names[0])).toMatchObject([{ last: day }]);
    await movedBy(32);
    await countUsers(services, never);
    expect((await countedUsers()).filter(({ name }) => name === names[0])).toHaveLength(2);
  });

  it('are no longer among the people of the directory who are not backed up', async () => {
    const { buildJob, organization } = await bed.place();
    const services = await bed.worker();
    const unprotected = () =>
      rows<{ people: number; unprotected: number; message: string | null }>(
        bed.database.pool,
        sql`select d.people, d.message, (select count(*) from m365_unprotected_people p where p.organization_id = d.organization_id) as unprotected
            from m365_directory_reads d where d.organization_id = ${organization.id}`,
      );
    await readDirectories(services, never);
    const [before] = await unprotected();
    // Guests, shared mailboxes and the administrator need no licence.
    const licensed = bed.tenant.tenant.directory.users.filter(({ skuIds }) => skuIds.length > 0).length;
    expect(before).toEqual({ people: licensed, unprotected: licensed, message: null });
    await bed.ended(await bed.begin(await buildJob(bed.ofPeople(2))));
    await countUsers(services, never);
    expect(await unprotected()).toEqual([{ ...before, unprotected: licensed - 1 }]);

    // Read again, it is the same; where Microsoft cannot be asked, what was read stays, and why is stored.
    const again = sql`update m365_directory_reads set next_at = '-infinity'`;
    await execute(bed.database.pool, again);
    await readDirectories(services, never);
    expect(await unprotected()).toEqual([{ ...before, unprotected: licensed - 1 }]);
    await execute(bed.database.pool, again);
    await readDirectories({ ...services, connect: () => Promise.reject(new Error('no way')) }, never);
    expect(await unprotected()).toMatchObject([{ people: licensed, message: expect.stringContaining('tried again') }]);
  });

  it('of a repository that cannot be read are counted later, and stop none of the others', async () => {
    await execute(bed.database.pool, sql`delete from m365_protected_users`);
    const [gone, there] = [await bed.place(), await bed.place()];
    const services = await bed.worker();
    for (const place of [gone, there]) await bed.ended(await bed.begin(await place.buildJob(bed.ofPeople(2))));
    await execute(
      bed.database.pool,
      sql`update m365_repositories set secrets = '\\x00' where id = ${gone.repositoryId}`,
    );
    await countUsers(services, never);
    expect(await countedUsers()).toHaveLength(1);
    const waiting = await rows(
      bed.database.pool,
      sql`select from m365_job_sessions where count_users_at > now() and count_users_at < 'infinity'`,
    );
    expect(waiting).toHaveLength(1);
  });
});

describe('whose an object is', () => {
  const object = { organizationId: 't', address: null, key: 'k', revision: 1, id: 'A', name: 'Ada', owner: null };

  it('says the object itself, or its owner: what is of a group, a team or a site is no user’s', () => {
    expect(partOf({ ...object, kind: 'mailbox' })).toMatchObject({ userId: 'a', part: 'mailbox', name: 'Ada' });
    expect(partOf({ ...object, kind: 'drive', owner: 'user/B', name: 'Bob: Documents' })).toMatchObject({
      userId: 'b',
      name: 'Bob',
    });
    expect(partOf({ ...object, kind: 'mailbox', owner: 'group/G' })).toBeNull();
    expect(partOf({ ...object, kind: 'drive', owner: 'site/S' })).toBeNull();
    expect(partOf({ ...object, kind: 'drive' })).toBeNull();
    expect(partOf({ ...object, kind: 'site' })).toBeNull();
  });
});
