import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AcceptedLosses, type Losses } from '../model/accepted-losses.ts';
import { orDamaged } from '../model/or-damaged.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { RepositoryKeys } from './keys.ts';
import { LOSSES_NAME } from './object-names.ts';
import { parseJson } from './parse-json.ts';
import { seal, unseal } from './sealed.ts';

const FOLDER = 'losses/';
/** So that an object stays far below what a reader accepts. */
const CHUNKS_AN_OBJECT = 500_000;

const schema = z.object({
  at: z.iso.datetime().transform((text) => new Date(text)),
  commits: z.array(z.tuple([z.string(), z.int(), z.int()])),
  revisions: z.array(z.tuple([z.string(), z.int(), z.int(), z.int().optional()])),
  openRuns: z.array(z.string()),
  chunks: z.array(z.tuple([z.string(), z.array(z.string())])),
  segments: z.array(z.string()).optional(),
});

/** Writes what is lost, in several objects where it is much. */
export async function acceptLosses(store: ObjectStore, keys: RepositoryKeys, losses: Losses): Promise<void> {
  for (const part of inParts(losses)) {
    const name = `${FOLDER}${randomUUID()}`;
    await store.create(name, await seal(keys.encryption, name, JSON.stringify(part)));
  }
}

function* inParts(losses: Losses): Generator<Losses> {
  let rest: Losses = { ...losses, chunks: [] };
  let count = 0;
  for (const [pack, ids] of losses.chunks)
    for (let at = 0; at < ids.length; at += CHUNKS_AN_OBJECT) {
      const some = ids.slice(at, at + CHUNKS_AN_OBJECT);
      if (count + some.length > CHUNKS_AN_OBJECT) {
        yield rest;
        rest = { at: losses.at, commits: [], revisions: [], openRuns: [], chunks: [] };
        count = 0;
      }
      rest = { ...rest, chunks: [...rest.chunks, [pack, some]] };
      count += some.length;
    }
  yield rest;
}

export async function readAcceptedLosses(store: ObjectStore, keys: RepositoryKeys): Promise<AcceptedLosses> {
  const all: Losses[] = [];
  for await (const { name } of store.list(FOLDER))
    if (LOSSES_NAME.test(name)) all.push(...(await readLosses(store, keys, name)));
  return new AcceptedLosses(all);
}

/** None of an object that cannot be read: then what it says counts as lost again, and can be accepted again. */
async function readLosses(store: ObjectStore, keys: RepositoryKeys, name: string): Promise<Losses[]> {
  const text = await orDamaged(store.read(name).then((bytes) => unseal(keys.encryption, name, bytes)));
  const read = schema.safeParse(text === null ? undefined : parseJson(text));
  return read.success ? [read.data] : [];
}
