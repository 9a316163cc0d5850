import type { ObjectStore } from '../store/object-store.ts';
import type { RepositoryKeys } from './keys.ts';
import { CLAIM_NAME, REVISION_NAME } from './object-names.ts';
import type { ObjectClaim } from './repository.ts';
import { seal } from './sealed.ts';

const CLAIM = 'claim-';
const REVISION = 'revision-';

/**
 * Writes down that a run works on an object (format, 9). It owns the object when a look at the claims after that shows no other: of two
 * that claim it at once, at least one sees the other.
 * @param key of the object, in base64url
 */
export async function claimObject(
  { store, keys }: { store: ObjectStore; keys: RepositoryKeys },
  key: string,
  run: string,
): Promise<ObjectClaim> {
  // Names in a store are of lower case.
  const folder = `objects/${Buffer.from(key, 'base64url').toString('hex')}/`;
  const own = folder + CLAIM + run;
  let revisions: number[] = [];
  const write = async (name: string) =>
    store.create(name, await seal(keys.encryption, name, `${JSON.stringify({ run })}\n`));
  await write(own);
  return {
    async look() {
      const others: string[] = [];
      revisions = [];
      for await (const { name } of store.list(folder)) {
        const last = name.slice(folder.length);
        const [revision, claim] = [REVISION_NAME.exec(last)?.[1], CLAIM_NAME.exec(last)?.[1]];
        if (revision !== undefined) revisions.push(Number(revision));
        else if (claim !== undefined && name !== own) others.push(claim);
      }
      return { others, revision: Math.max(0, ...revisions) };
    },
    forget: (other) => store.delete(folder + CLAIM + other),
    async release(revision) {
      if (revision > 0 && !revisions.includes(revision)) await write(folder + nameOf(revision));
      // What was there when the object was claimed: a run that has it by now has written other ones.
      for (const old of revisions) if (old !== revision) await store.delete(folder + nameOf(old));
      await store.delete(own);
    },
    withdraw: () => store.delete(own),
  };
}

function nameOf(revision: number): string {
  return REVISION + String(revision).padStart(8, '0');
}
