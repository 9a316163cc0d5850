import { existsSync } from 'node:fs';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { cleanedUp, orStopped } from '../model/stoppable.ts';
import type { Repository } from '../repository/repository.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { StorePlace } from '../store/store-place.ts';
import type { CommandContext, CommandEnd } from './command.ts';
import type { CommandOption } from './command-option.ts';
import { openGivenCatalog } from './given-catalog.ts';
import { readTextFile } from './text/text-file.ts';

/** How every command reports what it found. */
export const OUTPUT_OPTIONS: Readonly<Record<string, CommandOption>> = {
  json: { type: 'boolean', help: 'JSON lines instead of text, for programs' },
};

/** Where a repository is, and its password: all that a command without catalog needs. */
export const PLACE_OPTIONS: Readonly<Record<string, CommandOption>> = {
  repository: { type: 'string', short: 'r', help: 'a folder, or s3://bucket/prefix (KEEPWATCH_REPOSITORY)' },
  'password-file': {
    type: 'string',
    help: 'file with the password on its first line (or KEEPWATCH_REPOSITORY_PASSWORD)',
  },
  ...OUTPUT_OPTIONS,
};

/** Options of every command that works on a repository with its catalog. */
export const REPOSITORY_OPTIONS: Readonly<Record<string, CommandOption>> = {
  ...PLACE_OPTIONS,
  database: {
    type: 'string',
    help: 'address of the PostgreSQL for the catalog (DATABASE_URL); without one an embedded one is started in --data',
  },
  data: { type: 'string', help: 'folder of the embedded database (KEEPWATCH_ENGINE_DATA, ~/.keepwatch-engine)' },
};

/** For commands whose rows have long ids. */
export const ID_OPTIONS: Readonly<Record<string, CommandOption>> = {
  ids: { type: 'boolean', help: 'also the ids, whole, below each row' },
};

/** A repository with its catalog; `close` gives back all that was opened. */
export interface OpenParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  close(): Promise<void>;
}

/**
 * Opens what a command works on, and closes it whatever happens.
 * @param looks see `openGivenCatalog`
 */
export async function withParts(
  context: CommandContext,
  work: (parts: OpenParts) => Promise<CommandEnd>,
  { looks = false } = {},
): Promise<CommandEnd> {
  return withRepository(context, async (repository) => {
    const { catalog, close } = await openGivenCatalog(context, looks);
    try {
      return await work({ repository, catalog: await catalog.repository(repository.id), close });
    } finally {
      await close();
    }
  });
}

/** The same for what needs no catalog. */
export async function withRepository(
  context: CommandContext,
  work: (repository: Repository, store: ObjectStore) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  const { signal } = context;
  const password = await readPassword(context);
  const store = await orStopped(openGivenStore(context), signal);
  try {
    const { openRepository } = await import('../repository/open-repository.ts');
    const repository = await orStopped(openRepository(store, password), signal);
    return await work(repository.until(signal), store);
  } finally {
    await closeStore(store, signal);
  }
}

/** Closing waits for what is under way; when the command was stopped, a moment only, as the store may never answer. */
async function closeStore(store: ObjectStore, signal: AbortSignal): Promise<void> {
  try {
    await cleanedUp(signal, (late) => orStopped(store.close(), late));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** @param isNew whether a folder may be made: all else says that there is nothing, and leaves no folder behind for a typing error */
export async function openGivenStore(context: CommandContext, { isNew = false } = {}): Promise<ObjectStore> {
  const parsed = await readPlace(context);
  if (!isNew && parsed.kind === 'folder' && !existsSync(parsed.path))
    throw new EngineError(
      'no-repository',
      `There is no folder ${parsed.path}. Correct --repository, or make one with 'init'.`,
    );
  const { openStore } = await import('../store/open-store.ts');
  return openStore(givenPlace(context), context.environment);
}

/** Where the repository is. @throws EngineError `bad-request` */
export async function readPlace(context: CommandContext): Promise<StorePlace> {
  const place = givenPlace(context);
  const { parseStorePlace } = await import('../store/store-place.ts');
  return parseStorePlace(place);
}

function givenPlace({ given, environment }: CommandContext): string {
  const place = given.text('repository') ?? environment.KEEPWATCH_REPOSITORY;
  if (place !== undefined && place !== '') return place;
  throw new EngineError(
    'bad-request',
    'Say which repository: --repository <folder or s3://bucket/prefix>, or KEEPWATCH_REPOSITORY.',
  );
}

/** The password is never given on the command line, where every user of the machine could read it. */
export async function readPassword({ given, environment }: CommandContext): Promise<string> {
  const file = given.text('password-file');
  if (file !== undefined) return readPasswordFile(file);
  const password = environment.KEEPWATCH_REPOSITORY_PASSWORD;
  if (password !== undefined && password !== '') return password;
  throw new EngineError(
    'bad-request',
    'Give the password of the repository: --password-file <file>, or KEEPWATCH_REPOSITORY_PASSWORD.',
  );
}

/** @throws `bad-request` when the first line is empty, as in a file that was never filled */
export async function readPasswordFile(path: string): Promise<string> {
  const [line = ''] = (await readTextFile(path)).replace(/^\u{feff}/u, '').split(/\r?\n/, 1);
  if (line !== '') return line;
  throw new EngineError('bad-request', `The file ${path} has no password on its first line.`);
}
