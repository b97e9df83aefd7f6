export const reviewTabs = { reviews: 'Reviews' } as const

/** Texts about what buyers say of products. */
export const reviews = {
  search: 'Search by text, product, nickname or order number',
  empty: 'No reviews yet',
  review: 'Review',
  product: 'Product',
  stars: 'Stars',
  filter: 'State',
  state: {
    waiting: 'Waits for an answer',
    answered: 'Answered',
    hidden: 'Hidden',
    withdrawn: 'Withdrawn by the buyer',
  },
  noText: 'Stars only',
  deletedProduct: 'deleted',
  changed: 'changed',
  order: 'Order {{id}}',
  answer: 'Reply from the store',
  answerHint: 'Everybody sees it below the review. Leave it blank to take it back.',
  answeredBy: 'Answered by {{name}},',
  hide: 'Hide',
  show: 'Show again',
  hideTitle: 'Hide this review?',
  showTitle: 'Show this review again?',
  hideText: 'Nobody will see it, and it will not count in the rating. What the buyer wrote stays as it is.',
  showText: 'Everybody will see it, and it will count in the rating again.',
  hiddenBy: 'Hidden by {{name}}: {{reason}}',
  hiddenDone: 'The review is hidden',
  shownDone: 'The review is shown again',
} as const
