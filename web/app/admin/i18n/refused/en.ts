import type { OperatorsCode } from '@olmos/contract/failure-codes'
import type { ExplainedReason } from '../../form/refusal-text.ts'

/** Why the store refuses what an operator wants, by the reason it names. */
export const refused = {
  above_paid: 'That is more than was paid.',
  dispute_closed: 'This has already come to nothing.',
  dispute_lost: 'It is already booked as lost.',
  dispute_won: 'It is already booked as won.',
  buyer_not_frozen: 'This restricts nobody any more.',
  above_filling_left: 'That is more than is left of what was paid for this filling.',
  above_left: 'What was asked for is more than is left of this line.',
  above_quantity_left: 'The quantity is more than is left of this line.',
  charged_back: 'The bank has taken this money back, so it can’t be refunded on top.',
  disputed: 'The payment is disputed: until that is decided nothing can be refunded.',
  reference_of_another_dispute: 'This reference is already recorded.',
  OUT_OF_STOCK: 'There is no other code for this package. Add codes or refund.',
  IDEMPOTENCY_KEY_REUSED:
    'The first press was accepted, and only its answer was lost: nothing was done a second time. What it did is shown by now, so close this and look.',
  BODY_TOO_LARGE: 'That is more than the store takes at once: nothing was changed. Send it in smaller parts.',
  batch_recalled: 'This import has been recalled already.',
  on_demand_not_codes: 'Only codes can be bought on demand.',
  codes_on_sale: 'Codes of this game are on sale. Take them off sale first.',
  code_game_not_codes: 'Only products of codes have codes.',
  fields_not_topup: 'Only top-ups ask for an account.',
  more_codes: 'By now more codes would be deleted than you saw, so nothing was. Look at how many there are now.',
  code_activated: 'The code has been activated, so it worked: it can’t be replaced or taken back.',
  code_generated: 'A generated code stays as it was made.',
  many_reveals:
    'You have been shown {{most}} codes in a short time, which is the most. Wait {{minutes}} min and try again. Generated codes can be copied all at once in their own tab. The other admins have been alerted.',
  many_resets:
    'You have set {{most}} passwords within an hour, which is the most. Wait {{minutes}} min and try again. The other admins have been alerted.',
  FLOOR_PRICE: 'The price is under the cost.',
  DUPLICATE: 'This already exists.',
  SECOND_FACTOR_NEEDED_FIRST: 'Set up two-factor protection first.',
  RATE_JUMP: 'The rate moves too far.',
  PICTURES_UNAVAILABLE:
    'The bucket of the pictures does not take it at the moment: nothing was changed. Try again in a minute; if that doesn’t help, run olmos doctor.',
  UNREADABLE_COLOR: 'Unreadable: the contrast is {{ratio}}, and has to be {{least}} at least',
  SECOND_FACTOR_REQUIRED: 'The code from your app was not given: nothing was changed or shown.',
  code_revealed: 'Somebody has seen this code, so it can’t be deleted. It can be archived.',
  code_tried: 'A supplier was asked to spend this code, so it can’t be deleted. It can be archived.',
  codes_of_another_game: 'These codes are activated in another game than the product says, so they can’t be sold here.',
  not_in_operators_queue:
    'This is not yours to decide now: it is being delivered by itself until its promised time is over, or was decided already.',
  codes_missing: 'The buyer lacks a code. Give it with its own delivery, where it can be typed.',
  call_under_way: 'A supplier is being asked about it at this very moment. Try again in a few seconds.',
  game_amount_in_use: 'The amount stays as it is: codes of it are in stock or sold.',
  no_code_generation: 'No codes are generated for this product.',
  product_of_another_game: 'This product doesn’t sell codes of Free Fire. Choose the game in the product itself.',
  own_password: 'You change your own password in the profile, where the current one is asked for.',
  product_has_offers: 'The product has packages, so it can’t be deleted. Delete them first.',
  nothing_paid: 'Nothing was paid for this, so there is nothing to refund.',
  reference_of_another_payment: 'This ID is that of another payment.',
  region_has_offers: 'The region has packages, so it can’t be deleted. Delete them first, or switch it off.',
  second_factor_enrolled: 'Two-factor protection is switched on already.',
  second_factor_not_offered: 'Start again: this QR code has expired.',
  no_catalogue: 'This supplier doesn’t tell what it sells.',
  source_of_another_kind: 'A top-up can’t be delivered by a code, nor a code by a top-up.',
  source_quantity: 'The supplier sells this by several pieces only, and the store buys one at a time.',
  source_fields_missing:
    'The supplier asks for something that the product doesn’t ask its buyers for. Say what its fields are filled with, or add the field.',
  source_gone: 'The supplier doesn’t sell this any more.',
  slug_built_in: 'A top-up page keeps its address.',
  not_paid_by_card: 'This wasn’t paid by card: the money can go to the balance only.',
  made_in_cabinet: 'This provider makes refunds in its own cabinet only. Make it there: the store books it by itself.',
  payments_under_way:
    'Payments or refunds are still under way there, and without the account nobody would learn what becomes of them. Switch its methods off, and clear the account once they are over.',
  supplier_in_environment: 'SUPPLIERS names this supplier: its account is changed in the environment of the server.',
  supplier_not_set_up: 'This supplier isn’t set up yet: type its settings first.',
  deliveries_under_way:
    'Deliveries are still under way there, and without the account nobody would learn what becomes of them. Switch the supplier off, and clear the account once they are over.',
  channel_in_environment: 'The environment of the server has settings of this channel: they are changed there.',
  message_not_failed: 'This message was sent already, or will be sent without being asked.',
  provider_in_environment:
    'PAYMENT_PROVIDERS names this provider: its account is changed in the environment of the server.',
  too_small_for_card: 'That is less than the smallest unit of the currency that was charged: refund it to the balance.',
  uc_amount_in_use: 'The amount stays as it is: codes of it are in stock or sold.',
  last_admin: 'This is the last owner: nobody could manage the staff any more. Make somebody else an owner first.',
  prices_moved: 'Some of these prices are wanted no more. Look at what waits now.',
  offers_moved: 'Some of these packages have changed since you saw them. Look at the preview again.',
  rule_of_shop: 'The store’s own rules never end: change them instead.',
  own_account: 'You can’t do this to your own account. A colleague can.',
  above_limit:
    'This is above your limit ({{most}}). Your request waits for a colleague who may say yes; they were alerted.',
  above_limit_alone: 'This is above your limit ({{most}}). A colleague with a higher one has to do it.',
  approval_decided: 'This waits no longer: a colleague has decided it, or it was withdrawn or has expired.',
  done_meanwhile:
    'Since this was asked for, money has gone back or an order has gone to a supplier. Say no, look at how it stands, and have it asked for again if it is still due.',
  above_agreed:
    'By now this comes to more than was asked for, so nothing was done. Say no to it, and have it asked for again.',
  one_balance_at_a_time:
    'This is above your limit. A colleague is asked about one balance at a time: change them one after the other.',
  own_order: 'This is about an order of your own, so a colleague has to do it.',
  asker_may_not: 'Whoever asked for this may not do it any more. Say no to it.',
  own_request: 'You asked for this yourself, so a colleague has to decide it. You can withdraw it.',
  view_of_colleague: 'A colleague made this view: only they, or who manages the staff, can change it.',
  lacking: 'Your role doesn’t allow this: it lacks “{{permission}}”.',
  limited:
    'You have limits, so you can’t give “{{permission}}”, or set the password of who has it: a second account would have limits of its own. Ask a colleague without limits.',
  beyond_limit: 'You can’t give a higher limit than your own.',
  own_role: 'You have this role yourself, so a colleague has to change it.',
  role_built_in:
    'Every store has this role, so it can’t be renamed, changed or deleted. Make a role of your own from it.',
  role_in_use: 'Somebody has this role. Give them another one first.',
} as const satisfies Record<
  | ExplainedReason
  | OperatorsCode
  | 'above_limit_alone'
  | 'above_paid'
  | 'beyond_limit'
  | 'lacking'
  | 'limited'
  | 'many_resets'
  | 'many_reveals'
  | 'BODY_TOO_LARGE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'OUT_OF_STOCK'
  | 'SECOND_FACTOR_REQUIRED',
  string
>
