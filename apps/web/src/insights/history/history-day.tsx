import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { dailyChecks } from '../../entities/places.ts';
import { barAt, type Plot, partHeight } from '../../kit/chart/chart-scale.ts';
import { formatCount, formatRatio } from '../../kit/format/numbers.ts';
import { ScreenLink, useMayOpen } from '../../kit/screen-link.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';
import styles from './history.module.css';
import { LAYERS, type Layer, runFilterOf, successRate, sumOf } from './history-layers.ts';
import { transferredText } from './transferred.ts';

interface HistoryDayProps {
  day: DayCounts;
  place: number;
  count: number;
  layers: readonly Layer[];
  subject: Subject;
  /** The whole chart. */
  plot: Plot;
}

const DETAILS_PX = 190;
const dayName = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The active day of the history: its place, its exact figures, and the way to its daily checks. */
export function HistoryDay({ day, place, count, layers, subject, plot }: HistoryDayProps) {
  const { widthPx } = plot;
  const mayOpen = useMayOpen(dailyChecks);
  const style = { insetInlineStart: `${(place / count) * 100}%`, width: `${100 / count}%` };
  const label = `${dayName.format(new Date(day.day))}: ${figuresOf(day)}`;
  const middlePx = ((place + 0.5) / count) * widthPx;
  const details = <Details day={day} layers={layers} leftPx={Math.min(middlePx + 12, widthPx - DETAILS_PX)} />;
  if (!mayOpen) {
    return (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read day by day from here */}
        <div className={styles.day} style={style} role="img" tabIndex={0} aria-label={label} />
        {details}
      </>
    );
  }
  // Exactly the runs that the bar is made of.
  const isWhole = layers === LAYERS;
  return (
    <>
      <ScreenLink
        className={styles.day}
        style={style}
        aria-label={label}
        to={runsOf(subject, day.day, isWhole ? [] : layers)}
      />
      {partsOf(day, layers, plot).map(({ layer, bottom, height }) => (
        <ScreenLink
          key={layer.key}
          className={styles.part}
          style={{ ...barStyle(place, count, widthPx), insetBlockEnd: bottom, height }}
          aria-label={`Show ${formatCount(day[layer.key])} ${layer.word.toLowerCase()}`}
          to={runsOf(subject, day.day, [layer])}
        />
      ))}
      {details}
      <span className="visually-hidden" aria-live="polite">
        {label}
      </span>
    </>
  );
}

/** The daily checks of a day or range, all of them or those of some layers. */
export function runsOf(subject: Subject, day: string, layers: readonly Layer[]) {
  return dailyChecks.at({
    day,
    company: subject.jobs.companyIds ?? [],
    source: subject.jobs.source ?? [],
    ...runFilterOf(layers),
    state: 'all',
    ignored: true,
  });
}

/** High enough for a pointer. */
const PART_LEAST_PX = 8;

/** Where the parts of a day's bar are; one of which there is nothing has no place. */
function partsOf(day: DayCounts, layers: readonly Layer[], plot: Plot) {
  let bottom = 0;
  return layers
    .filter(({ key }) => day[key] > 0)
    .map((layer) => {
      const part = { layer, bottom, height: Math.max(PART_LEAST_PX, partHeight(day[layer.key], plot)) };
      bottom += part.height;
      return part;
    });
}

function barStyle(place: number, count: number, widthPx: number) {
  const { left, width } = barAt(place, count, widthPx);
  return { insetInlineStart: left, width };
}

/** Beside the bar, for the eyes: what the label says to screen readers. */
function Details({ day, layers, leftPx }: { day: DayCounts; layers: readonly Layer[]; leftPx: number }) {
  return (
    <div className={styles.details} style={{ insetInlineStart: Math.max(0, leftPx), width: DETAILS_PX }} aria-hidden>
      <strong>{dayName.format(new Date(day.day))}</strong>
      <dl>
        {layers.map(({ key, word, color }) => (
          <div key={key}>
            <dt>
              <span className={styles.swatch} style={{ background: color }} />
              {word}
            </dt>
            <dd>{formatCount(day[key])}</dd>
          </div>
        ))}
        {layers === LAYERS && (
          <div>
            <dt>Doubtful</dt>
            <dd>{formatCount(day.anomalies)}</dd>
          </div>
        )}
        <div>
          <dt>Success rate</dt>
          <dd>{formatRatio(successRate(day))}</dd>
        </div>
        <div>
          <dt>Transferred</dt>
          <dd>{transferredText(day)}</dd>
        </div>
      </dl>
    </div>
  );
}

function figuresOf(day: DayCounts): string {
  if (sumOf(day, LAYERS) === 0) return 'no runs';
  const results = LAYERS.map(({ key, word }) => `${formatCount(day[key])} ${word.toLowerCase()}`);
  return [
    ...results,
    `${formatCount(day.anomalies)} doubtful`,
    `${formatRatio(successRate(day))} success rate`,
    day.transferredBytes === null ? 'transferred bytes not known' : `${transferredText(day)} transferred`,
  ].join(', ');
}
