import { Readable } from 'node:stream';
import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { EngineError } from '../model/engine-error.ts';
import { isSetting, type SettingKind } from '../model/items.ts';
import { ExportCount, type ExportParts, type ExportResult, readProperties } from './export-parts.ts';
import { writeWhole } from './write-whole.ts';

/**
 * What a person has set up in a mailbox as one JSON file, a list for each kind: all of it, or a selection.
 * @throws `bad-request` for an object that is no mailbox, and for a selection with nothing of it
 */
export async function exportSettings(parts: ExportParts, scope: ItemScope, path: string): Promise<ExportResult> {
  const count = await ExportCount.of(parts, scope, (kind) => kind === null || isSetting(kind));
  const settings = new Map<SettingKind, Record<string, unknown>[]>();
  for await (const item of versionsIn(parts.catalog, scope)) {
    parts.signal.throwIfAborted();
    if (!isSetting(item.kind)) continue;
    try {
      const one = await readProperties(parts, item);
      settings.set(item.kind, [...(settings.get(item.kind) ?? []), one]);
      count.done(item.sizeBytes);
    } catch (error) {
      count.miss(item, ['Mailbox settings'], error);
    }
  }
  if (count.items + count.missing.length === 0)
    throw new EngineError(
      'bad-request',
      `Of '${scope.object.name}' JSON contains the settings of a mailbox, and there are none. Choose PST or ZIP.`,
    );
  const text = `${JSON.stringify(Object.fromEntries(settings), null, 2)}\n`;
  await writeWhole(Readable.from([Buffer.from(text)]), path, parts.signal);
  return count.result([path]);
}
