import type { DoubledRevision } from '../catalog/catalog.ts';
import type { Findings } from '../model/outcome.ts';
import { SKIP_TEXTS } from '../model/skip-texts.ts';
import type { Output } from './output.ts';

/** A person reads no more than this of one sort; programs get every one. */
const SHOWN_MAX = 20;

/** Reports what a run did not read, and why: failures, lost items, skipped ones by their cause, and what else one should know. */
export function reportFindings({ failures, lost, skipped, alerts }: Findings, output: Output): void {
  const lines: [text: string, data: Record<string, unknown>][][] = [
    failures.map(({ objectName, message }) => [
      `${objectName ?? 'The run'}: ${message}`,
      { code: 'failure', objectName, reason: message },
    ]),
    lost.map(({ objectName, name, id, kind, reason }) => [
      `${objectName}: '${name}' could not be read. ${reason}`,
      { code: 'lost', objectName, id, kind, name, reason },
    ]),
    skipped.map(({ objectName, name, id, cause }) => [
      `${objectName}: '${name}' was left out: ${SKIP_TEXTS[cause]}.`,
      { code: 'skipped', objectName, id, name, cause },
    ]),
    alerts.map(({ code, message }) => [message, { code }]),
  ];
  for (const all of lines) {
    for (const [text, data] of output.takesAll ? all : all.slice(0, SHOWN_MAX)) output.problem(text, data);
    if (!output.takesAll && all.length > SHOWN_MAX)
      output.problem(
        `… and ${(all.length - SHOWN_MAX).toLocaleString('en')} more of these. --json lists them all.`,
        {},
      );
  }
}

/** Reports revisions that two runs brought, neither knowing of the other. */
export function reportDoubledRevisions(doubled: readonly DoubledRevision[], output: Output): void {
  for (const { objectName, run, revision, storedAs } of doubled)
    output.problem(
      `Two runs wrote revision ${revision} of '${objectName}'; that of run ${run} is stored as revision ${storedAs}. The next backup reads the object again.`,
      { code: 'doubled-revision', run, revision, keptAs: storedAs },
    );
}
