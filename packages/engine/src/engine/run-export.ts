import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { notBackedUp } from '../browse/not-backed-up.ts';
import { type ExportParts, type ExportResult, type MissingItem, missingOf } from '../export/export-parts.ts';
import { exportList, exportLists } from '../export/list-export.ts';
import { exportMailZip } from '../export/mail-zip.ts';
import { exportMessageArchive } from '../export/message-archive.ts';
import { exportEml, exportMsg } from '../export/outlook-file.ts';
import { exportPlans, exportPlanZip } from '../export/plan-export.ts';
import { exportPst, type PstOptions } from '../export/pst-export.ts';
import { exportSettings } from '../export/settings-json.ts';
import { exportZip } from '../export/zip-export.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectKind } from '../model/protected-object.ts';
import type { ExportFormat } from './export-formats.ts';
import type { Stored, Work } from './work.ts';

export interface ExportOrder {
  scope: ItemScope;
  /** The file to write: it has its name when it is whole. */
  path: string;
  format: ExportFormat;
  /** In a ZIP of a mailbox what a message is; default EML. */
  messagesAs?: 'eml' | 'msg';
  pst?: PstOptions;
}

/** Writes items to a file. @throws `bad-request` for a format that the object has not */
export function runExport(stored: Stored, order: ExportOrder, { signal, onEvent }: Work): Promise<ExportResult> {
  onEvent({ type: 'phase', phase: 'exporting' });
  const what = `Exporting ${order.scope.object.name}`;
  const parts: ExportParts = {
    ...stored,
    signal,
    onProgress: ({ items, bytes, totalItems }) =>
      onEvent({ type: 'progress', what, done: items, total: totalItems, unit: 'items', bytes }),
    onItem: (item, kind) => onEvent({ type: 'item', kind: null, ...item, outcome: OUTCOMES[kind], losses: [] }),
  };
  return write(parts, order);
}

const OUTCOMES = { missing: 'failed', without: 'skipped', changed: 'changed' } as const;

/** What a ZIP contains besides the files of a drive: pages of messages, or lists as CSV and JSON. */
const ZIPS: Partial<Record<ObjectKind, typeof exportZip>> = {
  site: exportLists,
  team: exportMessageArchive,
  chats: exportMessageArchive,
  planner: exportPlanZip,
};

async function write(parts: ExportParts, order: ExportOrder): Promise<ExportResult> {
  const { scope, path, format, messagesAs = 'eml', pst } = order;
  const { kind } = scope.object;
  if (format === 'zip' && kind === 'mailbox') return exportMailZip(parts, scope, path, messagesAs);
  if (format === 'zip') return (ZIPS[kind] ?? exportZip)(parts, scope, path);
  if (format === 'json' && kind === 'mailbox') return exportSettings(parts, scope, path);
  if (kind === 'planner' && (format === 'csv' || format === 'json')) return exportPlans(parts, scope, path, format);
  if (format === 'csv' || format === 'json') return exportList(parts, scope, path, format);
  if (format === 'pst') return exportPst(parts, scope, path, pst);
  return writeOne(parts, scope, path, format);
}

async function writeOne(
  parts: ExportParts,
  scope: ItemScope,
  path: string,
  format: 'eml' | 'msg',
): Promise<ExportResult> {
  const item = await only(parts, scope, format);
  if (format === 'eml') await exportEml(parts, item, path);
  const losses = format === 'msg' ? await exportMsg(parts, item, path) : [];
  const changed: MissingItem[] = losses.map((reason) => ({ id: item.id, name: item.name, path: [], reason }));
  for (const one of changed) parts.onItem?.(one, 'changed');
  const missing = (await notBackedUp(parts.catalog, scope)).map(missingOf);
  for (const one of missing) parts.onItem?.(one, 'missing');
  return { items: 1, bytes: item.sizeBytes, files: [path], missing, without: [], changed, renamed: 0 };
}

async function only({ catalog }: ExportParts, scope: ItemScope, format: string) {
  if (scope.items?.length === 1) for await (const item of versionsIn(catalog, scope)) return item;
  throw new EngineError(
    'bad-request',
    `A file of the format ${format} contains one item: choose one item, or export as PST.`,
  );
}
