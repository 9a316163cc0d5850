import { backgroundDownloadReply, listDownloads, readDownload } from '@keepwatch/contract/restore/downloads';
import { downloadMailbox, listRestoreMailboxes, restoreMailboxToAnother } from '@keepwatch/contract/restore/mailboxes';
import {
  createRestoreRole,
  editRestoreRole,
  listRestoreRoles,
  readRestoreRole,
} from '@keepwatch/contract/restore/roles';
import { listRestoreOperations, readRestoreOperation } from '@keepwatch/contract/restore/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../../foundation/database.ts';
import { buildCompany } from '../../testing/builders.ts';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessions } from '../testing/operator-bed.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

let bed: RestoreBed;
let people: { id: string; name: string; address: string | null }[];
beforeAll(async () => {
  bed = await startRestoreBed({ users: 3 });
  people = (await bed.stored.catalog.findObjects({ kinds: ['mailbox'], limit: 10 })).rows;
});
afterAll(() => bed.stop());

const move = (companyId: string) =>
  execute(
    bed.services.database,
    sql`update m365_organizations set company_id = ${companyId} where id = ${bed.organization.id}`,
  );

async function roleFor(operator: Caller, excluded: readonly string[]) {
  const admin = await bed.as('o365_admin');
  const body = {
    name: operator.username,
    roleType: 'EntireOrganization' as const,
    operators: [{ id: operator.userId }],
    excludedItems: excluded.map((id) => ({ type: 'User' as const, id })),
  };
  return (await admin.call(createRestoreRole, { params: { organizationId: bed.organization.id }, body })).data;
}

describe('an organization that is moved to another company', () => {
  it('takes its roles, restores and downloads with it', async () => {
    const { companyId } = bed.organization;
    const other = await buildCompany(bed.services.database);
    const [before, after] = [
      await bed.as('o365_admin', { companyIds: [companyId] }),
      await bed.as('o365_admin', { companyIds: [other] }),
    ];
    await bed.prove(before, 'administrator');
    const role = await roleFor(await bed.as('restore-operator'), []);
    const params = { restoreSessionId: (await openSessions(bed, before)).vex, mailboxId: people[0]?.id ?? '' };
    const { data: restore } = await before.call(restoreMailboxToAnother, { params, body: { folder: 'Back' } });
    const reply = await before.send(downloadMailbox, { params, body: { downloadInBackground: true } });
    const { download } = backgroundDownloadReply.parse(await reply.json());
    bed.sent.splice(0);
    expect((await before.call(listRestoreRoles, {})).count).toBe(1);
    await move(other);
    try {
      expect(await before.call(listRestoreRoles, {})).toMatchObject({ count: 0, data: [] });
      expect(await before.call(listRestoreOperations, {})).toMatchObject({ count: 0, data: [] });
      expect(await before.call(listDownloads, { body: {} })).toMatchObject({ count: 0, results: [] });
      const [opRoleId, operationId, id] = [role.id, restore.id, download.id];
      const { name, roleType, operators } = role;
      const body = { name, roleType, operators };
      const answers = [
        await before.send(readRestoreRole, { params: { opRoleId } }),
        await before.send(editRestoreRole, { params: { opRoleId }, body }),
        await before.send(readRestoreOperation, { params: { operationId } }),
        await before.send(readDownload, { params: { id } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      const shown = await after.call(readRestoreRole, { params: { opRoleId } });
      expect(shown.data).toMatchObject({ id: opRoleId, companyId: other });
    } finally {
      await move(companyId);
    }
  });
});

describe('a role whose ids are in capitals', () => {
  it('means the same people', async () => {
    const operator = await bed.as('restore-operator');
    const [hidden, ...others] = people;
    await roleFor(operator, [hidden?.id.toUpperCase() ?? '']);
    const restoreSessionId = (await openSessions(bed, operator)).vex;
    const { data } = await operator.call(listRestoreMailboxes, { params: { restoreSessionId }, query: { limit: 100 } });
    const shown = data.results.map(({ id }) => id);
    expect(shown).not.toContain(hidden?.id);
    expect(shown).toContain(others[0]?.id);
  });
});
