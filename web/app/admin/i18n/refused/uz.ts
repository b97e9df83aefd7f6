/** Doʻkon operatorga nega rad javobini berdi: qanday sabab bilan. */
export const refused = {
  above_paid: 'Bu toʻlanganidan koʻp.',
  dispute_closed: 'Bu allaqachon oqibatsiz yopilgan.',
  dispute_lost: 'U allaqachon yutqazilgan deb yozilgan.',
  dispute_won: 'U allaqachon yutilgan deb yozilgan.',
  buyer_not_frozen: 'Bu sababli endi hech kim toʻxtatilmagan.',
  above_filling_left: 'Bu shu toʻldirish uchun toʻlangan puldan qolganidan koʻp.',
  above_left: 'Bu qator uchun qaytarilishi mumkin boʻlganidan koʻp.',
  above_quantity_left: 'Miqdor bu qatorda qolganidan koʻp.',
  charged_back: 'Bank bu pulni qaytarib olgan, uni yana qaytarib boʻlmaydi.',
  disputed: 'Toʻlov nizoda: hal boʻlgunicha pul qaytarib boʻlmaydi.',
  reference_of_another_dispute: 'Bu raqam allaqachon yozilgan.',
  OUT_OF_STOCK: 'Bu paketning boshqa kodi yoʻq. Kod qoʻshing yoki pulni qaytaring.',
  IDEMPOTENCY_KEY_REUSED:
    'Birinchi bosish qabul qilingan, faqat javobi yoʻqolgan: ikkinchi marta hech narsa qilinmadi. Maʼlumotlar yangilandi, oynani yopib, qarang.',
  BODY_TOO_LARGE:
    'Bu doʻkon bir martada qabul qiladigan hajmdan koʻp: hech narsa oʻzgarmadi. Kichikroq qismlarga boʻlib yuboring.',
  batch_recalled: 'Bu import allaqachon qaytarib olingan.',
  on_demand_not_codes: 'Faqat kodlarni talab boʻyicha sotib olish mumkin.',
  codes_on_sale: 'Bu oʻyinning kodlari hozir sotuvda. Avval ularni sotuvdan oling.',
  code_game_not_codes: 'Kodlar faqat kodli mahsulotlarda boʻladi.',
  fields_not_topup: 'Hisob maydonlari faqat toʻldirishlarda boʻladi.',
  more_codes:
    'Endi siz koʻrganingizdan koʻproq kod oʻchgan boʻlardi, shuning uchun hech narsa oʻchirilmadi. Hozir nechta ekaniga qarang.',
  code_activated: 'Kod faollashtirilgan, demak u ishlagan: uni almashtirib yoki qaytarib olib boʻlmaydi.',
  code_generated: 'Yaratilgan kod oʻzgarmaydi.',
  many_reveals:
    'Qisqa vaqtda sizga {{most}} ta kod koʻrsatildi, bundan koʻp mumkin emas. {{minutes}} daqiqa kutib, yana urinib koʻring. Yaratilgan kodlarni oʻz boʻlimida birdaniga nusxalash mumkin. Boshqa administratorlarga bu haqda xabar berildi.',
  many_resets:
    'Bir soatda {{most}} ta parol oʻrnatdingiz, bundan koʻp mumkin emas. {{minutes}} daqiqa kutib, yana urinib koʻring. Boshqa administratorlarga bu haqda xabar berildi.',
  FLOOR_PRICE: 'Narx tannarxdan past.',
  DUPLICATE: 'Bunday yozuv allaqachon bor.',
  SECOND_FACTOR_NEEDED_FIRST: 'Avval ikki bosqichli himoyani sozlang.',
  RATE_JUMP: 'Kurs haddan tashqari oʻzgaradi.',
  PICTURES_UNAVAILABLE:
    'Rasmlar ombori hozir uni qabul qilmayapti: hech narsa oʻzgarmadi. Bir daqiqadan keyin urinib koʻring; yordam bermasa, olmos doctor buyrugʻini ishga tushiring.',
  UNREADABLE_COLOR: 'Oʻqib boʻlmaydi: kontrast {{ratio}}, kamida {{least}} kerak',
  SECOND_FACTOR_REQUIRED: 'Ilovadagi kod kiritilmadi: hech narsa oʻzgarmadi va koʻrsatilmadi.',
  code_revealed: 'Bu kodni kimdir koʻrgan, shuning uchun oʻchirib tashlab boʻlmaydi. Uni arxivlash mumkin.',
  code_tried:
    'Yetkazib beruvchidan bu kodni ishlatish soʻralgan, shuning uchun oʻchirib tashlab boʻlmaydi. Uni arxivlash mumkin.',
  codes_of_another_game:
    'Bu kodlar mahsulotda koʻrsatilganidan boshqa oʻyinda faollashtiriladi, shuning uchun ularni bu yerda sotib boʻlmaydi.',
  not_in_operators_queue:
    'Hozir bu sizning ixtiyoringizda emas: vaʼda qilingan vaqt oʻtguncha u oʻzi yetkaziladi yoki bu haqda allaqachon qaror qilingan.',
  codes_missing: 'Xaridorda kod yoʻq. Uni yetkazishning oʻzida bering: kod oʻsha yerda kiritiladi.',
  call_under_way:
    'Aynan hozir bu haqda yetkazib beruvchidan soʻralmoqda. Bir necha soniyadan keyin qaytadan urinib koʻring.',
  game_amount_in_use: 'Nominalni oʻzgartirib boʻlmaydi: bunday kodlar mavjud yoki sotilgan.',
  no_code_generation: 'Bu mahsulot uchun kod yaratilmaydi.',
  product_of_another_game: 'Bu mahsulot Free Fire kodlarini sotmaydi. Oʻyinni mahsulotning oʻzida tanlang.',
  own_password: 'Oʻz parolingiz profilda oʻzgartiriladi: u yerda hozirgi parol soʻraladi.',
  product_has_offers: 'Mahsulotning paketlari bor, uni oʻchirib tashlab boʻlmaydi. Avval ularni oʻchirib tashlang.',
  nothing_paid: 'Buning uchun pul toʻlanmagan, qaytaradigan narsa yoʻq.',
  reference_of_another_payment: 'Bu boshqa toʻlovning ID raqami.',
  region_has_offers:
    'Mintaqada paketlar bor, uni oʻchirib tashlab boʻlmaydi. Avval paketlarni oʻchirib tashlang yoki “Yoqilgan” belgisini olib tashlang.',
  second_factor_enrolled: 'Ikki bosqichli himoya allaqachon yoqilgan.',
  second_factor_not_offered: 'Qaytadan boshlang: bu QR-kod eskirgan.',
  no_catalogue: 'Bu yetkazib beruvchi nima sotishini aytmaydi.',
  source_of_another_kind: 'Toʻldirishni kod bilan, kodni toʻldirish bilan yetkazib boʻlmaydi.',
  source_quantity: 'Yetkazib beruvchi buni faqat bir necha dona qilib sotadi, doʻkon esa bittalab sotib oladi.',
  source_fields_missing:
    'Yetkazib beruvchiga mahsulot xaridordan soʻramaydigan maʼlumot kerak. Uning maydonlari nima bilan toʻldirilishini koʻrsating yoki maydon qoʻshing.',
  source_gone: 'Yetkazib beruvchi buni endi sotmaydi.',
  slug_built_in: 'Toʻldirish sahifasining manzili oʻzgarmaydi.',
  not_paid_by_card: 'Karta bilan toʻlanmagan: pulni faqat balansga qaytarish mumkin.',
  made_in_cabinet:
    'Bu provayder pulni faqat oʻz kabinetida qaytaradi. U yerda qaytaring: doʻkon uni oʻzi hisobga oladi.',
  payments_under_way:
    'U yerda toʻlovlar yoki qaytarishlar hali tugamagan, sozlamalarsiz ular qanday tugaganini hech kim bilmaydi. Toʻlov usullarini oʻchirib qoʻying, sozlamalarni esa hammasi tugagach oʻchirib tashlang.',
  supplier_in_environment:
    'Bu yetkazib beruvchi SUPPLIERS sozlamasida koʻrsatilgan: uning sozlamalari server muhitida oʻzgartiriladi.',
  supplier_not_set_up: 'Bu yetkazib beruvchi hali sozlanmagan: avval sozlamalarini kiriting.',
  deliveries_under_way:
    'U yerda yetkazishlar hali tugamagan, sozlamalarsiz ular qanday tugaganini hech kim bilmaydi. Yetkazib beruvchini oʻchirib qoʻying, sozlamalarni esa hammasi tugagach oʻchirib tashlang.',
  channel_in_environment:
    'Bu kanal serverning muhit oʻzgaruvchilarida sozlangan: sozlamalari ham oʻsha yerda oʻzgaradi.',
  message_not_failed: 'Bu xabar allaqachon yuborilgan yoki oʻzi yuboriladi.',
  provider_in_environment:
    'Bu provayder PAYMENT_PROVIDERS sozlamasida koʻrsatilgan: uning sozlamalari server muhitida oʻzgartiriladi.',
  too_small_for_card: 'Bu yechilgan valyutaning eng kichik birligidan kam: balansga qaytaring.',
  uc_amount_in_use: 'UC miqdorini oʻzgartirib boʻlmaydi: bunday kodlar mavjud yoki sotilgan.',
  last_admin: 'Bu oxirgi egasi: xodimlarni boshqa hech kim boshqara olmaydi. Avval boshqasini tayinlang.',
  prices_moved: 'Bu narxlarning ayrimlari endi kerak emas. Hozir nima kutayotganiga qarang.',
  offers_moved: 'Bu paketlarning ayrimlari shu orada oʻzgardi. Natijani yana bir bor koʻring.',
  rule_of_shop: 'Doʻkonning oʻz qoidalari bekor qilinmaydi: ularni oʻzgartiring.',
  own_account: 'Oʻz hisobingizga buni qila olmaysiz. Boshqa xodim qila oladi.',
  above_limit: 'Bu limitingizdan katta ({{most}}). Soʻrovingiz hamkasb roziligini kutmoqda, unga xabar berildi.',
  above_limit_alone: 'Bu limitingizdan katta ({{most}}). Buni limiti kattaroq hamkasb qilishi kerak.',
  approval_decided: 'Bu endi qaror kutmayapti: hamkasb javob bergan, soʻrov qaytarib olingan yoki muddati tugagan.',
  done_meanwhile:
    'Bu soʻralganidan beri pul qaytarilgan yoki buyurtma yetkazib beruvchiga yuborilgan. Rad eting, ahvolni koʻring, hali ham kerak boʻlsa, qaytadan soʻrashsin.',
  above_agreed:
    'Endi bu soʻralganidan koʻproq boʻlib qoldi, shuning uchun hech narsa qilinmadi. Rad eting va qaytadan soʻrashlarini ayting.',
  one_balance_at_a_time:
    'Bu limitingizdan katta. Hamkasbdan bir vaqtda bitta balans haqida soʻraladi: ularni birin-ketin oʻzgartiring.',
  own_order: 'Bu oʻzingizning buyurtmangizga tegishli, shuning uchun buni hamkasbingiz qilishi kerak.',
  asker_may_not: 'Buni soʻragan xodimda endi bunday huquq yoʻq. Rad eting.',
  own_request:
    'Buni oʻzingiz soʻragansiz, qarorni hamkasb qabul qilishi kerak. Oʻz soʻrovingizni qaytarib olishingiz mumkin.',
  view_of_colleague:
    'Bu koʻrinishni hamkasbingiz yaratgan: uni faqat oʻzi yoki xodimlarni boshqaradigan kishi oʻzgartira oladi.',
  lacking: 'Rolingiz bunga ruxsat bermaydi: “{{permission}}” huquqi yoʻq.',
  limited:
    'Sizda limitlar bor, shuning uchun “{{permission}}” huquqini bera olmaysiz va bu huquqi bor hamkasbga parol oʻrnata olmaysiz: ikkinchi hisobning oʻz limitlari boʻlardi. Limitsiz hamkasbdan soʻrang.',
  beyond_limit: 'Oʻzingiznikidan katta limit berib boʻlmaydi.',
  own_role: 'Bu rol oʻzingizda ham bor, uni boshqa xodim oʻzgartirishi kerak.',
  role_built_in:
    'Bu rol har bir doʻkonda bor: uni qayta nomlab, oʻzgartirib yoki oʻchirib tashlab boʻlmaydi. Uning asosida oʻz rolingizni yarating.',
  role_in_use: 'Bu rol kimdadir bor. Avval ularga boshqa rol bering.',
}
