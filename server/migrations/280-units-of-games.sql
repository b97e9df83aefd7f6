-- The owner's words for currencies of games, by name and language, in every form that the language has after a number. Words
-- that were own texts of the pages come along where a language had all of its forms.
INSERT INTO shop_setting (section, version, value)
SELECT 'units', 1, coalesce(jsonb_object_agg(name, words), '{}')
FROM (
  SELECT name, jsonb_object_agg(language, forms) AS words
  FROM (
    SELECT known.name, inside.key AS language, jsonb_object_agg(form.name, own.value) AS forms
    FROM (SELECT value FROM shop_setting WHERE section = 'texts' ORDER BY version DESC LIMIT 1) AS newest,
      jsonb_each(newest.value) AS inside, jsonb_each_text(inside.value) AS own,
      (VALUES ('months', 'Month'), ('diamonds', 'Diamond'), ('gems', 'Gem'), ('crystals', 'Crystal'),
        ('genesisCrystals', 'Genesis Crystal'), ('oneiricShards', 'Oneiric Shard'), ('vBucks', 'V-Buck'), ('stars', 'Star'),
        ('coins', 'Coin'), ('tokens', 'Token'), ('gold', 'Gold'), ('bonds', 'Bond'), ('lunites', 'Lunite')) AS known (key, name),
      (VALUES ('ru', 'one'), ('ru', 'few'), ('ru', 'many'), ('en', 'one'), ('en', 'other'), ('uz', 'other'))
        AS form (language, name)
    WHERE own.key = 'units.' || known.key || '_' || form.name AND form.language = inside.key
      AND length(own.value) <= 60 AND own.value !~ '[<>{}[:cntrl:]]'
    GROUP BY known.name, inside.key
    HAVING count(*) = CASE inside.key WHEN 'ru' THEN 3 WHEN 'en' THEN 2 ELSE 1 END
  ) AS in_languages
  GROUP BY name
) AS unit;
