import type { BackupResult } from '@keepwatch/engine/backup/backup';
import type { RepositoryCatalog } from '@keepwatch/engine/catalog/catalog';
import type { HeldItems } from '@keepwatch/sandbox/microsoft365/mailbox/held-items';

/**
 * Requires that a backup which is timed read all there is: one that broke off, or left something out, would be faster and none to compare with.
 * @throws Error that says what is missing
 */
export async function requireWhole(
  { outcome, findings }: Pick<BackupResult, 'outcome' | 'findings'>,
  catalog: Pick<RepositoryCatalog, 'listObjects' | 'walk'>,
  held: HeldItems,
): Promise<void> {
  if (outcome !== 'Success')
    throw new Error(`The backup ended as ${outcome}: ${JSON.stringify(findings).slice(0, 500)}`);
  const stored = await storedItems(catalog);
  if (JSON.stringify(stored) !== JSON.stringify(held))
    throw new Error(`The backup has ${JSON.stringify(stored)}, and the tenant ${JSON.stringify(held)}.`);
}

async function storedItems(catalog: Pick<RepositoryCatalog, 'listObjects' | 'walk'>): Promise<HeldItems> {
  const stored: HeldItems = { message: 0, event: 0, contact: 0, task: 0 };
  for await (const { key, revision } of catalog.listObjects())
    for await (const { kind } of catalog.walk(key, revision, null)) if (isCounted(kind)) stored[kind] += 1;
  return stored;
}

const isCounted = (kind: string): kind is keyof HeldItems => ['message', 'event', 'contact', 'task'].includes(kind);
