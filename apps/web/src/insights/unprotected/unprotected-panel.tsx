import type { UnprotectedCompany } from '@keepwatch/contract/inventory/computers';
import { BarList, type BarRow } from '../../kit/dashboard/bar-list.tsx';
import { DashboardPanel } from '../../kit/dashboard/dashboard-panel.tsx';
import { FigureButton } from '../../kit/figures/figure-button.tsx';
import { formatCount, formatRatio } from '../../kit/format/numbers.ts';
import type { Subject } from '../dashboard/dashboard-filters.ts';
import { FigureList } from '../dashboard/figure-list.ts';
import { Computers } from '../dashboard/overview-facts.tsx';
import { useUnprotectedCompanies } from './unprotected.data.ts';

/** Computers that nothing protects, by company. Each leads to its computers. */
export function UnprotectedPanel({ subject }: { subject: Subject }) {
  const reading = useUnprotectedCompanies(subject);
  return (
    <DashboardPanel
      title="Unprotected computers"
      note={
        <>
          <Computers subject={subject} word="unprotected computers" /> without agent
        </>
      }
      columns={4}
      bodyPx={344}
      reading={reading}
      emptyText={({ count }) => (count === 0 ? 'Every computer that was found has an agent.' : null)}
    >
      {({ data }) => <BarList rows={data.map((company) => rowOf(company, subject))} />}
    </DashboardPanel>
  );
}

function rowOf(company: UnprotectedCompany, subject: Subject): BarRow {
  const { companyId, companyName, withoutAgent, total } = company;
  return {
    key: companyId ?? '',
    title: companyName ?? 'No company',
    to: (className, title) => (
      <FigureButton
        className={className}
        dialog={(onClose) => <FigureList figure="computers" subject={subject} given={{ company }} onClose={onClose} />}
      >
        {title}
      </FigureButton>
    ),
    detail: `${formatRatio(withoutAgent / total)} without agent`,
    text: `${formatCount(withoutAgent)} of ${formatCount(total)}`,
    share: withoutAgent / total,
  };
}
