/** Numbers of a chart: where its lines are, and what it draws. Sizes are in pixels. */

/** Values of the grid lines, from 0 to the first one at or above `max`: 1, 2 or 5 times a power of ten apart, whole. */
export function gridValues(max: number, lineCount = 3): number[] {
  const step = roundStep(Math.max(max, 1) / lineCount);
  const lines = Math.ceil(Math.max(max, 1) / step);
  return Array.from({ length: lines + 1 }, (_, line) => line * step);
}

function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(step, 1)));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= step) ?? 10;
  return factor * power;
}

/** Returns which of `count` places get a label, so that each has at least `labelPx`; the last always gets one. */
export function labelPlaces(count: number, widthPx: number, labelPx: number): number[] {
  if (count === 0) return [];
  const every = Math.max(1, Math.ceil((labelPx * count) / Math.max(widthPx, 1)));
  const places: number[] = [];
  for (let place = count - 1; place >= 0; place -= every) places.unshift(place);
  return places;
}

export interface Plot {
  widthPx: number;
  heightPx: number;
  /** The value at the upper edge. */
  top: number;
}

/** A value that is not nothing stays visible beside a thousand others. */
const LEAST_PX = 2;
const GAP_MAX_PX = 6;
/** Wider ones are blocks, not bars. */
const BAR_MAX_PX = 56;

/** Left edge and width of the bar at a place. */
export function barAt(place: number, count: number, widthPx: number): { left: number; width: number } {
  const slotPx = widthPx / Math.max(count, 1);
  const gapPx = Math.min(GAP_MAX_PX, slotPx * 0.25);
  const width = round(Math.min(Math.max(slotPx - gapPx, 1), BAR_MAX_PX));
  return { left: round((place + 0.5) * slotPx - width / 2), width };
}

/** Returns the height of the part of a bar that shows a value. */
export function partHeight(value: number, { top, heightPx }: Pick<Plot, 'top' | 'heightPx'>): number {
  return value <= 0 ? 0 : Math.max(LEAST_PX, (value / top) * heightPx);
}

/**
 * Stacked bars: for every layer one SVG path with its part of all bars, the first layer at the bottom.
 * `stacks` has a list a bar, with a value a layer.
 */
export function stackPaths(stacks: readonly (readonly number[])[], layers: number, plot: Plot): string[] {
  const paths = Array.from({ length: layers }, () => '');
  stacks.forEach((stack, place) => {
    const { left, width } = barAt(place, stacks.length, plot.widthPx);
    let bottom = plot.heightPx;
    stack.forEach((value, layer) => {
      if (value <= 0) return;
      const height = partHeight(value, plot);
      bottom -= height;
      paths[layer] += `M${left} ${round(bottom)}h${width}v${round(height)}h${-width}z`;
    });
  });
  return paths;
}

/** A line through `values`, left to right over the whole width; one value is a flat line, none is nothing. */
export function linePath(values: readonly number[], plot: Plot): string {
  const stepPx = plot.widthPx / Math.max(values.length - 1, 1);
  const height = (value: number) => round(plot.heightPx - (value / plot.top) * plot.heightPx);
  const points = values.map((value, place) => `${round(place * stepPx)} ${height(value)}`);
  if (points.length === 1) return `M0 ${height(values[0] ?? 0)}H${plot.widthPx}`;
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

/** A line through the middles of as many bars, with a dot on each; `null` is a gap. */
export function gappedPath(values: readonly (number | null)[], { widthPx, heightPx, top }: Plot): string {
  const slotPx = widthPx / Math.max(values.length, 1);
  return values
    .map((value, place) => {
      if (value === null) return '';
      const begins = values[place - 1] == null;
      const point = `${round((place + 0.5) * slotPx)} ${round(heightPx - (value / top) * heightPx)}`;
      return `${begins ? 'M' : 'L'}${point}h0`;
    })
    .join('');
}

function round(px: number): number {
  return Math.round(px * 100) / 100;
}
