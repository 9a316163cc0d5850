import { Input } from '@mantine/core';
import { SearchFilter } from '../../kit/filters/search-filter.tsx';
import styles from '../microsoft365.module.css';
import { useOperatorSearch, useUserNames } from './roles.data.ts';

interface OperatorsProps {
  ids: readonly string[];
  /** What is wrong with them. */
  problem: string | undefined;
  onChange: (ids: readonly string[]) => void;
}

/** Users of the portal who restore by a role. */
export function Operators({ ids, problem, onChange }: OperatorsProps) {
  const searchFor = useOperatorSearch();
  const nameOf = useUserNames(ids);
  return (
    <>
      <SearchFilter
        label="Restore operator"
        pluralLabel="Restore operators"
        searchLabel="Search operators"
        searchFor={searchFor}
        values={ids}
        chosen={ids.map(nameOf)}
        labelOf={nameOf}
        onChange={onChange}
      />
      {problem !== undefined && <Input.Error>{problem}</Input.Error>}
      <p className={styles.note}>
        Users with the role Restore operator. They sign in with a device code before each restore, and see nothing else
        of the organization.
      </p>
    </>
  );
}
