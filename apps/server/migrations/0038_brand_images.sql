-- Logo and icon of a brand. Each upload has an id of its own, so that browsers may keep what they got by it.
CREATE TABLE brand_images (
  provider_id integer NOT NULL REFERENCES providers,
  kind text NOT NULL,
  id uuid NOT NULL UNIQUE,
  type text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (provider_id, kind)
);
