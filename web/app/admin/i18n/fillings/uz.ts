/** Texts about fillings of customers’ balances. */
export const fillings = {
  settings: 'Balansni toʻldirish',
  settingsHint:
    'Oʻchiq: xaridorlar “tez orada” deb koʻradi. Yoqilgan: ular balansini yuqoridagi usullar bilan toʻldiradi. Boshlangan toʻldirishlar baribir davom etadi.',
  isOn: 'Xaridorlar balansini toʻldira oladi',
  item: 'Balansni toʻldirish',
  purpose: 'Nima',
  purposes: { goods: 'Xaridlar', balance: 'Balansni toʻldirishlar' },
  unpaid: 'U toʻlanmagan.',
  paid: 'Toʻlangan:',
  refunded: 'Kartaga qaytarilgan:',
  refundable: 'Hozir qaytarish mumkin:',
  outside: 'provayder kabinetida',
  andFee: 'va xizmat haqidan',
  refund: 'Kartaga qaytarish',
  refundTitle: 'Kartaga qaytarilsinmi?',
  refundText: 'Pul hozir balansdan yechiladi. Karta uni qabul qilmasa, balansga qaytadi.',
  amount: 'Qancha',
  states: { done: 'bajarildi', waiting: 'provayder javobi kutilmoqda', failed: 'oʻtmadi: pul yana balansda' },
  deposits: 'Balans toʻldirishlari, {{currency}}',
}
