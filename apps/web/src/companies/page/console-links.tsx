import { type CompanyDetail, consoleCompany, SEARCH_LENGTH_MIN } from '@keepwatch/contract/companies/companies';
import { Button, CloseButton } from '@mantine/core';
import * as z from 'zod/mini';
import { SearchChoices } from '../../kit/filters/search-choices.tsx';
import { Panel } from '../../kit/panel/panel.tsx';
import { useConsoleSearch } from '../companies.data.ts';
import styles from './console-links.module.css';

export type ConsoleLink = CompanyDetail['links'][number] & {
  /** The company that it is moved from. */
  from?: { _id: string; name: string };
};

/** Another server is asked: not for every letter. */
const PAUSE_MS = 400;

interface ConsoleLinksProps {
  companyId: string;
  links: readonly ConsoleLink[];
  onChange: (links: readonly ConsoleLink[]) => void;
}

/** The companies of consoles that a company is linked to, at most one of each console. */
export function ConsoleLinks({ companyId, links, onChange }: ConsoleLinksProps) {
  const searchFor = useConsoleSearch();
  const without = (connectionId: string) => links.filter((link) => link.connectionId !== connectionId);
  const add = ([value]: readonly string[]) => {
    if (value === undefined) return;
    const { company, ...found } = z.parse(consoleCompany, JSON.parse(value));
    const { connectionId, connectionName, externalId, isReporting } = found;
    const from = company === null || company._id === companyId ? {} : { from: company };
    onChange([...without(connectionId), { connectionId, connectionName, externalId, isReporting, ...from }]);
  };
  return (
    <fieldset className={styles.links}>
      <legend>Linked to</legend>
      <ul>
        {links.map(({ connectionId, connectionName, externalId, from }) => (
          <li key={connectionId}>
            <div>
              {connectionName} <code>{externalId}</code>
              {from !== undefined && <p className={styles.note}>Linked to {from.name}. Saving moves the link here.</p>}
            </div>
            <CloseButton
              size="sm"
              aria-label={`Unlink from ${connectionName}`}
              onClick={() => onChange(without(connectionId))}
            />
          </li>
        ))}
      </ul>
      <Panel
        label="Companies in consoles"
        trigger={(button) => (
          <Button {...button} variant="default" size="compact-sm">
            Link to a console
          </Button>
        )}
      >
        {(close) => (
          <SearchChoices
            isSingle
            isFocused
            label="Company"
            pluralLabel="Companies in consoles"
            searchLabel="Search the connected consoles"
            searchFor={searchFor}
            values={[]}
            labelOf={String}
            onChange={add}
            close={close}
            pauseMs={PAUSE_MS}
            lengthMin={SEARCH_LENGTH_MIN}
          />
        )}
      </Panel>
    </fieldset>
  );
}
