import { createContext, useContext } from 'react';

/** Whether the filters of the dashboard match no job at all. */
export const NoMatchingJobs = createContext(false);

/** What an empty panel says: `text`, unless there is no job about which it could be said. */
export function useEmptyText(text: string): string {
  return useContext(NoMatchingJobs) ? 'No job matches these filters.' : text;
}
