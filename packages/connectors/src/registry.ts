import type { BackupSourceManifest } from './ports/manifest.ts';

interface Entry {
  label: string;
  load(): Promise<{ manifest: BackupSourceManifest }>;
}

/** Every vendor of the port, loaded when it is first asked for. The key is its kind. */
const BACKUP_SOURCES: Readonly<Record<string, Entry>> = {
  vac: { label: 'Veeam Service Provider Console', load: () => import('./vspc/manifest.ts') },
};

/** Kinds and labels, to choose from; loads nothing. */
export const backupSourceKinds: readonly { kind: string; label: string }[] = Object.entries(BACKUP_SOURCES).map(
  ([kind, { label }]) => ({ kind, label }),
);

/** Loads a vendor's manifest. Throws for a kind that is none, naming those there are. */
export async function loadBackupSource(kind: string): Promise<BackupSourceManifest> {
  const entry = Object.hasOwn(BACKUP_SOURCES, kind) ? BACKUP_SOURCES[kind] : undefined;
  if (!entry) {
    const known = backupSourceKinds.map((source) => source.kind).join(', ');
    throw new Error(`There is no backup source of the kind "${kind}"; there are: ${known}`);
  }
  return (await entry.load()).manifest;
}
