/** Doʻkon operatorga nega rad javobini berdi: gap nima haqida va qanday sabab bilan. */
export const refused = {
  OUT_OF_STOCK: 'Bu paketning boshqa kodi yoʻq. Kod qoʻshing yoki pulni qaytaring.',
  batch_recalled: 'Bu import allaqachon qaytarib olingan.',
  buysOnDemand_not_codes: 'Faqat kodlarni talab boʻyicha sotib olish mumkin.',
  codeGame_codes_on_sale: 'Bu oʻyinning kodlari hozir sotuvda. Avval ularni sotuvdan oling.',
  codeGame_not_codes: 'Kodlar faqat kodli mahsulotlarda boʻladi.',
  code_activated: 'Kod faollashtirilgan, demak u ishlagan: uni almashtirib yoki qaytarib olib boʻlmaydi.',
  code_generated: 'Yaratilgan kod oʻzgarmaydi.',
  code_revealed: 'Bu kodni kimdir koʻrgan, shuning uchun oʻchirib boʻlmaydi. Uni arxivlash mumkin.',
  code_tried: 'Taʼminotchidan bu kodni ishlatish soʻralgan, shuning uchun oʻchirib boʻlmaydi. Uni arxivlash mumkin.',
  codes_other_game:
    'Bu kodlar mahsulotda koʻrsatilganidan boshqa oʻyinda faollashtiriladi, shuning uchun ularni bu yerda sotib boʻlmaydi.',
  delivery_call_under_way:
    'Aynan hozir bu haqda yetkazib beruvchidan soʻralmoqda. Bir necha soniyadan keyin qaytadan urinib koʻring.',
  game_amount_in_use: 'Miqdor oʻzgarmaydi: uning kodlari mavjud yoki sotilgan.',
  productId_no_code_generation: 'Bu mahsulot uchun kod yaratilmaydi.',
  productId_other_game: 'Bu mahsulot Free Fire kodlarini sotmaydi. Oʻyinni mahsulotning oʻzida tanlang.',
  password_own: 'Oʻz parolingiz profilda oʻzgartiriladi: u yerda hozirgi parol soʻraladi.',
  product_built_in: 'Bu mahsulot toʻldirish sahifasiga kerak, uni oʻchirib boʻlmaydi. Oʻrniga sotuvdan oling.',
  product_has_packages: 'Mahsulotning paketlari bor, uni oʻchirib boʻlmaydi. Avval ularni oʻchiring.',
  reason_nothing_paid: 'Buning uchun pul toʻlanmagan, qaytaradigan narsa yoʻq.',
  reference_of_another_payment: 'Bu boshqa toʻlovning ID raqami.',
  region_has_offers: 'Mintaqada paketlar bor, uni oʻchirib boʻlmaydi. Oʻrniga uni oʻchirib qoʻying.',
  second_factor_enrolled: 'Ikkinchi omil allaqachon yoqilgan.',
  second_factor_not_offered: 'Qaytadan boshlang: bu rasm eskirgan.',
  slug_built_in: 'Toʻldirish sahifasining manzili oʻzgarmaydi.',
  to_not_paid_by_card: 'Karta bilan toʻlanmagan: pulni faqat balansga qaytarish mumkin.',
  uc_amount_in_use: 'Miqdor oʻzgarmaydi: uning kodlari mavjud yoki sotilgan.',
  user_last_admin:
    'Bu oxirgi administrator: boshqaruv paneliga boshqa hech kim kira olmaydi. Avval boshqasini tayinlang.',
  user_self: 'Oʻz hisobingizga buni qila olmaysiz. Boshqa administrator qila oladi.',
}
