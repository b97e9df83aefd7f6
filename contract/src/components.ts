import type { z } from 'zod'
import { profile, session } from './accounts.ts'
import { orderRow, orderView } from './admin-orders.ts'
import { decidedRefund, listedPayment } from './admin-payments.ts'
import { alert } from './alerts.ts'
import { approval } from './approvals.ts'
import { auditEntry } from './audit.ts'
import { cartItem } from './cart.ts'
import { offerEntry, product } from './catalogue.ts'
import { placedOrder } from './checkout.ts'
import { codeBatch } from './code-batches.ts'
import { importReport, listedCode } from './codes.ts'
import { appliedCoupon, coupon } from './coupons.ts'
import { delivery, supplierHealth } from './deliveries.ts'
import { freefireDenomination, pubgDenomination } from './denominations.ts'
import { answerTemplate, conversation, openedConversation } from './desk.ts'
import { dispute } from './disputes.ts'
import { shownRegion } from './fields.ts'
import { fillingSettings, refundedFilling } from './fillings.ts'
import { fiscalSettings } from './fiscal-settings.ts'
import { generatedCode } from './generated-codes.ts'
import { amountSchema, shownAmountSchema } from './money.ts'
import { editedOffer, priceChange } from './offers.ts'
import { listedOrder, partialRefund, receipt } from './orders.ts'
import { openedPayment, refundedOrder, sandboxPayment } from './payments.ts'
import { editedProduct } from './products.ts'
import { listedPromotion, promotion } from './promotions.ts'
import { pubgCode } from './pubg-codes.ts'
import { currencyRate, currencySettings } from './rates.ts'
import { region } from './regions.ts'
import { listedReview, review, reviewedItem } from './reviews.ts'
import { offerSource } from './sourcing.ts'
import { staffMember, staffRole } from './staff.ts'
import { supplierProduct, supplierService, supplierSync } from './supplier-lists.ts'
import { openedTalk, talk } from './support.ts'
import { takenOver } from './take-over.ts'
import { shownTopup, topupData } from './topup-data.ts'
import { listedUser } from './users.ts'
import { balanceEntry, historyEntry, ledgerEntry } from './wallet.ts'

/**
 * Shapes with a name in the API's description, and so a type of their own in generated clients. They are listed here
 * and not beside the shapes, so that no page of the shop loads them.
 */
export const components: Readonly<Record<string, z.ZodType>> = {
  Money: shownAmountSchema,
  Amount: amountSchema,
  Session: session,
  Profile: profile,
  Product: product,
  Package: offerEntry,
  ShownRegion: shownRegion,
  CartItem: cartItem,
  TopupData: topupData,
  ShownTopup: shownTopup,
  PlacedOrder: placedOrder,
  OpenedPayment: openedPayment,
  SandboxPayment: sandboxPayment,
  Order: listedOrder,
  Receipt: receipt,
  PartialRefund: partialRefund,
  Balance: balanceEntry,
  BalanceMovement: historyEntry,
  Promotion: promotion,
  LedgerEntry: ledgerEntry,
  OrderRow: orderRow,
  RefundedOrder: refundedOrder,
  Payment: listedPayment,
  CardRefund: decidedRefund,
  Dispute: dispute,
  Delivery: delivery,
  SupplierHealth: supplierHealth,
  SupplierSync: supplierSync,
  SupplierService: supplierService,
  SupplierProduct: supplierProduct,
  OfferSource: offerSource,
  TakenOver: takenOver,
  Alert: alert,
  Approval: approval,
  SavedView: orderView,
  AuditEntry: auditEntry,
  User: listedUser,
  StaffMember: staffMember,
  StaffRole: staffRole,
  EditedProduct: editedProduct,
  EditedOffer: editedOffer,
  PriceChange: priceChange,
  EditedPromotion: listedPromotion,
  Coupon: coupon,
  AppliedCoupon: appliedCoupon,
  Region: region,
  Code: listedCode,
  CodeBatch: codeBatch,
  GeneratedCode: generatedCode,
  ImportReport: importReport,
  PubgCode: pubgCode,
  PubgDenomination: pubgDenomination,
  FreefireDenomination: freefireDenomination,
  CurrencyRate: currencyRate,
  CurrencySettings: currencySettings,
  FiscalSettings: fiscalSettings,
  FillingSettings: fillingSettings,
  RefundedFilling: refundedFilling,
  Talk: talk,
  OpenedTalk: openedTalk,
  Conversation: conversation,
  OpenedConversation: openedConversation,
  AnswerTemplate: answerTemplate,
  Review: review,
  ReviewedItem: reviewedItem,
  EditedReview: listedReview,
}
