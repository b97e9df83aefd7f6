export const pageTabs = { pages: 'Hujjatlar' }

export const pages = {
  text: 'Oferta, maxfiylik va oʻzingiz yozadigan boshqa sahifalar. Koʻrsatilganlari har bir sahifaning pastida turadi va qidiruv tizimlariga koʻrinadi.',
  published: 'Koʻrinadi',
  hidden: 'Yashirin',
  blank: 'Matn yoʻq',
  open: 'Ochish',
  saved: 'Saqlandi. Avvalgi matn tarixda qoldi.',
  markdown:
    'Markdown belgilari: # sarlavha, **qalin**, *kursiv*, - band, 1. raqam, > iqtibos, [soʻzlar](https://manzil). HTML oʻzicha koʻrsatiladi, rasm yoʻq, bir tilda 100 kB gacha.',
  textIn: 'Matn: {{language}}',
  preview: 'Koʻrib chiqish',
  previewOf: 'Sahifada shunday koʻrinadi: {{language}}',
  faults: 'Matnda bular boʻlishi mumkin emas',
  fault: '{{language}}, {{line}}-qator: {{fault}}',
  publish: 'Doʻkonda koʻrsatish',
  publishHint: 'Biror tilda matn boʻlmasa, xaridor uni boshqa tilda koʻradi.',
  nothingToShow: 'Avval kamida bitta tilda matn yozing',
  onThePage: 'Sahifani doʻkonda ochish',
  version: '{{number}}-versiya',
  openVersion: '{{number}}-versiyani ochish',
  take: 'Shu matnni qayta tahrirlash',
}
