import { FigureDialog } from '../../kit/figures/figure-dialog.tsx';
import type { Subject } from './dashboard-filters.ts';
import { type Figure, useFigureList } from './figure-list.data.ts';

interface InsightsFigureProps {
  figure: Figure;
  subject: Subject;
  onClose: () => void;
}

const TITLES: Readonly<Record<Figure, string>> = {
  companies: 'Companies',
  'never-ran': 'Never run',
  computers: 'Computers without agent',
};

/** Lists what a figure of the dashboard counts. */
export default function InsightsFigure({ figure, subject, onClose }: InsightsFigureProps) {
  return <FigureDialog title={TITLES[figure]} reading={useFigureList(figure, subject)} onClose={onClose} />;
}
