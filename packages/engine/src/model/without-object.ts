import type { Findings, OfObject } from './outcome.ts';

/** Objects that were erased, as findings may name them. */
export interface ErasedObjects {
  hasKey(key: string): boolean;
  /** Whether the repository has another object of that key. */
  isOther(key: string): boolean;
  /** By an id or address, in lower case. */
  isCalled(text: string): boolean;
  /** By a name that no other object has. */
  isNamed(name: string): boolean;
}

type Finding = OfObject & { objectName?: string | null; message?: string };

/**
 * The findings of a run without those of objects; the same value where there are none. A finding says by a key which object it is of. One that
 * has none is of what could not be listed, and one of an object that the repository does not have is of what could never be read, such as an
 * archive beside a mailbox: these go when they have an id or address of the objects, or a name that is theirs alone.
 */
export function withoutObjects(findings: Findings, erased: ErasedObjects): Findings {
  const names = ({ objectName = null, message = '' }: Finding) =>
    (objectName !== null && (erased.isNamed(objectName) || erased.isCalled(objectName.toLowerCase()))) ||
    wordsOf(message).some((word) => erased.isCalled(word));
  const isOf = (finding: Finding) => {
    const { objectKey } = finding;
    if (objectKey === undefined) return names(finding);
    return erased.hasKey(objectKey) || (!erased.isOther(objectKey) && names(finding));
  };
  const without = <One extends Finding>(all: One[]) => all.filter((one) => !isOf(one));
  const { failures, lost, skipped, alerts } = findings;
  const rest: Findings = {
    ...findings,
    failures: without(failures),
    lost: without(lost),
    skipped: without(skipped),
    alerts: without(alerts),
  };
  return countOf(rest) === countOf(findings) ? findings : rest;
}

export function countOf({ failures, lost, skipped, alerts }: Findings): number {
  return failures.length + lost.length + skipped.length + alerts.length;
}

/** A program that looks for erased ids and addresses in texts of its own finds words in the same way. */
export const BETWEEN_WORDS = /[\s'"“”‘’()<>]+/;

/** What may be an id or an address: between white space and quotes, without the marks that end a sentence. */
function wordsOf(message: string): string[] {
  const words = message.toLowerCase().split(BETWEEN_WORDS);
  return words.map((word) => word.replace(/[.,:;!?]+$/, ''));
}
