-- What a console last reported of a company, so that a sync changes what no user has entered and leaves the rest. Up to now each
-- sync overwrote both, so what linked companies have is what was reported.
ALTER TABLE companies ADD COLUMN reported_email text, ADD COLUMN reported_phone text;
--> statement-breakpoint
UPDATE companies c SET reported_email = email, reported_phone = phone
WHERE EXISTS (SELECT FROM company_links l WHERE l.provider_id = c.provider_id AND l.company_id = c.id);
