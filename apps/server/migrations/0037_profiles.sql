-- What people say of themselves, and the page that they begin with. The first may be there already.
ALTER TABLE users ADD COLUMN IF NOT EXISTS mobile_phone text, ADD COLUMN IF NOT EXISTS office_phone text, ADD COLUMN IF NOT EXISTS landing_page text;
