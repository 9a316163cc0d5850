import { byteText } from './byte-text.ts';
import { cut, harmless } from './terminal-text.ts';

/** How far something is. `total` is `null` while it is unknown. */
export interface Progress {
  /** In the user's words: `Reading Ada Lovelace`. */
  what: string;
  done: number;
  total: number | null;
  unit: 'bytes' | 'items' | 'objects' | 'packs' | 'commits';
  /** Bytes read or written so far, for the rate. */
  bytes?: number;
  /** Items done so far, where they are not what is counted. */
  items?: number;
}

const BAR_CHARACTERS = 20;

/** `████░░░░ 42 %  5 of 12 objects  1,204 items  12.3 MB/s  about 3 min  Ada Lovelace`, cut to the terminal's width. */
export function progressLine(progress: Progress, elapsedMs: number, columns: number): string {
  const { what, done, total, unit, items } = progress;
  const share = total === null || total === 0 ? null : Math.min(1, done / total);
  const parts = [
    share === null ? '' : barOf(share),
    countOf(done, total, unit),
    items === undefined ? '' : `${items.toLocaleString('en')} items`,
    rateOf(progress, elapsedMs),
    share === null || share === 0 || share === 1 || elapsedMs < 3_000
      ? ''
      : `about ${timeText((elapsedMs / share) * (1 - share))}`,
    harmless(what),
  ];
  return cut(parts.filter((part) => part !== '').join('  '), Math.max(20, columns - 1));
}

function barOf(share: number): string {
  const filled = Math.floor(share * BAR_CHARACTERS);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_CHARACTERS - filled)} ${Math.floor(share * 100)} %`;
}

function countOf(done: number, total: number | null, unit: Progress['unit']): string {
  const [shown, of] =
    unit === 'bytes'
      ? [byteText(done), byteText(total ?? 0)]
      : [done, total ?? 0].map((one) => one.toLocaleString('en'));
  const name = unit === 'bytes' ? '' : ` ${unit}`;
  return total === null ? `${shown}${name}` : `${shown} of ${of}${name}`;
}

function rateOf({ bytes, done, unit, items }: Progress, elapsedMs: number): string {
  if (elapsedMs < 1_000) return '';
  const moved = bytes ?? (unit === 'bytes' ? done : undefined);
  if (moved !== undefined) return `${byteText((moved / elapsedMs) * 1_000)}/s`;
  const each = items ?? done;
  return `${Math.round((each / elapsedMs) * 1_000).toLocaleString('en')}/s`;
}

/** `40 s`, `3 min`, `1.5 h`, `3 days`: as exact as an estimate is. */
export function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${(seconds / 3_600).toFixed(1)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
