/** Whether a picture can be loaded from there; what is still being typed asks nobody for one. */
export const isImageAddress = (text: string): boolean => /^(https:\/\/[^/]+\/|\/art\/)./.test(text)
