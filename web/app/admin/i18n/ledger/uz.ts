/** Doʻkon haqida doimo toʻgʻri boʻlgan qoidalar, nomi boʻyicha. */
export const ledgerRules = {
  'two-ends': 'Har bir operatsiyaning bitta valyutada ikki hisobi va noldan katta summasi bor',
  'zero-sum': 'Har bir valyutada barcha hisoblar qoldigʻi yigʻindisi nolga teng',
  'balance-is-its-transfers': 'Xaridor balansi uning operatsiyalari yigʻindisiga teng',
  'never-negative': 'Hech bir balans noldan past boʻlmagan, har bir operatsiya oʻzidan keyingi qoldiqni yozgan',
  'used-is-sold':
    'Kodning qaytarilmagan bitta sotuvi boʻlsagina u ishlatilgan, buyurtma ushlab turgandagina band qilingan',
  'delivered-has-codes':
    'Berilgan qatorda aynan oʻz paketining kodlari bor, qisman qaytarilganlaridan tashqari; toʻlanmaganida hech qachon boʻlmagan, qaytarilganida qolmagan',
  'delivered-once-or-refunded':
    'Yetkazilgan toʻldirishning har bir birligini bitta yetkazib beruvchi yetkazgan yoki puli qaytarilgan va uni hech kim yetkazmagan; keyin yetkazilganidan koʻp birlik qaytarilmagan',
  'codes-differ': 'Ikkita bir xil kod yoʻq',
  'one-order-a-cart': 'Savatning bir versiyasidan koʻpi bilan bitta buyurtma chiqqan',
  'total-is-its-items': 'Buyurtma summasi qatorlari yigʻindisiga teng',
  'price-in-force': 'Qator buyurtma paytida amalda boʻlgan narxda sotilgan; kod boʻyicha yetkazish bepul',
  'accepted-at-a-price-in-force':
    'Karta bilan toʻlangani buyurtma toʻlovni kutishi mumkin boʻlgan vaqtda uning narxida yoki pul kelgan paytda amalda boʻlgan narxdan past boʻlmagan narxda sotilgan; Steam uchun narx oʻsha paytdagi kurslardan kelib chiqadi',
  'paid-once-exactly':
    'Toʻlangan buyurtma bir marta, aynan oʻz summasiga, oʻz usulida va oʻz xaridori tomonidan toʻlangan: pul bilan yoki boshqa hech narsaga sarflanmagan bitta kod bilan',
  'unpaid-holds-nothing':
    'Toʻlanmagan buyurtma pul olmagan va hech narsa joʻnatmagan; kutayotganda oʻz kodlarini ushlaydi, undan boshqa kodlarni faqat ketayotgan faollashtirish ushlaydi',
  'payment-has-its-transfer':
    'Har bir muvaffaqiyatli karta toʻloviga bitta teng oʻtkazma mos keladi, karta oʻtkazmasining esa oʻz toʻlovi bor; buyurtma aynan yechilgan summa bilan, qotirilgan kurs boʻyicha toʻlangan; xizmat haqi qotirilgan shartlardan kelib chiqadi va bir marta oʻtkaziladi; har bir nizo holatiga mos pul koʻchirgan va xaridorini ushlab turadi, boshqa hech narsa emas',
  'refunds-are-covered':
    'Pul qaytarish oʻz pozitsiyasi yoki yetkazilmagan birlik narxiga teng, bir marta qilingan va oʻtkazmasi bor, qismlari birga narxdan oshmaydi; yechilgan summa faqat butun narx bilan birga toʻliq qaytariladi; qaytarilgan va banklar olgan pul birga toʻlangandan oshmaydi, xizmat haqi esa koʻpi bilan bir marta qaytadi',
  'nothing-is-stuck': 'Hech bir band qilish muddatidan oshmagan, toʻlangan hech narsa keyingi qadamsiz kutmayapti',
  'nothing-is-sent-blindly':
    'Buyurtma yetkazib beruvchiga u bilmasagina qayta yuboriladi, boshqasiga esa faqat birinchisi rad etgach',
  'states-follow-the-table':
    'Buyurtmalar va qatorlar holati faqat jadval boʻyicha oʻzgargan, buyurtma holati qatorlaridan kelib chiqadi, birligi qolmagan qator qaytarilgan',
  'audit-chain': 'Amallar jurnalida uzilish yoʻq, har bir yozuv avvalgisi bilan bogʻlangan',
  'closed-days': 'Har bir yopilgan kunning oʻtkazmalari va kun oxiridagi balanslar u yopilgan paytdagidek',
  'audit-seals': 'Amallar jurnali shu doʻkon kaliti bilan tasdiqlangan paytdagidek',
  'parts-are-reserved':
    'Buyurtmaning balansdan toʻlanadigan qismi xaridordan bir marta olingan va buyurtma kutayotgan paytda band qilingan; keyin u bir marta savdoga oʻtgan yoki qaytgan, toʻlov esa qolgan qism va uning xizmat haqi uchun',
  'money-is-audited': 'Administrator pulni har bir oʻzgartirgani amallar jurnalida yozilgan',
  'delivered-is-what-was-bought':
    'Yetkazib beruvchidan aynan buyurtma qilingan narsa soʻraladi va u paketning buyurtma paytidagi holatiga yoki paket manbasi u yerdan oladigan narsaga mos',
  'not-under-cost': 'Hech bir paket jurnalga yozilgan administrator roziligisiz tannarxidan arzon sotilmaydi',
  'coupons-are-counted':
    'Kupon oʻzi qoʻllangan buyurtmalarni sanaydi; buyurtma chegirmasi pozitsiyalar chegirmalariga teng va hech biri tannarxidan arzon emas',
  'fillings-fill-wallets':
    'Balansni toʻldirish hech narsa sotmaydi; pul xaridor balansiga tushgandagina bajarilgan boʻladi',
  'cost-is-what-was-paid':
    'Mahsulot tannarxi uning kodlari va yetkazishlari tannarxiga teng; sotilganda maʼlum boʻlgani nomaʼlum boʻlib qolmaydi',
  'recall-holds':
    'Import qaytarib olingach, undan hech narsa sotilmagan, oʻyinchiga sarflanmagan va birinchi marta koʻrsatilmagan',
}
