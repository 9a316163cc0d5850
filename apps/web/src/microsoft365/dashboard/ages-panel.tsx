import type { ObjectAge } from '@keepwatch/contract/microsoft365/protection';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { Figure } from '../../kit/facts/figure.tsx';
import { FigureButton } from '../../kit/figures/figure-button.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import styles from './dashboard.module.css';
import { FigureList } from './figure-list.ts';
import { QUESTION_PX } from './people-panel.tsx';
import { AGE_TONES, AGE_WORDS } from './protection-words.ts';

interface AgeCount {
  age: ObjectAge;
  objects: number;
}

/** How old the newest complete backup of each mailbox, drive, site and team is. */
export function AgesPanel({ reading }: { reading: Reading<readonly AgeCount[]> }) {
  return (
    <DashboardPanel
      title="Is it recent?"
      columns={4}
      bodyPx={QUESTION_PX}
      reading={reading}
      emptyText={(ages) => (sumOf(ages) === 0 ? 'Nothing is backed up yet. Run a job.' : null)}
    >
      {(ages) => <Ages ages={ages} />}
    </DashboardPanel>
  );
}

function Ages({ ages }: { ages: readonly AgeCount[] }) {
  const most = Math.max(1, ...ages.map(({ objects }) => objects));
  const recent = ages.find(({ age }) => age === 'day')?.objects ?? 0;
  return (
    <div className={styles.padded}>
      <Figure
        label="Objects with a complete backup in the last day"
        hint="Mailboxes, archives, drives, sites, teams, plans and chats that jobs back up"
        value={
          <>
            {formatCount(recent)}
            <span className={styles.of}>{` of ${formatCount(sumOf(ages))}`}</span>
          </>
        }
      />
      <ul className={styles.ages} aria-label="Age of the newest complete backup">
        {ages.map(({ age, objects }) => (
          <li key={age}>
            <FigureButton
              className={styles.age}
              dialog={(onClose) => (
                <FigureList
                  figure={{ of: 'objects', age }}
                  title={`Objects ${AGE_WORDS[age].long}`}
                  onClose={onClose}
                />
              )}
            >
              <span className="visually-hidden">{`${formatCount(objects)} ${AGE_WORDS[age].long}`}</span>
              <span className={styles.count} aria-hidden>
                {objects === 0 ? '' : formatCount(objects)}
              </span>
              <span
                className={styles.column}
                aria-hidden
                data-empty={objects === 0 || undefined}
                style={{ height: `${(objects / most) * 100}%`, background: `var(--status-${AGE_TONES[age]})` }}
              />
              <span className={styles.until} aria-hidden>
                {AGE_WORDS[age].short}
              </span>
            </FigureButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

const sumOf = (ages: readonly AgeCount[]) => ages.reduce((sum, { objects }) => sum + objects, 0);
