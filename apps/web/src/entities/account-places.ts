import { useLocation } from '@tanstack/react-router';
import { applicationOf, o365 } from './applications.ts';
import { o365UserLogs, o365Users, userLogs, users } from './places.ts';

/** Users and what they did are screens of two applications: links stay in the one that is open. */
export function useAccountPlaces() {
  const isMicrosoft365 = useLocation({ select: ({ pathname }) => applicationOf(pathname) === o365 });
  return isMicrosoft365 ? { users: o365Users, userLogs: o365UserLogs } : { users, userLogs };
}
