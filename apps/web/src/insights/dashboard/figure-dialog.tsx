import { FigureDialog } from '../../kit/figures/figure-dialog.tsx';
import type { Subject } from './dashboard-filters.ts';
import { type Figure, type Given, useFigureList } from './figure-list.data.ts';

interface InsightsFigureProps {
  figure: Figure;
  subject: Subject;
  /** What else the figure is about. */
  given?: Given;
  onClose: () => void;
}

const TITLES: Readonly<Record<Figure, string>> = {
  companies: 'Companies',
  'never-ran': 'Never run',
  computers: 'Computers without agent',
  'without-company': 'Jobs without a company',
  'new-faults': 'New faults',
  'healed-faults': 'Healed faults',
  'new-jobs': 'New jobs',
};

/** Lists what a figure of the dashboard counts. */
export default function InsightsFigure({ figure, subject, given = {}, onClose }: InsightsFigureProps) {
  const { company } = given;
  const title = company === undefined ? TITLES[figure] : `${TITLES[figure]}: ${company.companyName ?? 'no company'}`;
  return <FigureDialog title={title} reading={useFigureList(figure, subject, given)} onClose={onClose} />;
}
