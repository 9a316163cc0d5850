import { stringify } from 'csv-stringify/sync';
import { childrenOf } from '../browse/children-of.ts';
import { ContainerPaths } from '../browse/container-paths.ts';
import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';
import { type JsonObject, numberOf, objectOf, textOf, textsOf } from '../source/graph/json.ts';
import { ExportCount, type ExportParts, type ExportResult, readProperties } from './export-parts.ts';
import type { ListFormat } from './list-export.ts';
import type { MadeEntry } from './made-zip.ts';
import { ZipNames } from './safe-name.ts';
import { writeWhole } from './write-whole.ts';
import { writeZip } from './zip-file.ts';

/** A task with the names of where it is. */
interface PlanRow {
  plan: string;
  bucket: string;
  labels: readonly string[];
  task: JsonObject;
}

const COLUMNS: readonly (readonly [title: string, value: (row: PlanRow) => unknown])[] = [
  ['Plan', ({ plan }) => plan],
  ['Bucket', ({ bucket }) => bucket],
  ['Task', ({ task }) => task['title']],
  ['Progress', ({ task }) => `${numberOf(task['percentComplete']) ?? 0} %`],
  ['Priority', ({ task }) => task['priority']],
  ['Start', ({ task }) => task['startDateTime']],
  ['Due', ({ task }) => task['dueDateTime']],
  ['Completed', ({ task }) => task['completedDateTime']],
  ['Assigned to', ({ task }) => Object.keys(objectOf(task['assignments'])).join(', ')],
  ['Labels', ({ labels }) => labels.join(', ')],
  ['Description', ({ task }) => objectOf(task['details'])['description']],
  ['Checklist', ({ task }) => checklistText(objectOf(objectOf(task['details'])['checklist']))],
  ['Links', ({ task }) => linksText(objectOf(objectOf(task['details'])['references']))],
];

/**
 * Tasks of plans, all of a group or some, as one CSV or JSON file, a line or an entry each. In CSV a value that a spreadsheet would read as a formula
 * comes after an apostrophe.
 */
export async function exportPlans(
  parts: ExportParts,
  scope: ItemScope,
  path: string,
  format: ListFormat,
): Promise<ExportResult> {
  const count = await ExportCount.of(parts, scope);
  await writeWhole(textOfRows(parts, scope, format, count), path, parts.signal);
  return count.result([path]);
}

/** All plans of a group, or some, as a ZIP with each of them as CSV and as JSON. */
export async function exportPlanZip(parts: ExportParts, scope: ItemScope, path: string): Promise<ExportResult> {
  const count = await ExportCount.of(parts, scope);
  const plans = await plansIn(parts, scope);
  await writeZip(path, parts.signal, async (zip) => {
    for (const entry of entriesOf(parts, scope, plans, count))
      await zip.addFile(entry.name, null, null, () => entry.open());
  });
  return count.result([path]);
}

/** The same plans as the files of a ZIP that is not written to a disk. */
export async function* planEntries(
  parts: ExportParts,
  scope: ItemScope,
  count: ExportCount,
): AsyncGenerator<MadeEntry> {
  yield* entriesOf(parts, scope, await plansIn(parts, scope), count);
}

function* entriesOf(
  parts: ExportParts,
  scope: ItemScope,
  plans: readonly ChosenPlan[],
  count: ExportCount,
): Generator<MadeEntry> {
  const names = new ZipNames(count);
  for (const { plan, items } of plans) {
    const name = names.reserve([], plan.name);
    const own = { ...scope, items };
    const entry = (ending: ListFormat, counted: ExportCount | null) => ({
      name: `${name}.${ending}`,
      sizeBytes: null,
      open: () => textOfRows(parts, own, ending, counted),
    });
    yield entry('csv', count);
    yield entry('json', null);
  }
}

/** A plan, and what of it was chosen. */
interface ChosenPlan {
  plan: ItemVersion;
  items: string[];
}

async function plansIn(parts: ExportParts, scope: ItemScope): Promise<ChosenPlan[]> {
  const chosen = new Map<string, ChosenPlan>();
  if (scope.items === null)
    for await (const plan of childrenOf(parts.catalog, scope, null, ['plan']))
      chosen.set(plan.id, { plan, items: [plan.id] });
  const paths = new ContainerPaths(parts.catalog, scope);
  for (const id of scope.items ?? []) {
    const item = await paths.item(id);
    const [plan = item] = await paths.above(item?.parentId ?? null);
    if (plan === null) throw new EngineError('bad-request', `${id} is in no plan of '${scope.object.name}'.`);
    chosen.set(plan.id, { plan, items: [...(chosen.get(plan.id)?.items ?? []), id] });
  }
  return [...chosen.values()];
}

/** @param count `null`: this was counted already */
async function* rowsIn(parts: ExportParts, scope: ItemScope, count: ExportCount | null): AsyncGenerator<PlanRow> {
  const paths = new ContainerPaths(parts.catalog, scope);
  for await (const item of versionsIn(parts.catalog, scope)) {
    parts.signal.throwIfAborted();
    if (item.kind !== 'plan-task') continue;
    const [plan = '', bucket = ''] = await paths.namesAbove(item.parentId);
    try {
      const task = await readProperties(parts, item);
      yield { plan, bucket, labels: textsOf(item.details.categories), task };
      count?.done(item.sizeBytes);
    } catch (error) {
      // What is damaged was named when it was counted.
      count?.miss(item, [plan, bucket], error);
    }
  }
}

async function* textOfRows(
  parts: ExportParts,
  scope: ItemScope,
  format: ListFormat,
  count: ExportCount | null,
): AsyncGenerator<Buffer> {
  const rows = rowsIn(parts, scope, count);
  yield* format === 'csv' ? csvOf(rows) : jsonOf(rows);
}

/** RFC 4180, in UTF-8 with the mark by which spreadsheets know it. */
async function* csvOf(rows: AsyncIterable<PlanRow>): AsyncGenerator<Buffer> {
  yield csvLine(
    COLUMNS.map(([title]) => title),
    { bom: true },
  );
  for await (const row of rows) yield csvLine(COLUMNS.map(([, value]) => value(row) ?? ''));
}

function csvLine(cells: readonly unknown[], options: { bom?: boolean } = {}): Buffer {
  const shape = { record_delimiter: 'windows', quoted_match: /[\r\n]/ } as const;
  return Buffer.from(stringify([[...cells]], { ...shape, escape_formulas: true, ...options }));
}

async function* jsonOf(rows: AsyncIterable<PlanRow>): AsyncGenerator<Buffer> {
  yield Buffer.from('{"tasks":[');
  let separator = '\n';
  for await (const { plan, bucket, labels, task } of rows) {
    yield Buffer.from(separator + JSON.stringify({ plan, bucket, labels, ...task }));
    separator = ',\n';
  }
  yield Buffer.from('\n]}\n');
}

function checklistText(checklist: JsonObject): string {
  const steps = Object.values(checklist).map(objectOf);
  const byHint = (one: JsonObject, other: JsonObject) =>
    String(one['orderHint']) < String(other['orderHint']) ? -1 : 1;
  return steps
    .sort(byHint)
    .map(({ title, isChecked }) => `${isChecked === true ? '[x]' : '[ ]'} ${textOf(title) ?? ''}`)
    .join('\n');
}

/** Addresses are escaped as the names of an open type have to be. */
function linksText(references: JsonObject): string {
  return Object.keys(references)
    .map((url) => url.replace(/%(2E|3A|25|40|23)/gi, (sign) => decodeURIComponent(sign)))
    .join('\n');
}
