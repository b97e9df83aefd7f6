export const frontTabs = { front: 'Home and banner' }

export const front = {
  saved: 'Saved. The pages show it already.',
  home: 'Home page',
  homeText: 'Its heading, text and the words on the button are changed where all texts are:',
  action: 'Where the button leads',
  linkHint: 'An address with https:// or a page of the store, such as /products/steam',
  featured: 'Products on the home page',
  featuredHint:
    'Shown in the order in which you pick them. Where none are picked, the top-ups that came with the store are shown.',
  banners: 'Banners',
  bannersText:
    'The first one that is on and in its time stands above every page; the others wait for their turn. Buyers can close it; once it says something else they see it again. Times are those of the store: {{zone}}.',
  banner: 'Banner {{number}}',
  addBanner: 'Add a banner',
  bannerOn: 'On',
  kind: 'Kind',
  kinds: { info: 'Message', warning: 'Warning' },
  bannerLink: 'Link',
  from: 'From',
  until: 'Until',
  noText: 'Write a text in at least one language first',
  questions: 'Questions and answers',
  questionsText: 'They stand on the support page. Where you have none, those that came with the store are shown.',
  storesQuestions: 'The questions that came with the store are shown.',
  question: 'Question {{number}}',
  answer: 'Answer {{number}}',
  addQuestion: 'Add a question',
  remove: 'Remove',
  removeQuestion: 'Remove question {{number}}',
}
