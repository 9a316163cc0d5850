import { listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessions } from '../testing/operator-bed.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

let bed: RestoreBed;
let admin: Caller;
let restoreSessionId: string;
beforeAll(async () => {
  bed = await startRestoreBed({ users: 2 });
  admin = await bed.as('o365_admin');
  restoreSessionId = (await openSessions(bed, admin)).vex;
});
afterAll(() => bed.stop());

const removed = () => sql`jsonb_set(points->0, '{repositoryId}', to_jsonb(${newId()}::text))`;
const setPoints = (points: ReturnType<typeof sql>) =>
  execute(bed.services.database, sql`update restore_sessions set points = ${points} where id = ${restoreSessionId}`);
const mailboxes = () => admin.send(listRestoreMailboxes, { params: { restoreSessionId } });

it('a session goes on with the repositories that are left, and ends with the last one', async () => {
  await setPoints(sql`points || ${removed()}`);
  const left = await mailboxes();
  expect(left.status).toBe(200);
  expect((await left.json()).data.results.length).toBeGreaterThan(0);
  await setPoints(sql`jsonb_build_array(${removed()})`);
  const none = await mailboxes();
  expect([none.status, (await none.json()).code]).toEqual([409, 'RESTORE_SESSION_ENDED']);
});
