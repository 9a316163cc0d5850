import { type BackupResult, backUp } from '../backup/backup.ts';
import { EngineError } from '../model/engine-error.ts';
import { allRuns } from '../rebuild/all-runs.ts';
import type { Repository } from '../repository/repository.ts';
import { indexWords } from '../search/index-words.ts';
import { Random } from '../testing/random.ts';
import type { TestParts } from '../testing/test-parts.ts';
import { WrittenObject, WrittenSource } from '../testing/written-source.ts';

export const JOB = {
  id: 'job',
  name: 'Job',
  selection: { scope: 'everything', kinds: ['mailbox', 'drive'], include: [], exclude: [], personalSites: false },
} as const;

/** The same bytes in every object: what is erased of one stays the others'. */
const COMMON = new Random(12).bytes(9_000);
/** Two users with secrets in names, contents and findings, backed up three times. */
export async function erasureBed<Parts extends Pick<TestParts, 'repository' | 'catalog'>>(parts: Parts) {
  const random = new Random(11);
  const objectOf = (id: string, kind: 'mailbox' | 'drive', user: string) => {
    const written = new WrittenObject(id, kind);
    Object.assign(written.object, {
      name: `${kind} of ${user}`,
      owner: kind === 'drive' ? `user/${user}` : null,
      address: kind === 'mailbox' ? `${user}@contoso.example` : null,
    });
    return written;
  };
  const objects = {
    ada: objectOf('ada', 'mailbox', 'ada'),
    adaFiles: objectOf('drive-of-a', 'drive', 'ada'),
    bob: objectOf('bob', 'mailbox', 'bob'),
  };
  const write = (run: number) => {
    for (const [name, written] of Object.entries(objects)) {
      const kind = name === 'adaFiles' ? 'file' : 'message';
      const contents = { [kind === 'file' ? 'file' : 'mime']: random.bytes(20_000) };
      written.put(`item ${run}`, { kind, name: `Secret of ${name} ${run}`, parentId: null, contents });
      written.put('common', { kind, name: `Common ${run}`, parentId: null, contents: { properties: COMMON } });
      written.put('hidden', { kind, name: `Unread of ${name}`, parentId: null, contents: {}, fault: 'unreadable' });
    }
  };
  const results: BackupResult[] = [];
  const back = async (...given: WrittenObject[]) => {
    const source = new WrittenSource(...(given.length === 0 ? Object.values(objects) : given));
    results.push(await backUp({ ...parts, source, signal: new AbortController().signal }, JOB));
  };
  for (let run = 0; run < 3; run += 1) {
    write(run);
    await back();
  }
  await indexWords(parts.repository, parts.catalog, {});
  const keyOf = (written: WrittenObject) => parts.repository.objectKey(written.object);
  return { ...parts, objects, results, write, back, keyOf };
}

/** How journals would name what is erased of Ada. */
export const ERASED_NAMES = /of ada|ada@|drive-of-a/i;

/** Everything that all journals say, as text. */
export async function journalText(repository: Repository): Promise<string> {
  const commits: unknown[] = [];
  for await (const { run, commits: count } of allRuns(repository))
    for (let sequence = 1; sequence <= count; sequence += 1) commits.push(await readable(repository, run, sequence));
  return JSON.stringify(commits);
}

/** A commit that cannot be read says nothing. */
async function readable(repository: Repository, run: string, sequence: number): Promise<unknown> {
  try {
    return await repository.findCommit(run, sequence);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'damaged') return null;
    throw error;
  }
}
