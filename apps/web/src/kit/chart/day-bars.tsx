import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, useState } from 'react';
import type { Target } from '../place.ts';
import { ScreenLink } from '../screen-link.tsx';
import { gridValues, labelPlaces, stackPaths } from './chart-scale.ts';
import styles from './day-bars.module.css';

export interface BarLayer {
  key: string;
  color: string;
  /** What is as it should be stays in the background. */
  isFaded?: boolean;
}

export interface BarDay {
  /** `2026-03-09`. */
  day: string;
  /** A value for each layer, the first at the bottom. */
  values: readonly number[];
  /** The exact figures in words: `3 success, 1 failed`. */
  text: string;
  /** What the bar counts. */
  to: Target;
}

interface DayBarsProps {
  label: string;
  days: readonly BarDay[];
  layers: readonly BarLayer[];
  heightPx: number;
}

const LABEL_PX = 62;
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
const axisNumber = new Intl.NumberFormat('en-US', { notation: 'compact' });
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const wholeDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Stacked bars, one a day, each a link to what it counts. Its figures are above: of the day under the pointer or with the focus, at first the newest. */
export function DayBars({ label, days, layers, heightPx }: DayBarsProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [place, setPlace] = useState(Number.POSITIVE_INFINITY);
  const last = days.length - 1;
  const current = Math.min(place, last);
  const shown = days[current];
  const grid = gridValues(Math.max(0, ...days.map(sumOf)));
  const stacks = days.map(({ values }) => values);
  const paths = stackPaths(stacks, layers.length, { widthPx: width, heightPx, top: grid.at(-1) ?? 1 });
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(last, current + step));
    setPlace(next);
    event.currentTarget.querySelectorAll('a')[next]?.focus();
  };
  return (
    <div className={styles.chart}>
      <p className={styles.active} aria-hidden>
        {shown === undefined ? '' : labelOf(shown)}
      </p>
      <Grid values={grid} heightPx={heightPx} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={ref}
        className={styles.plot}
        style={{ height: heightPx }}
        role="group"
        aria-label={`${label}; left and right go from day to day`}
        onKeyDown={move}
      >
        <svg className={styles.bars} width="100%" height={heightPx} aria-hidden>
          {layers.map(({ key, color, isFaded }, layer) => (
            <path key={key} d={paths[layer]} fill={color} data-faded={isFaded || undefined} />
          ))}
        </svg>
        {days.map((day, at) => (
          <ScreenLink
            key={day.day}
            className={styles.day}
            style={{ insetInlineStart: `${(at / days.length) * 100}%`, width: `${100 / days.length}%` }}
            to={day.to}
            tabIndex={at === current ? 0 : -1}
            onFocus={() => setPlace(at)}
            onPointerEnter={() => setPlace(at)}
          >
            <span className="visually-hidden">{labelOf(day)}</span>
          </ScreenLink>
        ))}
      </div>
      <DayLabels days={days} widthPx={width} />
    </div>
  );
}

const labelOf = ({ day, text }: BarDay) => `${wholeDay.format(new Date(day))}: ${text}`;
const sumOf = ({ values }: BarDay) => values.reduce((sum, value) => sum + value, 0);

function Grid({ values, heightPx }: { values: readonly number[]; heightPx: number }) {
  const top = values.at(-1) ?? 1;
  return (
    <div className={styles.grid} style={{ height: heightPx }} aria-hidden>
      {values.map((value) => (
        <span key={value} style={{ insetBlockEnd: `${(value / top) * 100}%` }}>
          {axisNumber.format(value)}
        </span>
      ))}
    </div>
  );
}

function DayLabels({ days, widthPx }: { days: readonly BarDay[]; widthPx: number }) {
  return (
    <div className={styles.days} aria-hidden>
      {labelPlaces(days.length, widthPx, LABEL_PX).map((labelled) => (
        <span key={labelled} style={{ insetInlineStart: `${((labelled + 0.5) / days.length) * 100}%` }}>
          {shortDay.format(new Date(days[labelled]?.day ?? 0))}
        </span>
      ))}
    </div>
  );
}
