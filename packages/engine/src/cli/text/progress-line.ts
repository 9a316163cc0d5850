import { durationText } from '../../model/duration-text.ts';
import { type Pace, type Progress, paceOf } from '../../model/progress.ts';
import { byteText } from './byte-text.ts';
import { cut, harmless } from './terminal-text.ts';

const BAR_CHARACTERS = 20;

/** `████░░░░ 42 %  5 of 12 objects  1,204 items  12.3 MB/s  about 3 min  Ada Lovelace`, cut to the terminal's width. */
export function progressLine(progress: Progress, elapsedMs: number, columns: number): string {
  const { what, done, total, unit, items } = progress;
  const share = total === null || total === 0 ? null : Math.min(1, done / total);
  const pace = paceOf(progress, elapsedMs);
  const leftMs = pace?.leftMs ?? null;
  const parts = [
    share === null ? '' : barOf(share),
    countOf(done, total, unit),
    items === undefined ? '' : `${items.toLocaleString('en')} items`,
    pace === null ? '' : rateText(pace),
    leftMs === null ? '' : `about ${durationText(leftMs)}`,
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

function rateText({ perSecond, unit }: Pace): string {
  return unit === 'bytes' ? `${byteText(perSecond)}/s` : `${Math.round(perSecond).toLocaleString('en')}/s`;
}
