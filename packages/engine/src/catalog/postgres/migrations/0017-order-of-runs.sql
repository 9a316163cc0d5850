-- A run brought a revision that a later run had brought already: what this catalog says of that object is not what another one says that heard of
-- them in their order.
ALTER TABLE repositories ADD is_out_of_order boolean NOT NULL DEFAULT false;
