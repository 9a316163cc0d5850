import { rankFailures } from '@keepwatch/contract/insights/insights';
import { listComputers } from '@keepwatch/contract/inventory/computers';
import { listRepositories } from '@keepwatch/contract/inventory/repositories';
import { useAllows } from '../../kit/portal.tsx';
import { RepositoriesPanel } from '../repositories/repositories-panel.tsx';
import { UnprotectedPanel } from '../unprotected/unprotected-panel.tsx';
import type { Subject } from './dashboard-filters.ts';
import { RankingPanel } from './ranking-panel.tsx';

/** What is below the fold. */
export default function LowerPanels({ subject }: { subject: Subject }) {
  const mayRank = useAllows(rankFailures.access);
  const mayRepositories = useAllows(listRepositories.access);
  const mayComputers = useAllows(listComputers.access);
  return (
    <>
      {mayRepositories && <RepositoriesPanel subject={subject} />}
      {mayComputers && <UnprotectedPanel subject={subject} />}
      {mayRank && <RankingPanel kind="duration" subject={subject} />}
      {mayRank && <RankingPanel kind="transferred" subject={subject} />}
    </>
  );
}
