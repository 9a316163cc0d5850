import { messageOf } from '../kit/api.ts';
import { factorNames } from './factor-names.ts';
import { useUserSecondFactors } from './users.data.ts';

/** Which second factors a user has. */
export function SecondFactorsText({ id }: { id: string }) {
  const { data, error } = useUserSecondFactors(id);
  if (error !== null) return messageOf(error);
  if (data === undefined) return null;
  const names = factorNames(data);
  return names.length === 0 ? 'None' : names.join(', ');
}
