import { FigureDialog } from '../../kit/figures/figure-dialog.tsx';
import { type Figure, useFigure } from './protection.data.ts';

interface ProtectionFigureProps {
  figure: Figure;
  title: string;
  onClose: () => void;
}

/** Lists what a figure of the dashboard counts. */
export default function ProtectionFigure({ figure, title, onClose }: ProtectionFigureProps) {
  return <FigureDialog title={title} reading={useFigure(figure)} onClose={onClose} />;
}
