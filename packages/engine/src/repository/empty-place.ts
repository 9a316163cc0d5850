import { readdir } from 'node:fs/promises';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { StorePlace } from '../store/store-place.ts';
import { IDENTITY_NAME } from './identity.ts';

/** The folder of keys is all that an `init` that was interrupted leaves, and another one goes on from it. */
const KEYS = 'keys';
/** What file systems put into a folder by themselves. */
const OF_DISK = /^(?:\.|lost\+found$|System Volume Information$|\$RECYCLE\.BIN$)/;

/**
 * Refuses to make a repository among other files: a prune lists and deletes there, and a mistyped place is noticed before anything is written.
 * @throws EngineError `bad-request`
 */
export async function requireEmptyPlace(place: StorePlace, store: ObjectStore): Promise<void> {
  // A repository that is there is refused by its creation.
  for await (const _ of store.list(IDENTITY_NAME)) return;
  for await (const name of place.kind === 'folder' ? namesInFolder(place.path) : namesInBucket(store)) {
    if (name === KEYS) continue;
    throw new EngineError(
      'bad-request',
      `The ${store.description} is not empty: it has '${name}'. A repository needs a place of its own; give a new folder or prefix.`,
    );
  }
}

async function* namesInFolder(path: string): AsyncGenerator<string> {
  for (const name of await readdir(path)) if (!OF_DISK.test(name)) yield name;
}

async function* namesInBucket(store: ObjectStore): AsyncGenerator<string> {
  for await (const { name } of store.list('')) yield name.split('/', 1)[0] ?? '';
}
