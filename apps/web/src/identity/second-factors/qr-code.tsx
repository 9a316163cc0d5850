import { encode } from 'uqr';
import styles from './second-factors.module.css';

/** A text as a picture that a phone reads: dark on light in every colour scheme, with the margin that the standard asks for. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#ffffff" />
      <path d={dark.join('')} fill="#000000" />
    </svg>
  );
}
