import type { Microsoft365Job } from '@keepwatch/contract/microsoft365/jobs';
import { Button } from '@mantine/core';
import { isRunning } from './job-state.tsx';
import { useJobAction } from './jobs.data.ts';

/** Runs a job now, or ends its run. */
export function StartStop({ job }: { job: Microsoft365Job }) {
  const { mutate, isPending } = useJobAction(job);
  const action = isRunning(job) ? 'stop' : 'start';
  const word = action === 'stop' ? 'Stop' : 'Start';
  return (
    <Button
      variant="default"
      size="compact-sm"
      display="block"
      aria-label={`${word} ${job.name}`}
      loading={isPending}
      onClick={() => mutate(action)}
    >
      {word}
    </Button>
  );
}
