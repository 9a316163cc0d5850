import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import styles from './backup-window.module.css';
import { DAY_HOURS, DAYS, placeAfter, setBetween, type WeekHours } from './week-hours.ts';

interface WeekGridProps {
  hours: WeekHours;
  onChange: (hours: WeekHours) => void;
}

const HOURS = Array.from({ length: DAY_HOURS }, (_, hour) => hour);
/** So many columns have one heading. */
const LABELLED = 3;

/** The hours of a week as fields to drag over. A day's name switches the day, Shift with an arrow key extends. */
export function WeekGrid({ hours, onChange }: WeekGridProps) {
  return (
    <table className={styles.week}>
      <caption className="visually-hidden">Hours in which it may run</caption>
      <thead>
        <tr>
          <td />
          {HOURS.filter((hour) => hour % LABELLED === 0).map((hour) => (
            <th key={hour} scope="colgroup" colSpan={LABELLED}>
              {hour}
            </th>
          ))}
        </tr>
      </thead>
      <Days hours={hours} onChange={onChange} />
    </table>
  );
}

function Days({ hours, onChange }: WeekGridProps) {
  const drag = useDrag({ hours, onChange });
  /** The one hour that the tab key leads to. */
  const [current, setCurrent] = useState(0);
  const move = (event: KeyboardEvent<HTMLInputElement>, place: number) => {
    const next = placeAfter(event.key, place);
    if (next === null) return;
    event.preventDefault();
    if (event.shiftKey) onChange(setBetween(hours, place, next, hours[place] === true));
    event.currentTarget.closest('tbody')?.querySelectorAll('input')[next]?.focus();
  };
  return (
    <tbody>
      {DAYS.map((day, row) => (
        <tr key={day}>
          <DayName day={day} row={row} hours={hours} onChange={onChange} />
          {HOURS.map((hour) => {
            const place = row * DAY_HOURS + hour;
            return (
              <td key={hour}>
                <input
                  type="checkbox"
                  title={`${day} ${hour}:00`}
                  aria-label={`${day} ${hour}:00`}
                  tabIndex={place === current ? 0 : -1}
                  checked={hours[place] === true}
                  onChange={(event) => onChange(setBetween(hours, place, place, event.currentTarget.checked))}
                  onFocus={() => setCurrent(place)}
                  onKeyDown={(event) => move(event, place)}
                  onPointerDown={() => drag.begin(place)}
                  onPointerEnter={() => drag.extend(place)}
                  onClick={drag.click}
                  // A finger is held by the field it touched first: it has to reach the others.
                  onGotPointerCapture={(event) => event.currentTarget.releasePointerCapture(event.pointerId)}
                />
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}

function DayName({ day, row, hours, onChange }: WeekGridProps & { day: string; row: number }) {
  const first = row * DAY_HOURS;
  const isAllOn = hours.slice(first, first + DAY_HOURS).every((isOn) => isOn);
  return (
    <th scope="row">
      <button
        type="button"
        aria-label={day}
        aria-pressed={isAllOn}
        onClick={() => onChange(setBetween(hours, first, first + DAY_HOURS - 1, !isAllOn))}
      >
        {day.slice(0, 3)}
      </button>
    </th>
  );
}

interface Drag {
  from: number;
  /** The hours before it began: what is dragged over and left again is as before. */
  before: WeekHours;
  isDown: boolean;
  hasPainted: boolean;
}

/** Sets all hours between the first and the last that the pointer is dragged over to the opposite of the first. */
function useDrag({ hours, onChange }: WeekGridProps) {
  const drag = useRef<Drag | null>(null);
  const begin = (from: number) => {
    const begun: Drag = { from, before: hours, isDown: true, hasPainted: false };
    drag.current = begun;
    for (const type of ['pointerup', 'pointercancel'])
      window.addEventListener(type, () => (begun.isDown = false), { once: true });
  };
  const extend = (to: number) => {
    const { current } = drag;
    if (current === null || !current.isDown || (!current.hasPainted && to === current.from)) return;
    current.hasPainted = true;
    onChange(setBetween(current.before, current.from, to, current.before[current.from] !== true));
  };
  /** The field at which a drag began and ended was painted already. A key clicks, too, without a count. */
  const click = (event: MouseEvent) => {
    if (event.detail > 0 && drag.current?.hasPainted === true) event.preventDefault();
  };
  return { begin, extend, click };
}
