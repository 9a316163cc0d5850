import { describe, expect, it } from 'vitest';
import { connectors } from './registry.ts';

const ALL = connectors.ports.flatMap((port) => connectors.kindsOf(port).map((entry) => ({ port, ...entry })));

describe('the registry of connectors', () => {
  it.each(ALL)('loads $kind of $port, which calls itself the same', async ({ port, kind, label }) => {
    const manifest = await connectors.load(port, kind);
    expect([manifest.kind, manifest.label]).toEqual([kind, label]);
    expect(manifest.settings.length).toBeGreaterThan(0);
  });

  it.each(['nothing', '', '__proto__', 'toString'])('says that %j is none, and what there is', async (kind) => {
    await expect(connectors.load('backup-source', kind)).rejects.toThrow(`"${kind}" for backup-source; there are: vac`);
    await expect(connectors.load(kind, 'vac')).rejects.toThrow(`for ${kind}; there are: none`);
    expect(connectors.kindsOf(kind)).toEqual([]);
    expect(connectors.labelOf('backup-source', kind)).toBe(kind);
  });
});
