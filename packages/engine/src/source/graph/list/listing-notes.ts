import { EngineError } from '../../../model/engine-error.ts';
import type { ListingNote, SelectedItem } from '../../source.ts';
import { keyOf, type Subject } from './subject.ts';

/** Subjects that answer nothing, one after the other, until the listing breaks off: then it is not them. */
const UNREACHABLE_IN_A_ROW_MAX = 20;

/** Whether what a list or a subject was refused with is said of it alone. Who is not let in, or stopped, gets nothing from the others either. */
export function isOfItAlone(error: unknown): error is EngineError {
  const ofAll = ['credentials-refused', 'certificate-expired', 'stopped'];
  return error instanceof EngineError && !ofAll.includes(error.code);
}

/** @param part of the subject: `the mailbox` */
export function refusedPart(subject: Subject, part: string, { message }: EngineError): ListingNote {
  return {
    code: 'subject-refused',
    message: `Of ${subject.name} ${part} could not be listed, and so is not in this backup: ${message}`,
    unlisted: { subject: keyOf(subject), name: subject.name },
  };
}

/** A selected item that could not be looked up, or a member of a selected group. */
export function refusedItem({ type, id }: Pick<SelectedItem, 'type' | 'id'>, { message }: EngineError): ListingNote {
  return {
    code: 'subject-refused',
    message: `The ${type} ${id} could not be looked up, and so is not in this backup: ${message}`,
    unlisted: { subject: keyOf({ type, id }), name: id },
  };
}

/** @param list `the sites` */
export function brokenList(list: string, { message }: EngineError): ListingNote {
  return {
    code: 'list-refused',
    message: `The list of ${list} could not be read to its end, and what was not listed is not in this backup: ${message}`,
    unlisted: { subject: null, name: list },
  };
}

/** Counts subjects that do not answer, and throws when there are too many in a row: the next thousands would take days. */
export class Unreachable {
  private inARow = 0;

  answered(): void {
    this.inARow = 0;
  }

  failed(error: EngineError): void {
    this.inARow = error.code === 'source-unreachable' ? this.inARow + 1 : 0;
    if (this.inARow > UNREACHABLE_IN_A_ROW_MAX) throw error;
  }
}
