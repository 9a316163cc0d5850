import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import type { Catalog, RepositoryCatalog } from '../catalog/catalog.ts';
import { openCatalog } from '../catalog/postgres/open-catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { Repository } from '../repository/repository.ts';
import { openStore } from '../store/open-store.ts';
import type { CommandContext, CommandEnd, CommandOption } from './command.ts';

/** Options of every command that works on a repository. */
export const REPOSITORY_OPTIONS: Readonly<Record<string, CommandOption>> = {
  repository: { type: 'string', short: 'r', help: 'a folder, or s3://bucket/prefix (KEEPWATCH_REPOSITORY)' },
  'password-file': {
    type: 'string',
    help: 'file with the password on its first line (or KEEPWATCH_REPOSITORY_PASSWORD)',
  },
  database: {
    type: 'string',
    help: 'PostgreSQL of the catalog (DATABASE_URL); without one an embedded one is started in --data',
  },
  data: { type: 'string', help: 'folder of the embedded database (KEEPWATCH_ENGINE_DATA, ~/.keepwatch-engine)' },
  json: { type: 'boolean', help: 'JSON lines instead of text' },
};

/** A repository with its catalog; `close` gives back all that was opened. */
export interface OpenParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  close(): Promise<void>;
}

/** Opens what a command works on, and closes it whatever happens. */
export async function withParts(
  context: CommandContext,
  work: (parts: OpenParts) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  const repository = await openGivenRepository(context);
  const closing: (() => Promise<void>)[] = [() => repository.close()];
  try {
    const { catalog, close } = await openGivenCatalog(context);
    closing.unshift(close);
    return await work({ repository, catalog: await catalog.repository(repository.id), close });
  } finally {
    for (const close of closing) await close();
  }
}

export async function openGivenRepository(context: CommandContext): Promise<Repository> {
  return openRepository(await openStore(repositoryPlace(context), context.environment), await readPassword(context));
}

export function repositoryPlace({ given, environment }: CommandContext): string {
  const place = given.text('repository') ?? environment.KEEPWATCH_REPOSITORY;
  if (place !== undefined && place !== '') return place;
  throw new EngineError(
    'bad-request',
    'Say which repository: --repository <folder or s3://bucket/prefix>, or KEEPWATCH_REPOSITORY.',
  );
}

/** The password never stands on the command line, where every user of the machine could read it. */
export async function readPassword({ given, environment }: CommandContext, name = 'password-file'): Promise<string> {
  const file = given.text(name);
  if (file !== undefined) return firstLine(await readTextFile(file));
  const password = environment.KEEPWATCH_REPOSITORY_PASSWORD;
  if (password !== undefined && password !== '') return password;
  throw new EngineError(
    'bad-request',
    'Give the password of the repository: --password-file <file>, or KEEPWATCH_REPOSITORY_PASSWORD.',
  );
}

export async function readTextFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new EngineError(
      'bad-request',
      `The file ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  });
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

async function openGivenCatalog({
  given,
  environment,
}: CommandContext): Promise<{ catalog: Catalog; close: () => Promise<void> }> {
  const url = given.text('database') ?? environment.DATABASE_URL;
  if (url !== undefined && url !== '') {
    const catalog = await openCatalog(url);
    return { catalog, close: () => catalog.close() };
  }
  const folder = given.text('data') ?? environment.KEEPWATCH_ENGINE_DATA ?? join(homedir(), '.keepwatch-engine');
  const database = await startEmbeddedDatabase({ dataDir: folder, log: () => undefined });
  const catalog = await openCatalog(database.url);
  return {
    catalog,
    async close() {
      await catalog.close();
      await database.stop();
    },
  };
}
