import { type EngineEvent, exportItems, type ItemScope, type Stored } from '@keepwatch/engine/engine';
import { Refusal } from '../../foundation/errors.ts';
import type { DownloadOrder } from './download-order.ts';

/** Outlook opens a PST up to 50 GB; one file is all that a download has. */
const PST_BYTES_MAX = 49 * 1024 ** 3;

export interface MadeFile {
  items: number;
  /** Items that cannot be read. */
  missing: readonly { name: string; reason: string }[];
}

/** Writes what was ordered into one file, which has its name when it is whole. @throws what the engine refuses */
export async function makeFile(
  { stored, scope }: { stored: Stored; scope: ItemScope },
  { format, messagesAs, keyword }: Omit<DownloadOrder, 'scope'>,
  path: string,
  work: { signal: AbortSignal; onEvent: (event: EngineEvent) => void },
): Promise<MadeFile> {
  const pst = { partSizeBytes: PST_BYTES_MAX, ...(keyword === null ? {} : { keyword }) };
  const result = await exportItems(stored, { scope, path, format, messagesAs, pst }, work);
  if (result.files.length <= 1) return result;
  throw new Refusal(
    409,
    'TOO_LARGE',
    'It is more than one PST can have (50 GB). Download the folders of the mailbox one by one, or as ZIP.',
  );
}
