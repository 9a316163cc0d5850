import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { EngineError } from '../../../model/engine-error.ts';
import { insideOf, smallDriveOf } from '../../../testing/graph/graph-drive.ts';
import { mailboxOf } from '../../../testing/graph/graph-mailbox.ts';
import { JumpingClock, startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';

let tenant: RunningTenant | undefined;

afterEach(() => tenant?.stop());

async function connected() {
  const clock = new JumpingClock();
  const { tenant: started, connection } = await startConnected({ now: () => new Date(clock.now()) }, { clock });
  tenant = started;
  const source = openGraphSource(connection, { keepExchangeStream: false, earlierVersions: 0 });
  const wait = (days: number) => clock.sleep(days * 86_400_000, undefined);
  return { tenant: started, source, wait };
}

test('an item whose removal the drive did not report is removed by the full scan after a month', async () => {
  const { tenant, source, wait } = await connected();
  const drive = await smallDriveOf(source, tenant);
  const inside = insideOf(tenant, drive);
  const replica = new Replica(source, drive);
  await replica.read();
  tenant.tenant.behaviours.missingTombstones = true;
  const file = [...inside.all()].find(({ kind }) => kind === 'file');
  if (file === undefined) throw new Error('The drive has no file.');
  inside.remove(file);
  await replica.read();
  expect(replica.items.has(file.id)).toBe(true);
  await wait(31);
  await replica.read();
  expect(replica.items.has(file.id)).toBe(false);
});

test('an item whose removal the mailbox did not report is removed by the full scan after a month', async () => {
  const { tenant, source, wait } = await connected();
  const object = await mailboxOf(source);
  const inside = tenant.tenant.mailboxes.of(object.id);
  const replica = new Replica(source, object);
  await replica.read();
  tenant.tenant.behaviours.missingTombstones = true;
  const before = replica.items.size;
  const personal = [...inside.folders.values()].find(
    ({ wellKnownName, folderClass }) => wellKnownName === undefined && folderClass === 'IPF.Note',
  );
  if (personal === undefined) throw new Error('The mailbox has no folder of its person.');
  inside.removeFolder(personal);
  await wait(31);
  await replica.read();
  expect(replica.items.size).toBeLessThan(before);
  expect([...replica.items.values()].map(({ item }) => item.name)).not.toContain(personal.displayName);
});

test('a list without its end fails, and takes nothing away', async () => {
  const { tenant, source } = await connected();
  const drive = await smallDriveOf(source, tenant);
  const replica = new Replica(source, drive);
  await replica.read();
  const before = replica.state();
  tenant.tenant.behaviours.endlessDeltas = true;
  replica.cursors.clear();
  await expect(replica.read()).rejects.toBeInstanceOf(EngineError);
  expect(replica.state()).toEqual(before);
});
