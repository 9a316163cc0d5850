import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CopyField } from '../../kit/copy-field.tsx';
import styles from '../source-dialog.module.css';
import { FirstReport } from './first-report.tsx';
import type { NewToken } from './intake-tokens.data.ts';
import { jobNameIn, type Tool } from './report-lines.ts';
import { reportTextsOf, SCHEDULERS, type Scheduler, testTextOf, toolsOf } from './report-texts.ts';

const SCHEDULER_WORDS: Readonly<Record<Scheduler, string>> = {
  cron: 'cron',
  systemd: 'systemd',
  windows: 'Windows',
  proxmox: 'Proxmox VE',
};
const TOOL_WORDS: Readonly<Record<Tool, string>> = { restic: 'restic', borg: 'borg', other: 'Anything else' };

/** The new token, shown this one time, the texts that report with it, and what arrives. */
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
      <Texts address={address} jobName={jobName} />
      <div className={styles.waiting}>
        <FirstReport token={token} data={data} jobName={jobName} />
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}

function Texts(reporting: { address: string; jobName: string }) {
  const [scheduler, setScheduler] = useState<Scheduler>('cron');
  const [chosen, setTool] = useState<Tool>('restic');
  const tools = toolsOf(scheduler);
  const tool = tools.includes(chosen) ? chosen : 'other';
  const texts = [...reportTextsOf(scheduler, tool, reporting), testTextOf(scheduler, reporting)];
  return (
    <>
      <div className={styles.choices}>
        <SegmentedControl
          aria-label="What starts the backup"
          data={SCHEDULERS.map((value) => ({ value, label: SCHEDULER_WORDS[value] }))}
          value={scheduler}
          onChange={setScheduler}
        />
        {tools.length > 0 && (
          <SegmentedControl
            aria-label="What backs up"
            data={tools.map((value) => ({ value, label: TOOL_WORDS[value] }))}
            value={tool}
            onChange={setTool}
          />
        )}
      </div>
      {texts.map(({ label, text }) => (
        <CopyField key={label} label={label} text={text} />
      ))}
    </>
  );
}
