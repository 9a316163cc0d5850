import { listFiles, textOf } from './source-files.ts';

/** The words that the project does not use, and what is written instead. */
const PRIVATE_WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(told|tells?|telling)\b/gi, 'reported, reports, says'],
  [/\btaken?\b|\btakeExecutions\b/gi, 'ingested, accepted, read'],
  [/\bkept\b/gi, 'stored, retained'],
  [/\bnobody\b/gi, 'no user, no process'],
  [/\bwhoever\b/gi, 'the caller, the person'],
  [/\banew\b/gi, 'again'],
  [/\bstands\b/gi, 'is'],
  [/\bby itself\b/gi, 'alone, automatically'],
  [/\brhythm\b/gi, 'cadence'],
  [/\bwanted\b/gi, 'required, requested'],
  [/\bjudged?\b/gi, 'evaluate'],
  [/\bsilences?\b/gi, 'stall'],
];

const PORTAL = /^(apps|packages\/(contract|connectors|embedded-database|bench)|tools|bootstrap|docs|README)/;
const TEXT = ['*.ts', '*.tsx', '*.js', '*.md', '*.css'];

/** How often each private word occurs in the portal's source, tests and documents. */
function countPrivateWords(): { word: string; count: number; instead: string }[] {
  const texts = listFiles(...TEXT)
    .filter((path) => PORTAL.test(path) && path !== 'tools/private-words.ts')
    .map((path) => textOf(path) ?? '');
  return PRIVATE_WORDS.map(([word, instead]) => ({
    word: word.source.replaceAll(/\\b|[()?]/g, ''),
    count: texts.reduce((sum, text) => sum + (text.match(word)?.length ?? 0), 0),
    instead,
  }));
}

if (import.meta.main) console.table(countPrivateWords());
