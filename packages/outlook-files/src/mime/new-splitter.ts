import { Splitter } from '@zone-eu/mailsplit';

/** What a message may ask of its reader. */
export const LIMITS = { parts: 1_000, headerBytes: 8 * 1024 * 1024 } as const;

/** Takes a message apart; attached messages stay whole. Fails with the code EMAXLEN where `LIMITS` are exceeded. */
export function newSplitter(): Splitter {
  return new Splitter({ ignoreEmbedded: true, maxChildNodes: LIMITS.parts, maxHeadSize: LIMITS.headerBytes });
}
