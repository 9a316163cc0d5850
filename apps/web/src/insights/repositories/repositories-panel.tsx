import type { Repository } from '@keepwatch/contract/inventory/repositories';
import { lazy, Suspense, useState } from 'react';
import { DashboardPanel } from '../../kit/dashboard/dashboard-panel.tsx';
import { formatBytes, formatCount, formatRatio } from '../../kit/format/numbers.ts';
import { ShowMore } from '../../kit/list/show-more.tsx';
import { useClock } from '../../kit/portal.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';
import { fillLevelOf } from './fill-level.ts';
import { forecastOf } from './forecast.ts';
import { useRepositories } from './repositories.data.ts';
import styles from './repositories.module.css';
import { UrgencySign } from './urgency-sign.tsx';

const RepositoryHistory = lazy(() => import('./repository-history.tsx'));

/** The repositories in the order in which they will be full. */
export function RepositoriesPanel({ subject }: { subject: Subject }) {
  const reading = useRepositories(subject);
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <DashboardPanel
      title="Repositories"
      note={reading.data === undefined ? undefined : `${formatCount(reading.data.count)}, the first to be full on top`}
      columns={8}
      bodyPx={344}
      reading={reading}
      emptyText={({ count: found }) =>
        found === 0 ? 'No repository is known. Those of a connected console appear after its next sync.' : null
      }
    >
      {({ data }) => (
        <ul className={styles.list}>
          {data.map((repository) => (
            <Row
              key={repository._id}
              repository={repository}
              isOpen={repository._id === openId}
              onToggle={() => setOpenId(repository._id === openId ? null : repository._id)}
            />
          ))}
          <ShowMore reading={reading} />
        </ul>
      )}
    </DashboardPanel>
  );
}

interface RowProps {
  repository: Repository;
  isOpen: boolean;
  onToggle: () => void;
}

function Row({ repository, isOpen, onToggle }: RowProps) {
  const { name, companyName, serverName, usedRatio } = repository;
  const { text, urgency } = forecastOf(repository, useClock().now());
  const place = [companyName, serverName].filter((part) => part !== null).join(' · ');
  return (
    <li>
      <button type="button" className={styles.row} aria-expanded={isOpen} onClick={onToggle}>
        <span className={styles.name}>
          <span className={styles.text}>{name}</span>
          <span className={styles.place}>{place}</span>
        </span>
        <Fill usedRatio={usedRatio} />
        <span className={styles.free}>{roomText(repository)}</span>
        <span className={styles.forecast} data-urgency={urgency}>
          <UrgencySign urgency={urgency} />
          {text}
        </span>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <RepositoryHistory repository={repository} />
        </Suspense>
      )}
    </li>
  );
}

function Fill({ usedRatio }: { usedRatio: number | null }) {
  const { word, urgency } = fillLevelOf(usedRatio);
  return (
    <span className={styles.fill}>
      <span className={styles.track} aria-hidden>
        <span style={{ width: `${Math.min(1, usedRatio ?? 0) * 100}%` }} data-urgency={urgency} />
      </span>
      <span className={styles.ratio} data-urgency={urgency} title={word ?? undefined}>
        <UrgencySign urgency={urgency} />
        {usedRatio === null ? '–' : `${formatRatio(usedRatio)} full`}
        {word !== null && <span className="visually-hidden">, {word}</span>}
      </span>
    </span>
  );
}

function roomText({ capacityBytes, freeBytes, usedBytes }: Repository): string {
  if (capacityBytes === null) return usedBytes === null ? 'capacity not known' : `${formatBytes(usedBytes)} used`;
  return `${formatBytes(freeBytes)} free of ${formatBytes(capacityBytes)}`;
}
