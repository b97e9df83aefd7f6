-- The one flat colour of a product: its tile, the strip of its page, the edge of its line in the cart, its ticket.
ALTER TABLE product ADD COLUMN color text NOT NULL DEFAULT '#6b7280' CHECK (color ~ '^#[0-9a-f]{6}$');

-- The products of the demonstration, where a store has them already.
UPDATE product SET color = known.color
FROM (VALUES
  ('pubg', '#f2a81d'),
  ('steam', '#2f7de1'),
  ('freefire', '#ff5a1f'),
  ('freefire-codes', '#ff3d6e'),
  ('roblox', '#e8e8e4'),
  ('fortnite', '#7c3bff'),
  ('mobile-legends', '#3457e8'),
  ('genshin-impact', '#2fb6a8'),
  ('valorant', '#ff4655'),
  ('playstation', '#0a5cd6'),
  ('itunes', '#ff3d9a'),
  ('telegram', '#23a6f0'),
  ('mobile-legends-topup', '#6a55f2'),
  ('honor-of-kings-topup', '#b81e3a'),
  ('brawl-stars-topup', '#ffc917'),
  ('valorant-topup', '#d9304a'),
  ('standoff2-topup', '#8a93a6'),
  ('call-of-duty-mobile-topup', '#87923a'),
  ('telegram-stars', '#5ac8fa'),
  ('arena-breakout-topup', '#c2602a'),
  ('delta-force-topup', '#12c98a'),
  ('genshin-topup', '#46bd5c'),
  ('honkai-star-rail-topup', '#8f7bff'),
  ('wuthering-waves-topup', '#4a9893'),
  ('clash-of-clans-topup', '#63bd26'),
  ('whiteout-survival-topup', '#86c2ea'),
  ('ea-fc-mobile-topup', '#93da1c')
) AS known (slug, color)
WHERE product.slug = known.slug;
