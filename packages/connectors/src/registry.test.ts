import { describe, expect, it } from 'vitest';
import { backupSourceKinds, loadBackupSource } from './registry.ts';

describe('the registry of backup sources', () => {
  it.each(backupSourceKinds)('loads $kind, which calls itself the same', async ({ kind, label }) => {
    const manifest = await loadBackupSource(kind);
    expect([manifest.kind, manifest.label]).toEqual([kind, label]);
    expect(manifest.settings.length).toBeGreaterThan(0);
  });

  it.each(['nothing', '', '__proto__', 'toString'])('says that %j is none, and what there is', async (kind) => {
    await expect(loadBackupSource(kind)).rejects.toThrow(`"${kind}"; there are: vac`);
  });
});
