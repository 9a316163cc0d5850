import { type Brand, IMAGE_BYTES_MAX, IMAGE_TYPES, type ImageKind } from '@keepwatch/contract/branding/brands';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../kit/api.ts';
import { FileInput } from '../kit/form/file-input.tsx';
import { formatBytes } from '../kit/format/numbers.ts';
import styles from './branding.module.css';
import { useBrandImage } from './brands.data.ts';

interface BrandImageProps {
  id: number;
  kind: ImageKind;
  label: string;
  image: Brand['logo'];
}

/** An image of a brand. A file that is chosen takes its place at once. */
export function BrandImage({ id, kind, label, image }: BrandImageProps) {
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const { mutate, error, isPending } = useBrandImage(id, kind);
  const store = (file: File | null) => {
    if (file === null) return;
    const isTooLarge = file.size > IMAGE_BYTES_MAX;
    setTooLarge(isTooLarge ? `The image has ${formatBytes(file.size)}. Save it smaller.` : null);
    if (!isTooLarge) mutate(file);
  };
  const problem = tooLarge ?? (error === null ? undefined : messageOf(error));
  return (
    <div className={styles.image}>
      {image !== null && (
        <div className={styles.shown}>
          <img src={image.url} alt={label} className={styles.thumbnail} />
          <span className={styles.muted}>
            {image.width} × {image.height} pixels
          </span>
          <Button variant="default" loading={isPending} onClick={() => mutate(null)}>
            Remove
          </Button>
        </div>
      )}
      <FileInput
        name={kind}
        label={label}
        description="PNG, JPEG, WebP or GIF, at most 200 kB."
        accept={IMAGE_TYPES.join(',')}
        problem={problem}
        required={false}
        onPick={store}
      />
    </div>
  );
}
