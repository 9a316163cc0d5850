import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { gridValues, labelPlaces, type Plot, stackPaths } from '../../kit/chart/chart-scale.ts';
import type { Subject } from '../dashboard/dashboard-filters.ts';
import styles from './history.module.css';
import { HistoryDay } from './history-day.tsx';
import { type Layer, sumOf } from './history-layers.ts';
import { RateAxis, RateLine } from './rate-line.tsx';

interface HistoryChartProps {
  days: readonly DayCounts[];
  layers: readonly Layer[];
  subject: Subject;
}

const HEIGHT_PX = 214;
const LABEL_PX = 62;
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const axisNumber = new Intl.NumberFormat('en-US', { notation: 'compact' });
const dayName = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/**
 * Stacked bars, one a day, and the success rate as a line. One day is active: the one under the pointer, or the one the arrow keys went to; its figures
 * are shown and it leads to its daily checks.
 */
export function HistoryChart({ days, layers, subject }: HistoryChartProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [place, setPlace] = useState<number | null>(null);
  const shown = Math.min(place ?? days.length - 1, days.length - 1);
  const grid = gridValues(Math.max(...days.map((day) => sumOf(day, layers))));
  const plot = { widthPx: width, heightPx: HEIGHT_PX, top: grid.at(-1) ?? 1 };
  const day = days[shown];
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width: across } = event.currentTarget.getBoundingClientRect();
    const slot = Math.floor(((event.clientX - left) / Math.max(across, 1)) * days.length);
    setPlace(Math.max(0, Math.min(days.length - 1, slot)));
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    const up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step === undefined && up === undefined) return;
    event.preventDefault();
    if (step === undefined) return moveWithinDay(event.currentTarget, up ?? 0);
    focusDay(event.currentTarget);
    setPlace(Math.max(0, Math.min(days.length - 1, shown + step)));
  };
  return (
    <div className={styles.chart}>
      <Grid values={grid} plot={plot} />
      <RateAxis days={days} heightPx={HEIGHT_PX} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={ref}
        className={styles.plot}
        style={{ height: HEIGHT_PX }}
        role="group"
        aria-label="Runs by day; left and right go from day to day, up and down through the results of a day"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPlace(null)}
        onKeyDown={move}
      >
        <Bars days={days} layers={layers} plot={plot} />
        <RateLine days={days} plot={plot} />
        {day !== undefined && (
          <HistoryDay day={day} place={shown} count={days.length} layers={layers} subject={subject} plot={plot} />
        )}
      </div>
      <div className={styles.days} aria-hidden>
        {labelPlaces(days.length, width, LABEL_PX).map((labelled) => (
          <span key={labelled} style={{ insetInlineStart: `${((labelled + 0.5) / days.length) * 100}%` }}>
            {dayName.format(new Date(days[labelled]?.day ?? 0))}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The day itself comes first, then its results from the bottom of the bar to its top. */
function linksOf(chart: HTMLElement): HTMLElement[] {
  return [...chart.querySelectorAll<HTMLElement>('a, [role="img"]')];
}

function moveWithinDay(chart: HTMLElement, step: number): void {
  const links = linksOf(chart);
  const place = links.findIndex((link) => link.matches(':focus'));
  links[Math.max(0, Math.min(links.length - 1, place + step))]?.focus();
}

/** Another day may lack the result that has the focus. */
function focusDay(chart: HTMLElement): void {
  linksOf(chart)[0]?.focus();
}

function Bars({ days, layers, plot }: { days: readonly DayCounts[]; layers: readonly Layer[]; plot: Plot }) {
  const stacks = days.map((day) => layers.map(({ key }) => day[key]));
  const paths = stackPaths(stacks, layers.length, plot);
  return (
    <svg className={styles.bars} width="100%" height={plot.heightPx} aria-hidden>
      {layers.map(({ key, color }, layer) => (
        <path key={key} d={paths[layer]} fill={color} data-layer={key} className={styles.layer} />
      ))}
    </svg>
  );
}

function Grid({ values, plot }: { values: readonly number[]; plot: Plot }) {
  return (
    <div className={styles.grid} style={{ height: plot.heightPx }} aria-hidden>
      {values.map((value) => (
        <span key={value} style={{ insetBlockEnd: `${(value / plot.top) * 100}%` }}>
          {axisNumber.format(value)}
        </span>
      ))}
    </div>
  );
}
