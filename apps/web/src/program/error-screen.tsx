import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { start } from '../entities/places.ts';
import { messageOf } from '../kit/api.ts';
import { Notice } from '../kit/states/notice.tsx';

/** Replaces a screen that failed, so that the rest of the page still works. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    // Code that could not be loaded is of an earlier build: only a new page brings the current one.
    if (isOutdated(error)) window.location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <Notice title="This page could not be shown" text={messageOf(error)}>
      <Button onClick={again}>Try again</Button>
      {/* Loads the page again: what failed may be the code that would lead on within it. */}
      <a href={start.path}>Go to the start page</a>
    </Notice>
  );
}

function isOutdated(error: unknown): boolean {
  return error instanceof TypeError && /import|module|chunk/i.test(error.message);
}
