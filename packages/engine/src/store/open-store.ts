import { openFolderStore } from './folder/folder-store.ts';
import type { ObjectStore } from './object-store.ts';
import { parseStorePlace } from './store-place.ts';

/** Settings by name, as a process finds them in its environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens the store at a place: a folder's path, or `s3://bucket/prefix?endpoint=…&region=…&path-style` with keys from the environment.
 *
 * @throws `bad-request` for a place that is none, or without keys; `store-refused`, `store-unreachable` as the store answers
 */
export async function openStore(place: string, environment: Environment): Promise<ObjectStore> {
  const parsed = parseStorePlace(place);
  if (parsed.kind === 'folder') return openFolderStore(parsed.path);
  // Only who uses a bucket pays for loading its client.
  const [{ openS3Store }, { s3Settings }] = await Promise.all([
    import('./s3/open-s3-store.ts'),
    import('./s3/s3-settings.ts'),
  ]);
  return openS3Store(s3Settings(parsed, environment));
}
