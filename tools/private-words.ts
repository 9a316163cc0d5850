import { listFiles, textOf } from './source-files.ts';

interface PrivateWord {
  pattern: RegExp;
  instead: string;
}

/** A private word where it is: what to write in its place is said with it. */
export interface PrivateWordUse {
  path: string;
  line: number;
  word: string;
  instead: string;
}

/** Words in any case, also as a part of a name (`toldAt`, `isTaken`, `is_taken`), but not of another word. */
function words(forms: string, instead: string): PrivateWord {
  const spaced = forms.replaceAll(' ', '[\\s*]+');
  const capital = spaced.replaceAll(/(^|\|)([a-z])/g, (_, bar: string, letter: string) => bar + letter.toUpperCase());
  const upper = forms.toUpperCase().replaceAll(' ', '_');
  const pattern = `(?<![A-Za-z])(?:${spaced})(?![a-z])|(?:${capital})(?![a-z])|(?<![A-Za-z])(?:${upper})(?![A-Za-z])`;
  return { pattern: new RegExp(pattern, 'g'), instead };
}

/** The words that the project does not use, and what is written instead (docs/glossary.md). */
const PRIVATE_WORDS: readonly PrivateWord[] = [
  words('told|tell|tells|telling', 'reported, reports, says'),
  words('taken', 'ingested, accepted, in use'),
  { pattern: /\btake(?=[(:])|\btakeExecutions\b/g, instead: 'ingest, accept, push' },
  words('kept', 'stored, retained'),
  words(
    'nobody|somebody|anybody|someone|no one|whoever',
    'the person or thing meant: users, the caller, another process',
  ),
  words('anew', 'again'),
  words('stands|stand|standing|lies|lie', 'is, is in, is active; status'),
  // Locks and connections are held; anything else contains, has or applies.
  {
    pattern: /(?<!\b(?:lock|connection)\b.{0,60})\bholds\b(?!.{0,40}\b(?:lock|connections?)\b)/gis,
    instead: 'contains, has, applies',
  },
  words('by itself', 'alone, automatically'),
  words('rhythm|rhythms', 'cadence'),
  words('wanted', 'required, requested'),
  words('judge|judges|judged|judging', 'evaluate'),
  words('silence|silences|silenced|silent jobs|silent job', 'missed (a run), stalled (a job)'),
  words('show again', 'unignore'),
  words('memory of a job|memory of the job', 'job state'),
  words('impossibility|impossibilities', 'rejection reason'),
  words('surroundings', 'inventory, environment'),
  words('wear|wears|wearing|worn', 'apply'),
  words('detour|detours', 'redirect'),
  words('the house|rooms|floors|door|doors', 'modules, layers, entry points'),
  { pattern: /\bTries\b(?! [a-z]|[,.])|\b\w*[a-z]Tr(?:y|ies)\b/g, instead: 'attempt, attempts' },
];

/** Where a private word is right, because others chose it. */
const ALLOWED: readonly { path: RegExp; word: string; why: string }[] = [
  {
    path: /^(docs\/intake\.md|apps\/web\/src\/sources\/tool-reports\/systemd-units\.ts)$/,
    word: 'Wanted',
    why: 'a setting of systemd',
  },
  {
    path: /^packages\/embedded-database\/src\/unprivileged-account(\.test)?\.ts$/,
    word: 'nobody',
    why: 'the account of this name in /etc/passwd',
  },
  {
    path: /^apps\/server\/migrations\/meta\/_journal\.json$/,
    word: 'wanted',
    why: 'a migration that has run cannot be renamed',
  },
  {
    path: /^packages\/engine\/src\/(catalog\/postgres\/(apply\/apply-end|doubled-revisions)|cli\/findings)\.ts$/,
    word: 'kept',
    why: 'a column of the catalog and a field of the output, which others read',
  },
  { path: /\/occurrences\.test\.ts$/, word: 'take', why: "a method of the language's own iterators" },
];

const PROJECT = /^(apps|packages|tools|bootstrap|docs|README)/;
const TEXT = ['*.ts', '*.tsx', '*.js', '*.md', '*.css', '*.html', '*.json'];
/** They name the words. */
const THIS_CHECK = /^tools\/private-words\.(test\.)?ts$/;

/** Finds the private words of the project's source, tests and documents. */
export function privateWordsOfProject(): PrivateWordUse[] {
  return listFiles(...TEXT)
    .filter((path) => PROJECT.test(path) && !THIS_CHECK.test(path))
    .flatMap((path) => privateWordsIn(path, textOf(path) ?? ''));
}

/** Finds the private words of one file, by line. */
export function privateWordsIn(path: string, text: string): PrivateWordUse[] {
  const uses = PRIVATE_WORDS.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => ({ path, line: lineAt(text, index), word, instead })),
  );
  return uses.filter((use) => !isAllowed(use)).sort((one, other) => one.line - other.line);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function isAllowed({ path, word }: PrivateWordUse): boolean {
  return ALLOWED.some((allowed) => allowed.path.test(path) && allowed.word === word);
}

/** Describes a use in one line: where it is, the word, and what to write. */
export function describeUse({ path, line, word, instead }: PrivateWordUse): string {
  return `${path}:${line}: "${word.replaceAll(/[\s*]+/g, ' ')}"; write: ${instead}`;
}

if (import.meta.main) {
  const uses = privateWordsOfProject();
  for (const use of uses) process.stdout.write(`${describeUse(use)}\n`);
  process.stdout.write(`${uses.length} private words\n`);
}
