import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

/** Words that the project does not use, as `docs/glossary.md` says, and what is written instead. */
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
const TEXT = /\.(ts|tsx|js|md|css)$/;

/** How often each private word occurs in the portal's source, tests and documents. */
export function countPrivateWords(): { word: string; count: number; instead: string }[] {
  const listed = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const texts = listed
    .filter((path) => PORTAL.test(path) && TEXT.test(path) && !path.startsWith('tools/private-words'))
    .map((path) => readFileSync(join(ROOT, path), 'utf8'));
  return PRIVATE_WORDS.map(([word, instead]) => ({
    word: word.source.replaceAll(/\\b|[()?]/g, ''),
    count: texts.reduce((sum, text) => sum + (text.match(word)?.length ?? 0), 0),
    instead,
  }));
}

if (import.meta.main) console.table(countPrivateWords());
