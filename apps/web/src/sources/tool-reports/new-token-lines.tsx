import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CopyField } from '../../kit/copy-field.tsx';
import styles from '../source-dialog.module.css';
import type { NewToken } from './intake-tokens.data.ts';
import { jobNameIn, reportLinesOf } from './report-lines.ts';

/** The new token, shown this one time, and the lines that report with it. */
export function NewTokenLines({ created, onDone }: { created: NewToken; onDone: () => void }) {
  const { token, address, data } = created;
  const [jobName, setJobName] = useState(jobNameIn(data.name));
  return (
    <div className={styles.created}>
      <p className={styles.once} role="status">
        Copy it now, it won't be shown again. Anyone with it can report runs for {data.companyName}.
      </p>
      <CopyField label="Token" text={token} />
      <TextInput
        label="Job name"
        descriptionProps={{ size: 'md' }}
        description="Name in the portal, unique within the company"
        maxLength={200}
        value={jobName}
        onChange={(event) => setJobName(event.currentTarget.value)}
      />
      {reportLinesOf(address, jobName).map(({ tool, label, line }) => (
        <CopyField key={tool} label={label} text={line} />
      ))}
      <div className={styles.done}>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
