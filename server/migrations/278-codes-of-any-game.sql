-- On whose page codes are activated is the slug of that game. Which games have such a page is for the program to say.
ALTER TABLE product DROP CONSTRAINT product_code_game_check;
