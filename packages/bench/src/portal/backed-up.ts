import { join } from 'node:path';
import type { RepositoryCatalog } from '@keepwatch/engine/catalog/catalog';
import { openCatalog } from '@keepwatch/engine/catalog/postgres/open-catalog';
import type { Commit, ObjectChange } from '@keepwatch/engine/repository/commit';
import { createRepository } from '@keepwatch/engine/repository/open-repository';
import type { Repository } from '@keepwatch/engine/repository/repository';
import { openFolderStore } from '@keepwatch/engine/store/folder/folder-store';
import { madeCommit, madeFolder, madeMessage } from '../engine/made-commits.ts';
import { indexAtOnce, indexMadeTexts } from '../engine/made-index.ts';
import { textsOf } from '../made-words.ts';
import { SITES, USERS } from './bench-tenant.ts';

const PASSWORD = 'the password of the benchmark';
/** Messages in one folder of the first mailbox. */
export const LARGE_FOLDER = 50_000;
const WORDS_A_NAME = 6;
const ITEMS_A_COMMIT = 20_000;

type Section = Commit['sections'][number];

export interface BackedUp {
  path: string;
  password: string;
  engineId: string;
}

/** How many messages have attachments. */
const ATTACHMENTS_ONE_OF = 5;

/**
 * A repository with one restore point of a tenant: mailboxes of many messages, the first with a large folder, and sites. It is made in the
 * catalog: what is measured reads no contents.
 * @param items messages of all mailboxes together
 */
export function backUpTenant(folder: string, databaseUrl: string, tenantId: string, items: number): Promise<BackedUp> {
  return inRepository(folder, databaseUrl, async (repository, catalog) => {
    await applyRun(catalog, crypto.randomUUID(), sectionsOf(repository, tenantId, items));
    await indexAtOnce(databaseUrl, () => indexMadeTexts(catalog, textsOf(11)));
  });
}

/** A repository with one mailbox in one restore point, `Person 00000` with a large `Inbox`; it is browsed and not searched. */
export function backUpLargeMailbox(folder: string, databaseUrl: string, tenantId: string): Promise<BackedUp> {
  return inRepository(folder, databaseUrl, (repository, catalog) =>
    applyRun(catalog, crypto.randomUUID(), [
      mailbox(repository, tenantId, { number: 0, first: 0, count: LARGE_FOLDER }, textsOf(7)),
    ]),
  );
}

async function inRepository(
  folder: string,
  databaseUrl: string,
  work: (repository: Repository, catalog: RepositoryCatalog) => Promise<void>,
): Promise<BackedUp> {
  const path = join(folder, 'repository');
  const repository = await createRepository(await openFolderStore(path), PASSWORD);
  const catalogs = await openCatalog(databaseUrl);
  try {
    await work(repository, await catalogs.repository(repository.id));
    return { path, password: PASSWORD, engineId: repository.id };
  } finally {
    await catalogs.close();
    await repository.close();
  }
}

function* sectionsOf(repository: Repository, organizationId: string, items: number): Generator<Section> {
  const words = textsOf(7);
  const others = Math.ceil((items - LARGE_FOLDER) / (USERS - 1));
  for (let number = 0; number < USERS; number += 1) {
    const count = number === 0 ? LARGE_FOLDER : others;
    yield mailbox(repository, organizationId, { number, first: number * others, count }, words);
  }
  for (let number = 0; number < SITES; number += 1) yield section(repository, organizationId, 'site', number, []);
}

function mailbox(
  repository: Repository,
  organizationId: string,
  { number, first, count }: { number: number; first: number; count: number },
  words: (count: number) => string,
): Section {
  const messages = Array.from({ length: count }, (_, at) => put(message(first + at, words(WORDS_A_NAME))));
  return section(repository, organizationId, 'mailbox', number, [put(madeFolder('Inbox')), ...messages]);
}

function message(number: number, subject: string) {
  const made = madeMessage('Inbox', number, 0, subject);
  return { ...made, details: { ...made.details, hasAttachments: number % ATTACHMENTS_ONE_OF === 0 } };
}

const put = (item: Extract<ObjectChange, { type: 'put' }>['item']): ObjectChange => ({ type: 'put', item });

function section(
  repository: Repository,
  organizationId: string,
  kind: 'mailbox' | 'site',
  number: number,
  changes: readonly ObjectChange[],
): Section {
  const id = `${kind}-${String(number).padStart(5, '0')}`;
  const key = repository.objectKey({ organizationId, kind, id });
  const [made] = madeCommit(key, 1, changes).sections;
  if (made === undefined) throw new Error('A commit was made without a section.');
  const name = `${kind === 'site' ? 'project' : 'Person'} ${String(number).padStart(5, '0')}`;
  const address = kind === 'site' ? `https://contoso.sharepoint.com/sites/project-${number}` : `person${number}@x.test`;
  return { ...made, id, organizationId, kind, name, address };
}

/** Applies one run in commits that are about as large as those of a backup. */
async function applyRun(catalog: RepositoryCatalog, job: string, sections: Iterable<Section>): Promise<void> {
  const { header, end, ...run } = madeCommit('', 1, []);
  const objects: (readonly [string, number])[] = [];
  let waiting: Section[] = [];
  let sequence = 1;
  const apply = (isLast: boolean) => {
    const organizationId = waiting[0]?.organizationId ?? '';
    const first = header === null ? null : { ...header, job, jobName: 'Bench', organizationId };
    const last = end === null ? null : { ...end, objects };
    const part = { sequence, sections: waiting, header: sequence === 1 ? first : null, end: isLast ? last : null };
    waiting = [];
    sequence += 1;
    return catalog.apply({ ...run, ...part });
  };
  let changes = 0;
  for (const one of sections) {
    objects.push([one.key, one.revision]);
    waiting.push(one);
    changes += one.changes.length + 1;
    if (changes < ITEMS_A_COMMIT) continue;
    await apply(false);
    changes = 0;
  }
  await apply(true);
}
