-- What the owner puts in front: where the button of the home page leads, featured products, the banner, questions and answers.
INSERT INTO shop_setting (section, version, value)
  VALUES ('front', 1, '{"action_url": null, "featured": [], "banner": null, "questions": {}}');
