import { type Brand, editBrand } from '@keepwatch/contract/branding/brands';
import { Form, SubmitButton } from '../kit/form/form.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { draftOf } from './brand-draft.ts';
import { BrandFields } from './brand-fields.tsx';
import { BrandImage } from './brand-image.tsx';
import { BrandPreview } from './brand-preview.tsx';
import styles from './branding.module.css';
import { useSaveBrand } from './brands.data.ts';
import { ChatSecret } from './chat-secret.tsx';

interface BrandEditorProps {
  brand: Brand;
  canSetDomain: boolean;
}

/** The form of a brand, and beside it what people will see. Images are stored at once, all else with the button. */
export function BrandEditor({ brand, canSetDomain }: BrandEditorProps) {
  const form = useCallForm(editBrand, { initial: draftOf(brand), send: useSaveBrand(brand.id).mutateAsync });
  return (
    <div className={styles.editor}>
      <div className={styles.form}>
        <h2 className={styles.heading}>{brand.name}</h2>
        <section className={styles.section}>
          <h3>Images</h3>
          <BrandImage id={brand.id} kind="logo" label="Logo" image={brand.logo} />
          <BrandImage id={brand.id} kind="icon" label="Icon of the browser’s tab" image={brand.icon} />
        </section>
        <Form form={form} actions={<SubmitButton form={form}>Save</SubmitButton>}>
          <BrandFields form={form} canSetDomain={canSetDomain} />
        </Form>
        <ChatSecret brand={brand} />
      </div>
      <BrandPreview draft={form.values} logo={brand.logo} />
    </div>
  );
}
