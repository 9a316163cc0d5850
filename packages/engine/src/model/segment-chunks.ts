import type { Segment } from './items.ts';

/** The chunks that segments are ranges of. */
export function* segmentChunks(segments: readonly Segment[]): Generator<string> {
  for (const segment of segments) {
    if ('base64' in segment) for (const [chunk] of segment.of) yield chunk;
    else yield segment[0];
  }
}
