/** Тексты о поиске заказов. */
export const orderFilters = {
  more: 'Больше фильтров',
  less: 'Меньше фильтров',
  currency: 'Валюта',
  product: 'Товар',
  supplier: 'Поставщик',
  nickname: 'Никнейм',
  account: 'ID игрока или логин',
  payment: 'ID платежа',
  email: 'Почта для чека или из профиля',
  paid: 'Оплачен',
  isPaid: 'Оплачен',
  isUnpaid: 'Не оплачен',
  paidBy: 'Способ оплаты, код',
  refundedFrom: 'Возврат с даты',
  refundedTo: 'Возврат по дату',
  refundReason: 'Причина возврата',
  amountFrom: 'Сумма от',
  amountTo: 'Сумма до',
  code: 'Код целиком',
  codeHint: 'Нажмите Enter. В журнале действий останется, что вы искали, но не сам код.',
  codeUnknown: 'Такого кода в магазине не было.',
  codeFound: 'Код №\u00a0{{id}}',
  codeAny: 'Заказы с любым кодом',
  badAmount: 'Сумма, например 12.50',
} as const

/** Тексты о выгрузке в файл. */
export const exports = {
  label: 'Скачать всё из списка',
  csv: 'CSV',
  xlsx: 'Excel',
  started: 'Скачивание началось',
} as const

/** Тексты о сохранённых видах списка заказов. */
export const orderViews = {
  label: 'Сохранённые виды',
  keep: 'Сохранить вид',
  keepTitle: 'Сохранить фильтры как вид',
  editTitle: 'Вид «{{name}}»',
  name: 'Название',
  shared: 'Виден всем коллегам',
  sharedBy: '{{name}}, общий вид коллеги {{by}}',
  update: 'Записать фильтры в «{{name}}»',
  incomplete: 'Часть фильтров этого вида больше не действует. Показаны заказы по остальным.',
  removeTitle: 'Удалить вид «{{name}}»?',
  removeText: 'Заказы останутся. Исчезнут только сохранённые фильтры.',
  removeShared: 'Заказы останутся. Вид исчезнет у всех коллег.',
} as const
