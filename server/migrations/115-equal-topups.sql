-- What a customer has bought for a player lately is asked for whenever a top-up is bought, in a cart or without one.
CREATE INDEX topup_target_of_account ON topup_target (lower(account));

-- A player's id is kept without leading zeros from now on. A line that has its twin in the cart already stays as it is: it
-- is read without them when it is bought.
UPDATE cart_item SET account = ltrim(left(account, -1), '0') || right(account, 1)
WHERE service IN ('freefire', 'pubg') AND account LIKE '0_%' AND NOT EXISTS (
  SELECT FROM cart_item AS twin
  WHERE twin.user_id = cart_item.user_id AND twin.service = cart_item.service AND twin.offer_id = cart_item.offer_id
    AND twin.id <> cart_item.id AND ltrim(twin.account, '0') = ltrim(cart_item.account, '0'));
