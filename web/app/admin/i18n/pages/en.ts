export const pageTabs = { pages: 'Documents' }

export const pages = {
  text: 'Terms, privacy and other pages that you write. Published ones stand at the foot of every page, and search engines read them.',
  published: 'Published',
  hidden: 'Hidden',
  blank: 'No text',
  open: 'Open',
  saved: 'Saved. The text of before stays in the history.',
  markdown:
    'In Markdown: # heading, **bold**, *italic*, - item, 1. number, > quote, [words](https://address). HTML is shown as it is, there are no pictures, and one language has up to 100 kB.',
  textIn: 'Text: {{language}}',
  preview: 'Preview',
  previewOf: 'As the page will show it: {{language}}',
  faults: 'This can’t be in the text',
  fault: '{{language}}, line {{line}}: {{fault}}',
  publish: 'Show it in the store',
  publishHint: 'Where a language has no text, buyers read it in another one.',
  nothingToShow: 'Write a text in at least one language first',
  onThePage: 'Open the page in the store',
  version: 'version {{number}}',
  openVersion: 'Open version {{number}}',
  take: 'Edit this text again',
}
