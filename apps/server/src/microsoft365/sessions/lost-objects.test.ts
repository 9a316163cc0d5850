import type { SelectedItem } from '@keepwatch/connectors/ports/microsoft365-engine';
import { describe, expect, it } from 'vitest';
import { WorkerBed } from './testing/worker-bed.ts';

const bed = new WorkerBed();

const CHOSEN = { mailbox: true, archiveMailbox: false, oneDrive: true, sites: true, personalSite: false, teams: false };
const user = (id: string): SelectedItem => ({ type: 'User', id, name: '', ...CHOSEN, sites: false });
const site = (id: string): SelectedItem => ({ type: 'Site', id, name: '', ...CHOSEN });

async function runOf(selected: SelectedItem[]) {
  const { buildJob } = await bed.place(['exchange', 'sharepoint']);
  await bed.worker();
  const jobId = await buildJob({ backupType: 'SelectedItems', selected });
  const run = async () => {
    const session = await bed.begin(jobId);
    await bed.ended(session);
    return { ...(await bed.seen(session)), log: await bed.logOf(session) };
  };
  return run;
}

describe('a run over what is not there', () => {
  it('names a site that was deleted meanwhile, reads the rest, and is no Success', async () => {
    const { sites } = bed.tenant.tenant;
    const [gone, there] = sites.all().filter(({ facts, parent }) => facts.groupId !== undefined && !parent);
    if (gone === undefined || there === undefined) throw new Error('There are no two sites of groups.');
    const run = await runOf([site(gone.id), site(there.id)]);
    expect(await run()).toMatchObject({ result: 'Success' });
    sites.remove(gone, bed.tenant.tenant.nowMs());
    const seen = await run();
    expect(seen.result).toBe('Warning');
    expect(
      seen.log
        .filter(({ level }) => level !== 'info')
        .map(({ text }) => text)
        .join('\n'),
    ).toContain(gone.id);
    expect(seen.log.some(({ objectName, text }) => objectName !== null && /was read/.test(text))).toBe(true);
    sites.add(gone);
  }, 120_000);

  it('names a person whose mailbox has no licence any more, reads the others, and is no Success', async () => {
    const [lost, other] = bed.tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
    if (lost === undefined || other === undefined) throw new Error('There are no two mailboxes.');
    const run = await runOf([user(lost.id), user(other.id)].map((one) => ({ ...one, oneDrive: false })));
    expect(await run()).toMatchObject({ result: 'Success' });
    const { mailbox, skuIds } = lost;
    Object.assign(lost, { mailbox: null, skuIds: [] });
    const seen = await run();
    Object.assign(lost, { mailbox, skuIds });
    expect(seen.result).toBe('Warning');
    expect(seen.log.filter(({ level }) => level !== 'info').length).toBeGreaterThan(0);
  }, 120_000);
});
