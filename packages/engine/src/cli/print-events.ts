import type { EngineEvent, OnEvent } from '../model/engine-event.ts';
import { SKIP_TEXTS } from '../model/skip-texts.ts';
import type { Output } from './output.ts';
import type { Row } from './text/table.ts';

/** A person reads no more than this of one sort; programs get every one. */
const SHOWN_MAX = 20;

export interface EventPrinter {
  onEvent: OnEvent;
  /** Says how many were not printed. To be called before the result is. */
  end(): void;
}

interface Options {
  /** What is said before a wait for the lock. */
  lockWait?: string;
  /** What is said before an item that failed. */
  failed?: string;
  /** Whether each item that came back incomplete is named. */
  namesIncomplete?: boolean;
}

/** Prints what happens in a piece of work as it happens, without a flood of it at a terminal. */
export function printEvents(output: Output, options: Options = {}): EventPrinter {
  const counts = new Map<string, number>();
  const problem = (sort: string, text: string, data: Row) => {
    const count = (counts.get(sort) ?? 0) + 1;
    counts.set(sort, count);
    if (output.takesAll || count <= SHOWN_MAX) output.problem(text, data);
  };
  return {
    onEvent(event) {
      if (event.type === 'progress') output.progress(progressOf(event));
      else if (event.type === 'waiting') printWait(event, output, options.lockWait ?? 'Waiting');
      else if (event.type === 'item') printItem(event, output, options);
      else {
        const said = problemOf(event);
        if (said !== null) problem(event.type, ...said);
      }
    },
    end() {
      for (const count of counts.values())
        if (!output.takesAll && count > SHOWN_MAX)
          output.problem(`… and ${(count - SHOWN_MAX).toLocaleString('en')} more of these. --json lists them all.`, {});
      counts.clear();
    },
  };
}

type Of<Type extends EngineEvent['type']> = Extract<EngineEvent, { type: Type }>;

const progressOf = ({ type: _, ...progress }: Of<'progress'>) => progress;

function problemOf(event: EngineEvent): [text: string, data: Row] | null {
  if (event.type === 'failure') {
    const { objectName, message: reason } = event;
    return [`${objectName ?? 'The run'}: ${reason}`, { code: 'failure', objectName, reason }];
  }
  if (event.type === 'lost') {
    const { id, kind, name, reason } = event.item;
    const text = `${event.objectName}: '${name}' could not be read. ${reason}`;
    return [text, { code: 'lost', objectName: event.objectName, id, kind, name, reason }];
  }
  if (event.type === 'skipped') {
    const { objectName, id, name, cause } = event;
    return [
      `${objectName}: '${name}' was left out: ${SKIP_TEXTS[cause]}.`,
      { code: 'skipped', objectName, id, name, cause },
    ];
  }
  if (event.type !== 'alert') return null;
  return [event.message, { code: event.code, objectName: event.objectName }];
}

const CATALOG_WAITS: ReadonlySet<string> = new Set(['passes', 'commits', 'exchange']);
const SAFE = ' Ctrl-C is safe: nothing is lost that is in the repository or the present catalog.';

function printWait({ on, message, until, holders }: Of<'waiting'>, output: Output, lockWait: string): void {
  if (on === 'source') {
    const seconds = until === null ? null : Math.ceil((until.getTime() - Date.now()) / 1_000);
    output.wait(message, { seconds, until: until?.toISOString() });
  } else if (on === 'lock') output.wait(`${lockWait}: ${message}`, { until: on });
  else if (CATALOG_WAITS.has(on)) output.wait(`${message}${SAFE}`, { until: on, holders });
  else output.wait(message, { until: on });
}

function printItem(item: Of<'item'>, output: Output, { failed = 'Failed', namesIncomplete = false }: Options): void {
  const { id, kind, name, path, outcome, reason, losses } = item;
  const where = [...path, name === '' ? '(without a name)' : name].join(' / ');
  const data = { id, ...(kind === null ? {} : { kind }), name, path };
  if (outcome === 'incomplete') {
    const text = `Not whole: ${where}. It came back without ${losses.join('; ')}.`;
    if (namesIncomplete || output.takesAll) output.problem(text, { ...data, losses });
  } else if (outcome === 'failed') output.problem(`${failed}: ${where}. ${reason}`, { ...data, reason });
  else if (outcome === 'changed') output.say(`In another form: ${where}. ${reason}`, { ...data, reason });
  // Of a restore reasons are counted in the end.
  else if (kind === null) output.say(`Not exported: ${where}: ${reason.replace(/\.$/, '')}.`, { ...data, reason });
}
