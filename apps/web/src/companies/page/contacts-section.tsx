import type { CompanyContact } from '@keepwatch/contract/companies/company-contacts';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import page from './company.module.css';
import { useContacts, useRemoveContact } from './company-page.data.ts';
import styles from './company-section.module.css';
import { CompanySection } from './company-section.tsx';

const ContactDialog = lazy(() => import('./contact-dialog.tsx'));

/** Whom to call at the company. */
export function ContactsSection({ id }: { id: string }) {
  const reading = useContacts(id);
  /** The contact that is being changed; `null`: a new one. */
  const [edited, setEdited] = useState<CompanyContact | null | undefined>();
  const { confirm, dialog } = useConfirm();
  const removing = useRemoveContact(id);
  const remove = async (contact: CompanyContact) => {
    const question = {
      title: `Remove ${contact.name}?`,
      text: 'This cannot be undone.',
      confirmLabel: 'Remove contact',
    };
    if (await confirm(question)) removing.mutate(contact);
  };
  return (
    <>
      <CompanySection
        title="Contacts"
        reading={reading}
        actions={
          <Button variant="default" size="compact-sm" onClick={() => setEdited(null)}>
            Add contact
          </Button>
        }
        empty={(contacts) =>
          contacts.length > 0 ? null : <p>No contacts yet. Add whom to call when a backup fails.</p>
        }
      >
        {(contacts) => (
          <ul className={styles.list}>
            {contacts.map((contact) => (
              <ContactRow
                key={contact._id}
                contact={contact}
                onEdit={() => setEdited(contact)}
                onRemove={() => void remove(contact)}
              />
            ))}
          </ul>
        )}
      </CompanySection>
      <Suspense fallback={null}>
        {edited !== undefined && <ContactDialog companyId={id} contact={edited} onClose={() => setEdited(undefined)} />}
      </Suspense>
      {dialog}
    </>
  );
}

interface ContactRowProps {
  contact: CompanyContact;
  onEdit: () => void;
  onRemove: () => void;
}

function ContactRow({ contact: { name, role, email, phone }, onEdit, onRemove }: ContactRowProps) {
  return (
    <li>
      <span className={styles.what}>
        <span>{name}</span>
        {role !== null && <span className={styles.muted}>{role}</span>}
      </span>
      <Reach email={email} phone={phone} />
      <span className={page.onScreen}>
        <Button variant="subtle" size="compact-xs" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button variant="subtle" size="compact-xs" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </span>
    </li>
  );
}

/** How a contact is reached. */
function Reach({ email, phone }: Pick<CompanyContact, 'email' | 'phone'>) {
  return (
    <span className={styles.reach}>
      {email !== null && <a href={`mailto:${email}`}>{email}</a>}
      {phone !== null && <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>}
    </span>
  );
}
